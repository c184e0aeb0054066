// What     The tiering settings that are in force, read from the environment and the runtime properties as the runtime reads them itself.
// What not Not what a profiler or a debugger changes later, and not JITMinOpts: those show in each method.
// Threads  A pure function of its source; the source's functions are called on the caller's thread.
// Failure  None: what the runtime would ignore is ignored, its default taken.
// Source   dotnet/runtime, src/coreclr/vm/eeconfig.cpp and utilcode/clrconfig.cpp; rule by rule in settings.cpp.
#pragma once

#include <cstdint>

namespace tierup::runtime {

/// The fields of tierup_settings, without the size.
struct Settings {
    std::uint32_t call_count_threshold = 30;
    std::uint32_t call_counting_delay_ms = 100;  ///< 0: no delay. Already multiplied on a single processor.
    std::uint32_t background_worker_timeout_ms = 4000;
    bool tiered_compilation = true;
    bool quick_jit = true;
    bool quick_jit_for_loops = true;
    bool tiered_pgo = true;
    bool instrument_only_hot_code = true;
    bool call_counting = true;
    bool call_counting_stubs = true;
    bool osr = true;

    friend bool operator==(const Settings&, const Settings&) noexcept = default;
};

/// Where settings come from. Each function returns null where there is no such name; the text must stay valid during read_settings.
struct SettingsSource {
    const char* (*find_environment_value)(const void* context, const char* full_name) noexcept = nullptr;
    const char* (*find_property)(const void* context, const char* name) noexcept = nullptr;
    const void* context = nullptr;
};

[[nodiscard]] Settings read_settings(const SettingsSource& source, std::uint32_t processor_count, std::uint32_t runtime_major) noexcept;

}  // namespace tierup::runtime
