#include "runtime/method_probe.h"

#include <algorithm>

namespace tierup::runtime {
namespace {

/// While the entry point leads to the same unfinished code, only an abandoned promotion can end the wait, and only the DAC can tell:
/// ask it this often. Every other end moves the entry point, which each evaluation looks at.
constexpr std::uint64_t kFullLookIntervalNs = 20'000'000;
/// Where the DAC is slow (.NET 9: milliseconds a query), ask it so rarely that asking takes at most this part of the time.
constexpr std::uint64_t kFullLookShare = 25;
/// A listing that costs more than switching the events on and off (.NET 9: 11 to 22 ms against some 0.1 ms).
constexpr std::uint64_t kDearListingNs = 1'000'000;

void remember(MethodRecord& record, std::uint64_t first_target, std::uint64_t now_ns, const Answer& answer) noexcept {
    record.looked_answer.store(pack(answer), std::memory_order_relaxed);
    record.looked_at_ns.store(now_ns, std::memory_order_relaxed);
    record.looked_at_target.store(first_target, std::memory_order_relaxed);
}

/// Stays pending without a full look where the first slot holds what it held at the last one, a short while ago.
/// Race: two threads write their looks at once, and the three hints are then of different looks. Window: as long as they stand.
/// Harmless because what is recalled is used only to stay pending, and a full look follows after the interval.
/// Test: mixed_hints_never_end_a_wait (tests/unit/method_probe_test.cpp).
[[nodiscard]] bool recall(MethodRecord& record, std::uint64_t first_target, std::uint64_t now_ns, std::uint64_t look_cost_ns,
                          Answer& answer) noexcept {
    if (first_target == record.looked_at_target.load(std::memory_order_relaxed)) {
        answer = unpack(record.looked_answer.load(std::memory_order_relaxed));
        const std::uint64_t interval_ns = std::max(kFullLookIntervalNs, kFullLookShare * look_cost_ns);
        return now_ns - record.looked_at_ns.load(std::memory_order_relaxed) < interval_ns;
    }
    if (first_target != record.counted_code.load(std::memory_order_relaxed)) {
        return false;
    }
    // Counted under a stub a moment ago and reached directly now: counted out, its successor is on the way. No need to ask the DAC yet.
    answer = {.compilation = Compilation::optimizing, .reason = Reason::promotion_pending};
    remember(record, first_target, now_ns, answer);
    return true;
}

/// A look can be recalled by the first slot alone if that slot led straight to the code or stub: behind a forwarder (virtual methods) the
/// place could change and the first slot would not.
[[nodiscard]] std::uint64_t recallable_target(const MethodRecord& record, const EntryState& entry) noexcept {
    if (entry.slot != record.start.first_slot) {
        return 0;
    }
    return entry.kind == EntryKind::code ? entry.code.value() : entry.kind == EntryKind::counting ? entry.stub.value() : 0;
}

}  // namespace

watch::Verdict judge(const Answer& answer, Condition condition) noexcept {
    if (answer.compilation == Compilation::undecided) {
        return watch::Verdict::undecidable;
    }
    if (answer.compilation == Compilation::final) {
        return watch::Verdict::satisfied;
    }
    if (condition == Condition::final) {
        return watch::Verdict::pending;
    }
    switch (answer.reason) {
        case Reason::in_delay:
        case Reason::threshold_reached:
        case Reason::promotion_pending:
        case Reason::activating: return watch::Verdict::pending;
        default: return watch::Verdict::satisfied;
    }
}

watch::Pace pace_of(const Answer& answer) noexcept {
    switch (answer.reason) {
        case Reason::threshold_reached:
        case Reason::promotion_pending:
        case Reason::activating: return watch::Pace::imminent;
        default: return watch::Pace::distant;
    }
}

watch::Pace MethodProbe::pace(const MethodRecord& record, const Answer& answer, std::uint64_t entry_code) const noexcept {
    if (hub_ == nullptr || !hub_->are_loads_on()) {
        return pace_of(answer);
    }
    if (answer.reason == Reason::activating) {
        return watch::Pace::imminent;  // the load event has been, the switch has no event
    }
    const Address loaded = unpack_loaded(record.loaded.load(std::memory_order_seq_cst)).code;  // partner: see evaluate
    const bool is_next_code_made = answer.reason == Reason::promotion_pending && !loaded.is_null() && loaded.value() != entry_code;
    return is_next_code_made ? watch::Pace::imminent : watch::Pace::distant;
}

void MethodProbe::see_promotion(const Answer& answer, std::uint64_t now_ns) noexcept {
    if (hub_ != nullptr && (answer.reason == Reason::promotion_pending || answer.reason == Reason::threshold_reached)) {
        hub_->see_promotion_wait(now_ns, view_.listing_cost_ns() > kDearListingNs);
    }
}

std::uint32_t MethodProbe::news(std::uint64_t subject, std::uint32_t) noexcept {
    if (hub_ == nullptr) {
        return watch::kNewsNotCounted;
    }
    const auto& record = *reinterpret_cast<const MethodRecord*>(subject);
    const auto delays_ended = static_cast<std::uint32_t>(hub_->board().delays_ended());
    return (record.news.load(std::memory_order_acquire) + delays_ended) << 1 |
           1;  // partner: SignalHub::mark_loaded. Odd: never "not counted"
}

// Race     The load event of the next code comes while a waiter looks; the entry point is switched after the event, and no event says so.
// Window   From the event's callback to the switch, a few microseconds.
// Harmless The waiter writes "waited for" and then reads what was loaded; the callback writes what was loaded and then reads "waited for", all
//          seq_cst. Either the callback rings, or the waiter sees the new code and looks again after a short pause.
// Test     watcher_model_test: no_wakeup_is_lost; the differential of the runtime matrix.
watch::Evaluation MethodProbe::evaluate(std::uint64_t subject, std::uint32_t condition) noexcept {
    auto& record = *reinterpret_cast<MethodRecord*>(subject);
    if (!record.is_waited_for.load(std::memory_order_relaxed)) {
        record.is_waited_for.store(true, std::memory_order_seq_cst);  // partner: the load in SignalHub::mark_loaded
    }
    const std::uint64_t now_ns = clock_.now_ns();
    std::uint64_t first_target = 0;
    if (view_.try_read_first_target(record, first_target) && first_target != 0) {
        // The runtime's own event has named this code as tier-1 code, and the entry point leads to it: nothing is left to ask.
        const LoadedCode loaded = unpack_loaded(record.loaded.load(std::memory_order_relaxed));
        if (loaded.tier == Tier::tier1 && loaded.code.value() == first_target) {
            return {.verdict = watch::Verdict::satisfied,
                    .pace = watch::Pace::distant,
                    .answer = pack(Answer{.compilation = Compilation::final, .reason = Reason::tier_1, .tier = Tier::tier1})};
        }
        Answer answer;
        if (recall(record, first_target, now_ns, view_.listing_cost_ns(), answer) &&
            judge(answer, Condition::final_or_counting) == watch::Verdict::pending) {
            see_promotion(answer, now_ns);
            return {.verdict = watch::Verdict::pending, .pace = pace(record, answer, first_target), .answer = pack(answer)};
        }
    }
    const Resolution resolution = view_.resolve(subject_of(record), nullptr);
    see_promotion(resolution.answer, now_ns);
    const bool is_waited_for = judge(resolution.answer, Condition::final_or_counting) == watch::Verdict::pending;
    remember(record, is_waited_for ? recallable_target(record, resolution.entry) : 0, now_ns, resolution.answer);
    return {.verdict = judge(resolution.answer, static_cast<Condition>(condition)),
            .pace = pace(record, resolution.answer, resolution.entry.code.value()),
            .answer = pack(resolution.answer)};
}

}  // namespace tierup::runtime
