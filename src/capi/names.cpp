// What     Texts for the C header's enums.
// What not No formatting, no translation.
// Threads  Constants.
// Failure  A value outside its enum has the name "?".
#include "tierup/tierup.h"

const char* tierup_status_name(tierup_status status) {
    switch (status) {
        case TIERUP_OK: return "ok";
        case TIERUP_ABSENT: return "absent";
        case TIERUP_FAULTED: return "faulted";
        case TIERUP_UNSUPPORTED: return "unsupported";
        case TIERUP_UNKNOWN: return "unknown";
        case TIERUP_TIMED_OUT: return "timed out";
        case TIERUP_CANCELLED: return "cancelled";
        case TIERUP_INVALID_ARGUMENT: return "invalid argument";
        case TIERUP_EXHAUSTED: return "exhausted";
        case TIERUP_NOT_STARTED: return "not started";
    }
    return "?";
}

const char* tierup_compilation_name(tierup_compilation compilation) {
    switch (compilation) {
        case TIERUP_COLD: return "cold";
        case TIERUP_OPTIMIZING: return "optimizing";
        case TIERUP_FINAL: return "final";
        case TIERUP_UNDECIDED: return "undecided";
    }
    return "?";
}

const char* tierup_tier_name(tierup_tier tier) {
    switch (tier) {
        case TIERUP_TIER_UNKNOWN: return "unknown";
        case TIERUP_TIER_MIN_OPT: return "min-opt";
        case TIERUP_TIER_OPTIMIZED: return "optimized";
        case TIERUP_TIER_0: return "tier-0";
        case TIERUP_TIER_0_INSTRUMENTED: return "tier-0 instrumented";
        case TIERUP_TIER_READY_TO_RUN: return "ready-to-run";
        case TIERUP_TIER_1_INSTRUMENTED: return "tier-1 instrumented";
        case TIERUP_TIER_1: return "tier-1";
        case TIERUP_TIER_1_OSR: return "tier-1 OSR";
    }
    return "?";
}

namespace {

struct ReasonWords {
    tierup_reason reason;
    const char* name;
    const char* text;
};

constexpr ReasonWords kReasons[] = {
    {TIERUP_REASON_NONE, "none", "No reason was recorded."},
    {TIERUP_REASON_NEVER_CALLED, "never called", "The method has no native code yet: its first call will compile or load it."},
    {TIERUP_REASON_IN_DELAY, "in delay", "The method was called; its calls are counted only after the call-counting delay has ended."},
    {TIERUP_REASON_COUNTING, "counting", "The call counting stub is in: each call brings the next promotion nearer."},
    {TIERUP_REASON_COUNTING_AT_NEXT_CALL, "counting at next call",
     "The method has code; its next call goes through the prestub and is counted."},
    {TIERUP_REASON_COUNTING_IN_PRESTUB, "counting in prestub",
     "Calls are counted without stubs (TC_UseCallCountingStubs=0); the count is not visible."},
    {TIERUP_REASON_THRESHOLD_REACHED, "threshold reached", "Enough calls were made; the runtime has not queued the promotion yet."},
    {TIERUP_REASON_PROMOTION_PENDING, "promotion pending", "The next version is queued or being compiled in the background."},
    {TIERUP_REASON_ACTIVATING, "activating", "The next version has code; the entry point has not been switched to it yet."},
    {TIERUP_REASON_CLASS_CONSTRUCTOR, "class constructor",
     "A class constructor runs once and counts for ever: calls can't be made, so no promotion comes."},
    {TIERUP_REASON_TIER_1, "tier-1", "The method runs its tier-1 code."},
    {TIERUP_REASON_OPTIMIZED_AT_ONCE, "optimized at once",
     "The method was compiled with optimization at its first call and is not compiled again."},
    {TIERUP_REASON_MIN_OPT, "min-opt",
     "The method was compiled without optimization (NoOptimization, a debug build) and is not compiled again."},
    {TIERUP_REASON_NOT_ELIGIBLE, "not eligible", "The runtime does not tier this method."},
    {TIERUP_REASON_NOT_IL, "not IL", "A P/Invoke, internal call, delegate Invoke or array accessor: there is no IL body to tier."},
    {TIERUP_REASON_COLLECTIBLE, "collectible", "The method belongs to a collectible load context: the runtime does not tier such code."},
    {TIERUP_REASON_DYNAMIC_METHOD, "dynamic method", "A DynamicMethod is compiled with optimization at once."},
    {TIERUP_REASON_TIERING_DISABLED, "tiering disabled", "Tiered compilation is off in this process (TieredCompilation=0)."},
    {TIERUP_REASON_CALL_COUNTING_DISABLED, "call counting disabled",
     "Call counting is off in this process (TC_CallCounting=0): nothing is promoted."},
    {TIERUP_REASON_PROMOTION_ABANDONED, "promotion abandoned",
     "A later version was compiled and never activated, as the runtime does with very large methods."},
    {TIERUP_REASON_NO_DAC, "no data access library", "The runtime's data access library is missing and memory alone can't tell."},
    {TIERUP_REASON_DAC_FAILED, "data access failed", "The runtime's data access library gave no whole answer in any of the bounded tries."},
    {TIERUP_REASON_CODE_NOT_LISTED, "code not listed",
     "The entry point leads to code that is no version of this method; a profiler may have rewritten it."},
    {TIERUP_REASON_SHAPE_UNKNOWN, "shape unknown", "The entry point leads through a stub whose shape is not known."},
    {TIERUP_REASON_MEMORY_CHANGED, "memory changed", "The method's entry point could not be read, or kept changing while it was read."},
    {TIERUP_REASON_RUNTIME_ASYNC, "runtime-async", "The handle is a runtime-async thunk and the method behind it could not be found."},
    {TIERUP_REASON_RUNTIME_UNSUPPORTED, "runtime unsupported",
     "This process has no runtime that can be watched; the capabilities say why."},
};

constexpr ReasonWords kUnknownReason = {TIERUP_REASON_NONE, "?", "?"};

const ReasonWords& find_words(tierup_reason reason) {
    for (const ReasonWords& words : kReasons) {
        if (words.reason == reason) {
            return words;
        }
    }
    return kUnknownReason;
}

}  // namespace

const char* tierup_reason_name(tierup_reason reason) {
    return find_words(reason).name;
}

const char* tierup_reason_text(tierup_reason reason) {
    return find_words(reason).text;
}
