// What     Finds a loaded module by walking the loader's list.
// Source   dl_iterate_phdr(3): dlpi_addr is the load bias; the PT_LOAD headers say where the first and last bytes are.
#include "os/module.h"

#include <link.h>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace tierup::os {

static_assert(kPathBytes >= PATH_MAX, "realpath writes up to PATH_MAX bytes");

namespace {

struct Search {
    const char* file_name;
    Module* module;
    Status status;
};

/// The part of a writable segment that is not made read-only after relocation: what follows PT_GNU_RELRO, which begins with the segment or is apart from it.
void measure_data(const dl_phdr_info& info, Module& module) noexcept {
    std::uint64_t relro_begin = 0;
    std::uint64_t relro_end = 0;
    for (int i = 0; i < info.dlpi_phnum; ++i) {
        if (info.dlpi_phdr[i].p_type == PT_GNU_RELRO) {
            relro_begin = info.dlpi_phdr[i].p_vaddr;
            relro_end = relro_begin + info.dlpi_phdr[i].p_memsz;
        }
    }
    for (int i = 0; i < info.dlpi_phnum; ++i) {
        const auto& header = info.dlpi_phdr[i];
        if (header.p_type != PT_LOAD || (header.p_flags & PF_W) == 0) {
            continue;
        }
        std::uint64_t begin = header.p_vaddr;
        const std::uint64_t end = begin + header.p_memsz;
        if (relro_begin >= begin && relro_begin < end) {
            begin = relro_end < end ? relro_end : end;
        }
        if (end - begin > module.data_end.value() - module.data.value()) {
            module.data = Address(info.dlpi_addr + begin);
            module.data_end = Address(info.dlpi_addr + end);
        }
    }
}

void measure(const dl_phdr_info& info, Module& module) noexcept {
    std::uint64_t lowest = UINT64_MAX;
    std::uint64_t highest = 0;
    for (int i = 0; i < info.dlpi_phnum; ++i) {
        const auto& header = info.dlpi_phdr[i];
        if (header.p_type != PT_LOAD) {
            continue;
        }
        lowest = header.p_vaddr < lowest ? header.p_vaddr : lowest;
        highest = header.p_vaddr + header.p_memsz > highest ? header.p_vaddr + header.p_memsz : highest;
    }
    module.base = Address(info.dlpi_addr + (lowest == UINT64_MAX ? 0 : lowest));
    module.end = Address(info.dlpi_addr + highest);
}

int on_module(dl_phdr_info* info, std::size_t, void* context) noexcept {
    auto& search = *static_cast<Search*>(context);
    const char* path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
    const char* slash = std::strrchr(path, '/');
    if (std::strcmp(slash == nullptr ? path : slash + 1, search.file_name) != 0) {
        return 0;
    }
    measure(*info, *search.module);
    measure_data(*info, *search.module);
    if (path[0] != '/') {
        // Loaded by a relative path, or the vDSO, which has no file.
        search.status = realpath(path, search.module->path) != nullptr ? Status::ok : Status::absent;
        return 1;
    }
    const std::size_t length = std::strlen(path);
    if (length >= kPathBytes) {
        search.status = Status::exhausted;
        return 1;
    }
    std::memcpy(search.module->path, path, length + 1);
    search.status = Status::ok;
    return 1;
}

}  // namespace

Status find_loaded_module(const char* file_name, Module& module) noexcept {
    module.base = Address();
    module.end = Address();
    module.data = Address();
    module.data_end = Address();
    module.path[0] = '\0';
    if (file_name == nullptr || file_name[0] == '\0') {
        return Status::invalid_argument;
    }
    Search search{file_name, &module, Status::absent};
    (void)dl_iterate_phdr(on_module, &search);
    return search.status;
}

}  // namespace tierup::os
