// What     Bytes of the diagnostics protocol.
// What not See diagnostics_message.h.
#include "clr/diagnostics_message.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tierup::clr {

static_assert(std::endian::native == std::endian::little, "the protocol's numbers are little endian, and so are ours");

namespace {

constexpr char kMagic[] = "DOTNET_IPC_V1";  // 14 bytes with its zero
static_assert(sizeof kMagic == 14);
constexpr std::uint8_t kProfilerCommandSet = 0x03;
constexpr std::uint8_t kAttachProfilerCommand = 0x01;
constexpr std::uint8_t kServerCommandSet = 0xFF;
constexpr std::uint8_t kServerOk = 0x00;
constexpr std::size_t kSizeOffset = 14;
constexpr std::size_t kCommandSetOffset = 16;
constexpr std::size_t kCommandOffset = 17;
constexpr std::size_t kMaxMessageBytes = 0xFFFF;  // the size is a u16

/// Puts values behind one another. After the first one that does not fit, nothing fits any more.
class BufferWriter {
public:
    explicit BufferWriter(std::span<std::uint8_t> buffer) noexcept : buffer_(buffer) {}

    void put(const void* from, std::size_t bytes) noexcept {
        if (bytes > buffer_.size() - used_) {
            fits_ = false;
            used_ = buffer_.size();
            return;
        }
        std::memcpy(buffer_.data() + used_, from, bytes);
        used_ += bytes;
    }
    template <typename Number>
    void put(Number number) noexcept {
        put(&number, sizeof number);
    }

    [[nodiscard]] bool fits() const noexcept { return fits_; }
    [[nodiscard]] std::size_t used() const noexcept { return used_; }

private:
    std::span<std::uint8_t> buffer_;
    std::size_t used_ = 0;  // invariant: used_ <= buffer_.size()
    bool fits_ = true;
};

/// The next code point of a zero-terminated UTF-8 text, by RFC 3629's table of well-formed sequences; false where it is none.
bool try_take_code_point(const unsigned char*& at, std::uint32_t& point) noexcept {
    const unsigned char lead = *at++;
    if (lead < 0x80) {
        point = lead;
        return true;
    }
    const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    if (lead < 0xC2 || lead > 0xF4) {
        return false;
    }
    point = lead & (0x3Fu >> more);
    for (int i = 0; i < more; ++i) {
        if ((*at & 0xC0) != 0x80) {  // the terminating zero too: nothing behind it is read
            return false;
        }
        point = point << 6 | (*at++ & 0x3Fu);
    }
    constexpr std::uint32_t kLeast[] = {0x80, 0x800, 0x10000};
    const bool is_surrogate = point >= 0xD800 && point <= 0xDFFF;
    return point >= kLeast[more - 1] && point <= 0x10FFFF && !is_surrogate;
}

/// Puts the text in UTF-16 with its zero; the count of units goes before it. False where it is no UTF-8.
bool put_text(const char* text, BufferWriter& writer, std::span<std::uint8_t> buffer) noexcept {
    const std::size_t count_at = writer.used();
    writer.put(std::uint32_t{0});
    std::uint32_t units = 0;
    const auto* at = reinterpret_cast<const unsigned char*>(text);
    std::uint32_t point = 1;
    while (writer.fits() && point != 0) {
        if (!try_take_code_point(at, point)) {
            return false;
        }
        if (point >= 0x10000) {
            writer.put(static_cast<char16_t>(0xD800 + ((point - 0x10000) >> 10)));
            writer.put(static_cast<char16_t>(0xDC00 + ((point - 0x10000) & 0x3FF)));
            units += 2;
        } else {
            writer.put(static_cast<char16_t>(point));
            units += 1;
        }
    }
    if (writer.fits()) {
        std::memcpy(buffer.data() + count_at, &units, sizeof units);
    }
    return true;
}

bool append(const char* text, std::size_t length, std::span<char> buffer, std::size_t& used) noexcept {
    if (length >= buffer.size() - used) {
        return false;
    }
    std::memcpy(buffer.data() + used, text, length);
    used += length;
    buffer[used] = '\0';
    return true;
}

bool append_number(std::uint64_t number, std::span<char> buffer, std::size_t& used) noexcept {
    char digits[20];  // 2^64 has so many
    std::size_t first = sizeof digits;
    do {
        digits[--first] = static_cast<char>('0' + number % 10);
        number /= 10;
    } while (number != 0);
    return append(digits + first, sizeof digits - first, buffer, used);
}

bool append_text(const char* text, std::span<char> buffer, std::size_t& used) noexcept {
    return append(text, std::strlen(text), buffer, used);
}

}  // namespace

Status write_attach_request(const AttachRequest& request, std::span<std::uint8_t> buffer, std::size_t& bytes) noexcept {
    bytes = 0;
    const auto message = buffer.first(std::min(buffer.size(), kMaxMessageBytes));
    BufferWriter writer(message);
    writer.put(kMagic, sizeof kMagic);
    writer.put(std::uint16_t{0});  // the size, known at the end
    writer.put(kProfilerCommandSet);
    writer.put(kAttachProfilerCommand);
    writer.put(std::uint16_t{0});
    writer.put(request.timeout_ms);
    writer.put(request.class_id);
    if (!put_text(request.library_path, writer, message)) {
        return Status::invalid_argument;
    }
    writer.put(std::uint32_t{0});  // no client data
    if (!writer.fits()) {
        return Status::exhausted;
    }
    bytes = writer.used();
    const auto size = static_cast<std::uint16_t>(bytes);
    std::memcpy(buffer.data() + kSizeOffset, &size, sizeof size);
    return Status::ok;
}

Status read_answer_header(std::span<const std::uint8_t, kDiagnosticsHeaderBytes> header, DiagnosticsAnswer& answer) noexcept {
    answer = DiagnosticsAnswer{};
    std::uint16_t size = 0;
    std::memcpy(&size, header.data() + kSizeOffset, sizeof size);
    if (std::memcmp(header.data(), kMagic, sizeof kMagic) != 0 || header[kCommandSetOffset] != kServerCommandSet ||
        size < kDiagnosticsHeaderBytes) {
        return Status::unsupported;
    }
    answer.is_error = header[kCommandOffset] != kServerOk;
    answer.payload_bytes = static_cast<std::uint16_t>(size - kDiagnosticsHeaderBytes);
    return Status::ok;
}

Hresult read_answer_result(const DiagnosticsAnswer& answer, std::span<const std::uint8_t> payload) noexcept {
    Hresult result = answer.is_error ? kFail : kOk;
    if (payload.size() >= sizeof result) {
        std::memcpy(&result, payload.data(), sizeof result);
    }
    return answer.is_error && result >= 0 ? kFail : result;
}

Status write_socket_path(const char* folder, std::uint32_t process_id, std::uint64_t start_time, std::span<char> buffer) noexcept {
    std::size_t used = 0;
    const std::size_t length = std::strlen(folder);
    const bool has_slash = length != 0 && folder[length - 1] == '/';
    const bool fits = !buffer.empty() && append(folder, length, buffer, used) && (has_slash || append_text("/", buffer, used)) &&
                      append_text("dotnet-diagnostic-", buffer, used) && append_number(process_id, buffer, used) &&
                      append_text("-", buffer, used) && append_number(start_time, buffer, used) && append_text("-socket", buffer, used);
    return fits ? Status::ok : Status::exhausted;
}

}  // namespace tierup::clr
