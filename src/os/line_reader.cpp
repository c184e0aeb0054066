// What     Line by line over read(2).
#include "os/line_reader.h"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

namespace tierup::os {

LineReader::LineReader(const char* path) noexcept : file_(open(path, O_RDONLY | O_CLOEXEC)) {}

LineReader::~LineReader() noexcept {
    if (file_ >= 0) {
        (void)close(file_);
    }
}

bool LineReader::fill() noexcept {
    if (file_ < 0 || end_ == kBufferBytes) {
        return false;
    }
    ssize_t got = 0;
    do {
        got = read(file_, buffer_ + end_, kBufferBytes - end_);
    } while (got < 0 && errno == EINTR);
    if (got <= 0) {
        return false;
    }
    end_ += static_cast<std::size_t>(got);
    return true;
}

char* LineReader::try_read_line() noexcept {
    bool is_skipping = false;
    for (;;) {
        auto* newline = static_cast<char*>(std::memchr(buffer_ + begin_, '\n', end_ - begin_));
        if (newline != nullptr) {
            char* line = buffer_ + begin_;
            begin_ = static_cast<std::size_t>(newline - buffer_) + 1;
            if (is_skipping) {
                is_skipping = false;
                continue;
            }
            *newline = '\0';
            return line;
        }
        std::memmove(buffer_, buffer_ + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
        if (end_ == kBufferBytes) {
            is_skipping = true;
            end_ = 0;
        }
        if (!fill()) {
            const bool is_line = !is_skipping && end_ != 0;  // the last line has no newline
            buffer_[end_] = '\0';
            begin_ = end_;
            return is_line ? buffer_ : nullptr;
        }
    }
}

}  // namespace tierup::os
