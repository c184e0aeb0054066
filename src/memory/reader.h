// What     The door through which other layers read foreign memory: copy bytes, or say why not.
// What not Interprets nothing. Not for the poll's fast path, which has its own door (plain_window.h).
// Threads  An implementation's copies may be made from any thread at once.
// Failure  Status::faulted where any of the bytes can't be read; the destination is then unspecified.
#pragma once

#include <cstddef>

#include "base/address.h"
#include "base/copy.h"
#include "base/status.h"

namespace tierup::memory {

class Reader {
public:
    /// Copies all `bytes` or fails.
    [[nodiscard]] virtual Status try_read(Address from, void* to, std::size_t bytes) const noexcept {
        (void)from, (void)to, (void)bytes;
        return Status::unsupported;  // not pure: a pure function would make the library need libstdc++'s handler
    }

    /// Makes copies in order, in as few steps as the door allows, and stops at the first that fails. Returns how many were made.
    [[nodiscard]] virtual std::size_t try_read_each(const Copy* copies, std::size_t count) const noexcept {
        std::size_t done = 0;
        while (done < count && try_read(copies[done].from, copies[done].to, copies[done].bytes) == Status::ok) {
            ++done;
        }
        return done;
    }

    template <typename Value>
    [[nodiscard]] Status try_read_value(Address from, Value& to) const noexcept {
        return try_read(from, &to, sizeof to);
    }

protected:
    Reader() noexcept = default;
    Reader(const Reader&) noexcept = default;
    Reader& operator=(const Reader&) noexcept = default;
    ~Reader() = default;
};

}  // namespace tierup::memory
