// What     The table of our ICLRDataTarget and its functions.
// What not See data_target.h.
#include "clr/data_target.h"

#include <algorithm>

namespace tierup::clr {

namespace {

/// The runtime's module as the DAC names it: MAIN_CLR_DLL_NAME_W, dotnet/runtime src/coreclr/inc/clrnames.h.
constexpr char16_t kRuntimeModuleName[] = u"libcoreclr.so";

constexpr std::uint32_t kBigReadBytes = 4 * kPageBytes;

bool ends_with_runtime_name(const char16_t* path) noexcept {
    const char16_t* file = path;
    for (const char16_t* at = path; *at != u'\0'; ++at) {
        if (*at == u'/') {
            file = at + 1;
        }
    }
    const char16_t* expected = kRuntimeModuleName;
    while (*expected != u'\0' && *file == *expected) {
        ++file;
        ++expected;
    }
    return *file == *expected;
}

}  // namespace

struct DataTargetTable {
    static DataTarget& of(void* self) noexcept { return *static_cast<DataTarget*>(self); }

    static Hresult query_interface(void* self, const Guid* iid, void** out) {
        if (iid == nullptr || out == nullptr) {
            return kPointer;
        }
        const bool is_known = *iid == kIidUnknown || *iid == kIidClrDataTarget;
        *out = is_known ? self : nullptr;
        return is_known ? kOk : kNoInterface;
    }
    // Lives as long as the process: references are not counted.
    static std::uint32_t add_ref(void*) { return 1; }
    static std::uint32_t release(void*) { return 1; }

    static Hresult get_machine_type(void* self, std::uint32_t* machine) {
        if (machine == nullptr) {
            return kPointer;
        }
        *machine = of(self).machine_;
        return kOk;
    }
    static Hresult get_pointer_size(void*, std::uint32_t* bytes) {
        if (bytes == nullptr) {
            return kPointer;
        }
        *bytes = sizeof(void*);
        return kOk;
    }
    static Hresult get_image_base(void* self, const char16_t* image_path, ClrDataAddress* base) {
        if (image_path == nullptr || base == nullptr) {
            return kPointer;
        }
        *base = 0;
        if (!ends_with_runtime_name(image_path)) {
            return kFail;
        }
        *base = of(self).runtime_base_.value();
        return kOk;
    }
    static Hresult read_virtual(void* self, ClrDataAddress address, std::uint8_t* buffer, std::uint32_t bytes, std::uint32_t* bytes_read) {
        if (buffer == nullptr || bytes_read == nullptr) {
            return kPointer;
        }
        *bytes_read = of(self).copy_some(Address(address), buffer, bytes);
        return *bytes_read > 0 || bytes == 0 ? kOk : kFail;
    }

    static Hresult write_virtual(void*, ClrDataAddress, std::uint8_t*, std::uint32_t, std::uint32_t*) { return kNotImplemented; }
    static Hresult get_tls_value(void*, std::uint32_t, std::uint32_t, ClrDataAddress*) { return kNotImplemented; }
    static Hresult set_tls_value(void*, std::uint32_t, std::uint32_t, ClrDataAddress) { return kNotImplemented; }
    static Hresult get_current_thread_id(void*, std::uint32_t*) { return kNotImplemented; }
    static Hresult get_thread_context(void*, std::uint32_t, std::uint32_t, std::uint32_t, std::uint8_t*) { return kNotImplemented; }
    static Hresult set_thread_context(void*, std::uint32_t, std::uint32_t, std::uint8_t*) { return kNotImplemented; }
    static Hresult request(void*, std::uint32_t, std::uint32_t, std::uint8_t*, std::uint32_t, std::uint8_t*) { return kNotImplemented; }

    static constexpr ClrDataTargetSlots kSlots = {
        {query_interface, add_ref, release},
        get_machine_type,
        get_pointer_size,
        get_image_base,
        read_virtual,
        write_virtual,
        get_tls_value,
        set_tls_value,
        get_current_thread_id,
        get_thread_context,
        set_thread_context,
        request,
    };
};

void DataTarget::open(Address runtime_base, const memory::Reader& reader, std::uint32_t machine) noexcept {
    reader_ = &reader;
    runtime_base_ = runtime_base;
    machine_ = machine;
    pages_.forget_all();
    slots_ = &DataTargetTable::kSlots;
}

std::uint32_t DataTarget::copy_some(Address from, std::uint8_t* to, std::uint32_t bytes) noexcept {
    reads_.fetch_add(1, std::memory_order_relaxed);
    const std::uint32_t done = copy_pages(from, to, bytes);
    if (!mark_.is_null() && mark_ >= from && mark_.value() - from.value() < done) {
        to[mark_.value() - from.value()] |= 1;
    }
    return done;
}

/// Page by page up to the first that can't be read, as the OS would. Wraps nowhere: the last page of the address space ends the copy.
/// Big reads go past the page cache in one piece: for some questions the DAC copies a module's whole metadata, 2.7 MB for the core library.
std::uint32_t DataTarget::copy_pages(Address from, std::uint8_t* to, std::uint32_t bytes) noexcept {
    if (bytes > kBigReadBytes && reader_->try_read(from, to, bytes) == Status::ok) {
        return bytes;
    }
    std::uint32_t done = 0;
    while (done < bytes) {
        const Address at = from.plus(done);
        if (at < from) {
            break;
        }
        const std::uint64_t left_in_page = kPageBytes - at.value() % kPageBytes;
        const auto piece = static_cast<std::uint32_t>(std::min<std::uint64_t>(left_in_page, bytes - done));
        if (pages_.copy_within_page(*reader_, at, to + done, piece) != Status::ok) {
            break;
        }
        done += piece;
    }
    return done;
}

}  // namespace tierup::clr
