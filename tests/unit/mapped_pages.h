// What     A few pages of this process for tests: mapped, protected and unmapped as the test says.
// Failure  Throws std::runtime_error where the system gives no memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include <sys/mman.h>
#include <unistd.h>

#include "base/address.h"

namespace tierup::testing {

class MappedPages {
public:
    explicit MappedPages(std::size_t count) : bytes_(count * page_bytes()) {
        memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory_ == MAP_FAILED) {
            throw std::runtime_error("mmap");
        }
    }
    ~MappedPages() { munmap(memory_, bytes_); }
    MappedPages(const MappedPages&) = delete;
    MappedPages& operator=(const MappedPages&) = delete;

    static std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

    std::uint8_t* page(std::size_t index) { return static_cast<std::uint8_t*>(memory_) + index * page_bytes(); }
    Address address(std::size_t index) { return Address(reinterpret_cast<std::uint64_t>(page(index))); }
    void forbid(std::size_t index) { mprotect(page(index), page_bytes(), PROT_NONE); }
    void unmap(std::size_t index) { munmap(page(index), page_bytes()); }

private:
    void* memory_ = nullptr;
    std::size_t bytes_;
};

}  // namespace tierup::testing
