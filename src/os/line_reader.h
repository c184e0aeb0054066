// What     Reads a text file line by line into a fixed buffer.
// What not Allocates nothing; a line longer than the buffer is skipped whole, never cut.
// Threads  One at a time.
// Failure  A file that can't be opened or read has no (more) lines.
#pragma once

#include <cstddef>

namespace tierup::os {

class LineReader {
public:
    explicit LineReader(const char* path) noexcept;
    ~LineReader() noexcept;
    LineReader(const LineReader&) = delete;
    LineReader& operator=(const LineReader&) = delete;

    /// The next line without its newline, zero-terminated, valid until the next call; null at the end.
    [[nodiscard]] char* try_read_line() noexcept;

private:
    [[nodiscard]] bool fill() noexcept;

    static constexpr std::size_t kBufferBytes = 4096;

    int file_ = -1;
    std::size_t begin_ = 0;  // invariant: begin_ <= end_ <= kBufferBytes; buffer_[end_] is ours to write
    std::size_t end_ = 0;
    char buffer_[kBufferBytes + 1];
};

}  // namespace tierup::os
