// What     The rules of settings.h, one by one.
// What not No caching: read once at start by the owner.
// Source   dotnet/runtime src/coreclr/utilcode/clrconfig.cpp (EnvGetString, GetConfigDWORD) at 128ac7da0052, utilcode/configuration.cpp
//          at b710946ed578, vm/eeconfig.cpp (EEConfig::sync) and inc/clrconfigvalues.h at 2eebfd79e38d. Every rule was also seen in the
//          EEConfig object of 8.0.34, 9.0.23, 10.0.15 and 11.0.0: tests/unit/clr_settings_test.cpp holds what was seen.
#include "runtime/settings.h"

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <limits>

namespace tierup::runtime {

namespace {

constexpr std::uint32_t kMaxValue = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kMaxThreshold = 65535;  // UINT16_MAX: EEConfig::sync clamps to it

// Defaults: TC_BackgroundWorkerTimeoutMs, TC_CallCountThreshold, TC_CallCountingDelayMs, TC_DelaySingleProcMultiplier of a release
// build, clrconfigvalues.h.
constexpr std::uint32_t kDefaultWorkerTimeoutMs = 4000;
constexpr std::uint32_t kDefaultThreshold = 30;
constexpr std::uint32_t kDefaultDelayMs = 100;
constexpr std::uint32_t kDefaultSingleProcessorMultiplier = 10;

/// A number as u16_strtoul reads it: strtoul in 64 bits, then cut to 32 (PAL_wcstoul, dotnet/runtime src/coreclr/pal/src/cruntime/wchar.cpp).
struct Number {
    std::uint32_t value = 0;
    bool has_digits = false;
    bool is_out_of_range = false;
};

Number parse_number(const char* text, int base) noexcept {
    char* end = nullptr;
    errno = 0;
    const unsigned long long wide = std::strtoul(text, &end, base);
    Number number{static_cast<std::uint32_t>(wide), end != text, errno == ERANGE};
    if (wide > kMaxValue) {
        const char* first = text;
        while (*first == ' ' || (*first >= '\t' && *first <= '\r')) {
            ++first;
        }
        // PAL_wcstoul: a negative number wraps silently, a positive one is out of range.
        if (*first != '-') {
            number.value = kMaxValue;
            number.is_out_of_range = true;
        }
    }
    return number;
}

class Knobs {
public:
    explicit Knobs(const SettingsSource& source) noexcept : source_(source) {}

    /// EnvGetString: DOTNET_ first; COMPlus_ only where the first is missing or empty.
    [[nodiscard]] const char* find_environment(const char* name) const noexcept {
        for (const char* prefix : {"DOTNET_", "COMPlus_"}) {
            if (const char* text = find_prefixed(prefix, name); text != nullptr && *text != '\0') {
                return text;
            }
        }
        return nullptr;
    }

    /// GetConfigDWORD: hexadecimal; rejected without a digit or when out of range. False: `value` is untouched.
    [[nodiscard]] bool try_get_environment(const char* name, std::uint32_t& value) const noexcept {
        const char* text = find_environment(name);
        if (text == nullptr) {
            return false;
        }
        const Number number = parse_number(text, 16);
        if (!number.has_digits || number.is_out_of_range) {
            return false;
        }
        value = number.value;
        return true;
    }

    /// CLRConfig::GetConfigValue: environment only.
    [[nodiscard]] std::uint32_t get(const char* name, std::uint32_t default_value) const noexcept {
        std::uint32_t value = default_value;
        (void)try_get_environment(name, value);
        return value;
    }

    /// Configuration::GetKnobDWORDValue: then the property, base 0, whatever strtoul makes of it.
    [[nodiscard]] std::uint32_t get(const char* name, const char* property, std::uint32_t default_value) const noexcept {
        std::uint32_t value = default_value;
        if (try_get_environment(name, value)) {
            return value;
        }
        const char* text = find_property(property);
        return text == nullptr ? default_value : parse_number(text, 0).value;
    }

    /// Configuration::GetKnobBooleanValue: a property is true only as the very word "true".
    [[nodiscard]] bool is_on(const char* name, const char* property, bool default_value) const noexcept {
        std::uint32_t value = 0;
        if (try_get_environment(name, value)) {
            return value != 0;
        }
        const char* text = find_property(property);
        return text == nullptr ? default_value : std::strcmp(text, "true") == 0;
    }

private:
    static constexpr std::size_t kNameBytes = 64;  // as EnvGetString's buffer; every name here is shorter

    [[nodiscard]] const char* find_prefixed(const char* prefix, const char* name) const noexcept {
        if (source_.find_environment_value == nullptr || std::strlen(prefix) + std::strlen(name) >= kNameBytes) {
            return nullptr;
        }
        char full_name[kNameBytes];
        std::strcpy(full_name, prefix);
        std::strcat(full_name, name);
        return source_.find_environment_value(source_.context, full_name);
    }

    [[nodiscard]] const char* find_property(const char* name) const noexcept {
        return source_.find_property == nullptr ? nullptr : source_.find_property(source_.context, name);
    }

    const SettingsSource& source_;
};

std::uint32_t clamp_threshold(std::uint32_t configured) noexcept {
    if (configured == 0) {
        return 1;
    }
    return configured > kMaxThreshold ? kMaxThreshold : configured;
}

/// EEConfig::sync: multiplied unless that overflows 32 bits.
std::uint32_t multiply_delay(std::uint32_t delay_ms, std::uint32_t multiplier) noexcept {
    if (multiplier <= 1) {
        return delay_ms;
    }
    const std::uint64_t product = std::uint64_t{delay_ms} * multiplier;
    return product > kMaxValue ? delay_ms : static_cast<std::uint32_t>(product);
}

/// What EEConfig holds when tiering is off: nothing is read, EEConfig::Init's values stay.
constexpr Settings kDisabled = {.call_count_threshold = 1,
                                .call_counting_delay_ms = 0,
                                .background_worker_timeout_ms = 0,
                                .tiered_compilation = false,
                                .quick_jit = false,
                                .quick_jit_for_loops = false,
                                .tiered_pgo = false,
                                .instrument_only_hot_code = false,
                                .call_counting = false,
                                .call_counting_stubs = false,
                                .osr = false};

}  // namespace

Settings read_settings(const SettingsSource& source, std::uint32_t processor_count, std::uint32_t runtime_major) noexcept {
    // No rule differs between 8, 9, 10 and 11; the parameter is where a difference will go.
    (void)runtime_major;
    const Knobs knobs(source);
    if (!knobs.is_on("TieredCompilation", "System.Runtime.TieredCompilation", true)) {
        return kDisabled;
    }
    Settings settings;
    settings.quick_jit = knobs.is_on("TC_QuickJit", "System.Runtime.TieredCompilation.QuickJit", true);
    // Read only with quick JIT. Default 1 on x64 and arm64.
    settings.quick_jit_for_loops =
        settings.quick_jit && knobs.is_on("TC_QuickJitForLoops", "System.Runtime.TieredCompilation.QuickJitForLoops", true);
    settings.background_worker_timeout_ms = knobs.get("TC_BackgroundWorkerTimeoutMs", kDefaultWorkerTimeoutMs);
    settings.call_counting = knobs.get("TC_CallCounting", 1) != 0;
    settings.call_count_threshold =
        clamp_threshold(knobs.get("TC_CallCountThreshold", "System.Runtime.TieredCompilation.CallCountThreshold", kDefaultThreshold));
    settings.call_counting_delay_ms =
        knobs.get("TC_CallCountingDelayMs", "System.Runtime.TieredCompilation.CallCountingDelayMs", kDefaultDelayMs);
    if (processor_count == 1) {
        settings.call_counting_delay_ms =
            multiply_delay(settings.call_counting_delay_ms, knobs.get("TC_DelaySingleProcMultiplier", kDefaultSingleProcessorMultiplier));
    }
    settings.call_counting_stubs = settings.call_counting && knobs.get("TC_UseCallCountingStubs", 1) != 0;
    if (knobs.get("TC_AggressiveTiering", 0) != 0) {
        settings.call_count_threshold = 1;
        settings.call_counting_delay_ms = 0;
    }
    // Without quick JIT nothing is instrumented: TieredPGO reads as 0 in EEConfig then. Any value but 1 turns the other off.
    settings.tiered_pgo = settings.quick_jit && knobs.is_on("TieredPGO", "System.Runtime.TieredPGO", true);
    settings.instrument_only_hot_code = knobs.get("TieredPGO_InstrumentOnlyHotCode", 1) == 1;
    // A knob of the JIT (src/coreclr/jit/jitconfigvalues.h), a signed number there; patchpoints are only in tier-0 code with loops.
    settings.osr = settings.quick_jit_for_loops && static_cast<std::int32_t>(knobs.get("TC_OnStackReplacement", 1)) > 0;
    return settings;
}

}  // namespace tierup::runtime
