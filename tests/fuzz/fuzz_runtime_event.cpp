// What     libFuzzer on the reader of the runtime's event payloads: any bytes under any event number and version, at an even and at an odd address.
// What not No reference reader: it checks what must hold for every answer.
// Failure  Aborts where a text of an accepted event lies outside its payload or does not end with its zero; the sanitizers see the rest.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>

#include "clr/runtime_event.h"

namespace {

using tierup::Status;
using tierup::clr::read_runtime_event;
using tierup::clr::RuntimeEvent;
using tierup::clr::Utf16Text;

void require(bool condition) {
    if (!condition) {
        std::abort();
    }
}

void check_text(const Utf16Text& text, const std::uint8_t* payload, std::size_t bytes) {
    if (text.text == nullptr) {
        require(text.units == 0);
        return;
    }
    const auto* begin = reinterpret_cast<const std::uint8_t*>(text.text);
    require(begin >= payload && begin <= payload + bytes);
    require((text.units + std::size_t{1}) * 2 <= static_cast<std::size_t>(payload + bytes - begin));
    for (std::size_t i = 0; i <= text.units; ++i) {
        char16_t unit = 0;
        std::memcpy(&unit, begin + 2 * i, sizeof unit);
        require((unit == 0) == (i == text.units));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // The events that exist, and whatever else a runtime may send.
    constexpr std::uint32_t kNumbers[] = {141, 143, 145, 281, 282, 283, 284, 0xFFFF'FFFF};
    if (size < 2) {
        return 0;
    }
    const std::uint32_t number = kNumbers[data[0] % std::size(kNumbers)];
    const std::uint32_t version = data[1] % 4;
    const std::size_t bytes = size - 2;
    for (const std::size_t offset : {std::size_t{0}, std::size_t{1}}) {
        // A block of its own, so that a read past its end is seen.
        const auto block = std::make_unique<std::uint8_t[]>(bytes + offset);
        std::uint8_t* const payload = block.get() + offset;
        std::memcpy(payload, data + 2, bytes);
        RuntimeEvent event;
        if (read_runtime_event(number, version, payload, bytes, event) == Status::ok) {
            check_text(event.method_namespace, payload, bytes);
            check_text(event.method_name, payload, bytes);
            check_text(event.method_signature, payload, bytes);
        }
    }
    return 0;
}
