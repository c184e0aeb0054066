// What     The payloads of the runtime's tiering events, field by field.
// What not See runtime_event.h.
// Source   dotnet/runtime src/coreclr/vm/ClrEtwAll.man: MethodLoad_V1/V2, MethodLoadVerbose_V1/V2, MethodJittingStarted_V1, TieredCompilation*.
//          Fields stand packed, in the order of the manifest; a newer version has more at the end. tests/recorded/events holds real ones.
#include "clr/runtime_event.h"

#include <cstring>

#include "clr/event_tier.h"

namespace tierup::clr {

namespace {

enum EventId : std::uint32_t {
    kMethodLoad = 141,
    kMethodLoadVerbose = 143,
    kMethodJittingStarted = 145,
    kTieredPause = 281,
    kTieredResume = 282,
    kBackgroundJitStart = 283,
    kBackgroundJitStop = 284,
};

/// Takes fields off the front. After the first one that does not fit, nothing fits any more.
class PayloadReader {
public:
    PayloadReader(const std::uint8_t* payload, std::size_t bytes) noexcept : at_(payload), left_(payload == nullptr ? 0 : bytes) {}

    template <typename Number>
    Number take() noexcept {
        Number number{};
        if (left_ < sizeof number) {
            fits_ = false;
            left_ = 0;
            return Number{};
        }
        std::memcpy(&number, at_, sizeof number);
        at_ += sizeof number;
        left_ -= sizeof number;
        return number;
    }

    /// A text up to its zero, which must be within the payload.
    Utf16Text take_text() noexcept {
        // The runtime's payloads begin at an even address and so do the texts in them; a text at an odd one could not be pointed to.
        if (reinterpret_cast<std::uintptr_t>(at_) % alignof(char16_t) != 0) {
            fits_ = false;
        }
        const auto* text = reinterpret_cast<const char16_t*>(at_);
        std::uint32_t units = 0;
        while (fits_ && take<char16_t>() != u'\0') {
            ++units;
        }
        return fits_ ? Utf16Text{text, units} : Utf16Text{};
    }

    [[nodiscard]] Status status() const noexcept { return fits_ ? Status::ok : Status::unsupported; }

private:
    const std::uint8_t* at_;
    std::size_t left_;
    bool fits_ = true;
};

void take_names(PayloadReader& reader, RuntimeEvent& event) noexcept {
    event.method_namespace = reader.take_text();
    event.method_name = reader.take_text();
    event.method_signature = reader.take_text();
}

Status read_method_load(PayloadReader& reader, std::uint32_t version, bool has_names, RuntimeEvent& event) noexcept {
    event.kind = RuntimeEventKind::method_loaded;
    event.method = Address(reader.take<std::uint64_t>());
    event.module = Address(reader.take<std::uint64_t>());
    event.code = Address(reader.take<std::uint64_t>());
    event.code_bytes = reader.take<std::uint32_t>();
    event.token = reader.take<std::uint32_t>();
    const auto flags = reader.take<std::uint32_t>();
    event.tier = to_tier(event_tier_of(flags));
    event.is_dynamic = (flags & kDynamicMethodFlag) != 0;
    if (has_names) {
        take_names(reader, event);
    }
    (void)reader.take<std::uint16_t>();  // ClrInstanceID
    if (version >= 2) {
        event.rejit_id = reader.take<std::uint64_t>();
    }
    return reader.status();
}

Status read_jit_started(PayloadReader& reader, RuntimeEvent& event) noexcept {
    event.kind = RuntimeEventKind::jit_started;
    event.method = Address(reader.take<std::uint64_t>());
    event.module = Address(reader.take<std::uint64_t>());
    event.token = reader.take<std::uint32_t>();
    event.il_bytes = reader.take<std::uint32_t>();
    take_names(reader, event);
    (void)reader.take<std::uint16_t>();  // ClrInstanceID
    return reader.status();
}

Status read_tiering(PayloadReader& reader, RuntimeEventKind kind, RuntimeEvent& event) noexcept {
    event.kind = kind;
    (void)reader.take<std::uint16_t>();  // ClrInstanceID
    if (kind != RuntimeEventKind::delay_began) {
        event.method_count = reader.take<std::uint32_t>();
    }
    if (kind == RuntimeEventKind::batch_ended) {
        event.jitted_count = reader.take<std::uint32_t>();
    }
    return reader.status();
}

Status read_payload(std::uint32_t event_id, std::uint32_t version, PayloadReader& reader, RuntimeEvent& event) noexcept {
    switch (event_id) {
        case kMethodLoad: return version == 0 ? Status::unsupported : read_method_load(reader, version, false, event);
        case kMethodLoadVerbose: return version == 0 ? Status::unsupported : read_method_load(reader, version, true, event);
        case kMethodJittingStarted: return version == 0 ? Status::unsupported : read_jit_started(reader, event);
        case kTieredPause: return read_tiering(reader, RuntimeEventKind::delay_began, event);
        case kTieredResume: return read_tiering(reader, RuntimeEventKind::delay_ended, event);
        case kBackgroundJitStart: return read_tiering(reader, RuntimeEventKind::batch_began, event);
        case kBackgroundJitStop: return read_tiering(reader, RuntimeEventKind::batch_ended, event);
        default: return Status::unsupported;
    }
}

}  // namespace

Status read_runtime_event(std::uint32_t event_id, std::uint32_t event_version, const std::uint8_t* payload, std::size_t payload_bytes,
                          RuntimeEvent& event) noexcept {
    event = RuntimeEvent{};
    PayloadReader reader(payload, payload_bytes);
    const Status status = read_payload(event_id, event_version, reader, event);
    if (status != Status::ok) {
        event = RuntimeEvent{};
    }
    return status;
}

}  // namespace tierup::clr
