#include "runtime/decide.h"

#include "runtime/method_kind.h"

namespace tierup::runtime {
namespace {

[[nodiscard]] constexpr Answer final_because(Reason reason, Tier tier = Tier::unknown) noexcept {
    return {.compilation = Compilation::final, .reason = reason, .tier = tier};
}

[[nodiscard]] constexpr Answer undecided_because(Reason reason) noexcept {
    return {.compilation = Compilation::undecided, .reason = reason};
}

[[nodiscard]] constexpr Answer cold() noexcept {
    return {.compilation = Compilation::cold, .reason = Reason::never_called, .remaining_calls = 1};
}

[[nodiscard]] constexpr Answer optimizing(Reason reason, Tier tier, std::uint32_t remaining_calls, bool is_exact = true) noexcept {
    return {.compilation = Compilation::optimizing,
            .reason = reason,
            .tier = tier,
            .remaining_calls = remaining_calls,
            .remaining_is_exact = is_exact};
}

/// Where a version stands on the ladder: two versions of equal rank do not follow each other.
[[nodiscard]] constexpr int rank_of(Tier tier) noexcept {
    switch (tier) {
        case Tier::tier0:
        case Tier::ready_to_run: return 1;
        case Tier::tier0_instrumented:
        case Tier::tier1_instrumented: return 2;
        case Tier::tier1:
        case Tier::optimized:
        case Tier::min_opt: return 3;
        case Tier::tier1_osr:  // a body of the same version, entered from inside a loop
        case Tier::unknown: break;
    }
    return 0;
}

[[nodiscard]] const CodeVersion* find_version(const CodeVersionList& versions, Address code) noexcept {
    for (const CodeVersion& version : versions) {
        if (version.code == code && version.tier != Tier::tier1_osr) {
            return &version;
        }
    }
    return nullptr;
}

/// Tier of the code that calls run: of the version that the entry point leads to, or of the only one that has code.
[[nodiscard]] Tier tier_of_active_code(const MethodFacts& facts) noexcept {
    if (facts.versions == nullptr) {
        return Tier::unknown;
    }
    if (const CodeVersion* version = find_version(*facts.versions, facts.entry.code); version != nullptr && !facts.entry.code.is_null()) {
        return version->tier;
    }
    const CodeVersion* only = nullptr;
    for (const CodeVersion& version : *facts.versions) {
        if (!version.code.is_null()) {
            if (only != nullptr) {
                return Tier::unknown;
            }
            only = &version;
        }
    }
    return only == nullptr ? Tier::unknown : only->tier;
}

struct LaterVersions {
    bool without_code = false;
    bool with_code = false;
};

[[nodiscard]] LaterVersions find_later_versions(const CodeVersionList& versions, int rank) noexcept {
    LaterVersions later;
    for (const CodeVersion& version : versions) {
        if (rank_of(version.tier) > rank) {
            (version.code.is_null() ? later.without_code : later.with_code) = true;
        }
    }
    return later;
}

[[nodiscard]] Answer missing_versions(const MethodFacts& facts) noexcept {
    return facts.no_versions_because == Reason::none ? ask_to_resolve() : undecided_because(facts.no_versions_because);
}

[[nodiscard]] Answer decide_counting(const MethodFacts& facts, const Settings& settings) noexcept {
    const EntryState& entry = facts.entry;
    const CodeVersion* version = facts.versions == nullptr ? nullptr : find_version(*facts.versions, entry.code);
    const Tier tier = version == nullptr ? Tier::unknown : version->tier;
    if (entry.stage == CountingStage::pending_completion) {
        return optimizing(Reason::threshold_reached, tier, 0);
    }
    if (entry.stage == CountingStage::complete) {
        return optimizing(Reason::promotion_pending, tier, 0);
    }
    // Race: between a thread's last decrement (0, or with several threads below it) and the stage byte.
    // Window: the few instructions from the stub's jump to OnCallCountThresholdReached setting the stage.
    // Harmless because a count above the threshold can only be one that wrapped below zero.
    // Test: counting_stub_with_cell_wrapped_below_zero_reads_as_reached (tests/unit/decide_test.cpp).
    if (entry.remaining_calls == 0 || entry.remaining_calls > settings.call_count_threshold) {
        return optimizing(Reason::threshold_reached, tier, 0);
    }
    if ((facts.kinds & kind_class_constructor) != 0) {
        return optimizing(Reason::class_constructor, tier, entry.remaining_calls);
    }
    // Race: a virtual method's entry point slots are switched to the stub one after the other; the stage is set when all of them are.
    // Window: a few stores under the runtime's lock, or as long as that thread is off its processor.
    // Harmless because the method is not told to be counting before: calls through a slot not yet switched would not count.
    // Test: counting_stub_at_stage_zero_is_still_being_installed (tests/unit/decide_test.cpp); seen on 10.0.12 as a step of 29.
    if (entry.stage == CountingStage::not_active) {
        return optimizing(Reason::activating, tier, entry.remaining_calls);
    }
    return optimizing(Reason::counting, tier, entry.remaining_calls);
}

[[nodiscard]] Answer final_by_tier(Tier tier) noexcept {
    switch (tier) {
        case Tier::tier1: return final_because(Reason::tier_1, tier);
        case Tier::optimized: return final_because(Reason::optimized_at_once, tier);
        default: return final_because(Reason::min_opt, tier);
    }
}

[[nodiscard]] Answer decide_code(const MethodFacts& facts, const Settings& settings) noexcept {
    const Address code = facts.entry.code;
    if (facts.versions == nullptr) {
        if (code == facts.counted_code && facts.no_versions_because != Reason::none) {
            // Counted out under our eyes and not yet replaced: without a version list an abandoned promotion looks the same.
            return undecided_because(facts.no_versions_because);
        }
        return settings.call_counting ? missing_versions(facts) : final_because(Reason::call_counting_disabled);
    }
    const CodeVersion* version = find_version(*facts.versions, code);
    if (version == nullptr) {
        return undecided_because(Reason::code_not_listed);
    }
    if (is_last_tier(version->tier)) {
        return final_by_tier(version->tier);
    }
    if (version->tier == Tier::unknown) {
        return undecided_because(Reason::code_not_listed);
    }
    if (!settings.call_counting) {
        return final_because(Reason::call_counting_disabled, version->tier);
    }
    const LaterVersions later = find_later_versions(*facts.versions, rank_of(version->tier));
    if (later.without_code) {
        return optimizing(Reason::promotion_pending, version->tier, 0);
    }
    if (later.with_code) {
        // A worker that has code in hand activates it before it ends; so with no worker the promotion was given up.
        return facts.worker_is_running == Truth::no ? final_because(Reason::promotion_abandoned, version->tier)
                                                    : optimizing(Reason::activating, version->tier, 0);
    }
    if ((facts.kinds & kind_class_constructor) != 0) {
        return optimizing(Reason::class_constructor, version->tier, settings.call_count_threshold, false);
    }
    if (code == facts.counted_code || settings.call_counting_delay_ms == 0) {
        return optimizing(Reason::promotion_pending, version->tier, 0);
    }
    // Without stubs a call during a later delay sends a partly counted method back here, and its count can't be seen.
    return optimizing(Reason::in_delay, version->tier, settings.call_count_threshold, settings.call_counting_stubs);
}

/// The method has code and its next call goes through the prestub: a ready state, not a cold one.
[[nodiscard]] Answer decide_prestub(const MethodFacts& facts, const Settings& settings) noexcept {
    if (!settings.call_counting) {
        return final_because(Reason::call_counting_disabled);
    }
    if (facts.versions != nullptr) {
        const LaterVersions later = find_later_versions(*facts.versions, rank_of(Tier::tier1_instrumented));
        if (later.with_code && !later.without_code) {
            return facts.worker_is_running == Truth::no ? final_because(Reason::tier_1) : optimizing(Reason::activating, Tier::unknown, 0);
        }
    }
    if ((facts.kinds & kind_class_constructor) != 0) {
        return optimizing(Reason::class_constructor, Tier::unknown, settings.call_count_threshold, false);
    }
    if (!settings.call_counting_stubs) {
        return optimizing(Reason::counting_in_prestub, Tier::unknown, settings.call_count_threshold, false);
    }
    if (facts.remembered_cell_is_valid == Truth::yes) {
        // After a deletion the next call counts twice: once in the prestub, once in the stub that it installs.
        const std::uint32_t left = facts.remembered_remaining > 1 ? facts.remembered_remaining - 1u : 1u;
        return optimizing(Reason::counting_at_next_call, Tier::unknown, left);
    }
    if (facts.remembered_cell_is_valid == Truth::not_known) {
        return ask_to_resolve();
    }
    return optimizing(Reason::counting_at_next_call, Tier::unknown, settings.call_count_threshold, settings.call_counting_delay_ms == 0);
}

}  // namespace

Answer decide(const MethodFacts& facts, const Settings& settings) noexcept {
    if ((facts.kinds & kind_not_il) != 0) {
        return final_because(Reason::not_il);
    }
    EntryKind entry = facts.entry.kind;
    if (entry == EntryKind::inside_runtime) {
        entry = EntryKind::prestub;  // an IL method's stub precode that was never called
    }
    if (entry == EntryKind::unreadable) {
        return facts.no_versions_because == Reason::none ? ask_to_resolve() : undecided_because(Reason::memory_changed);
    }
    if (entry == EntryKind::unknown) {
        return undecided_because(Reason::shape_unknown);
    }
    if (entry == EntryKind::prestub && facts.has_code != Truth::yes) {
        return facts.has_code == Truth::no ? cold() : missing_versions(facts);
    }
    if ((facts.kinds & kind_dynamic) != 0) {
        return final_because(Reason::dynamic_method, tier_of_active_code(facts));
    }
    if ((facts.kinds & kind_collectible) != 0) {
        return final_because(Reason::collectible, tier_of_active_code(facts));
    }
    if (!facts.is_eligible) {
        if ((facts.kinds & kind_runtime_async) != 0) {
            return undecided_because(Reason::runtime_async);
        }
        return final_because(settings.tiered_compilation ? Reason::not_eligible : Reason::tiering_disabled, tier_of_active_code(facts));
    }
    switch (entry) {
        case EntryKind::counting: return decide_counting(facts, settings);
        case EntryKind::code: return decide_code(facts, settings);
        default: return decide_prestub(facts, settings);
    }
}

}  // namespace tierup::runtime
