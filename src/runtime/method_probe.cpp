#include "runtime/method_probe.h"

namespace tierup::runtime {
namespace {

/// While the entry point leads to the same unfinished code, only an abandoned promotion can end the wait, and only the DAC can tell:
/// ask it this often. Every other end moves the entry point, which each evaluation looks at.
constexpr std::uint64_t kFullLookIntervalNs = 20'000'000;

void remember(MethodRecord& record, Address code, std::uint64_t now_ns, const Answer& answer) noexcept {
    record.looked_answer.store(pack(answer), std::memory_order_relaxed);
    record.looked_at_ns.store(now_ns, std::memory_order_relaxed);
    record.looked_at_code.store(code.value(), std::memory_order_relaxed);
}

/// The last full look's answer, if it was recent and at the same code. Race: two threads write their looks at once and the three hints are
/// then of different looks. Window: as long as they stand. Harmless because the caller uses a recalled answer only to stay pending, and
/// looks in full again after kFullLookIntervalNs. Test: mixed_hints_never_end_a_wait (tests/unit/method_probe_test.cpp).
[[nodiscard]] bool recall(MethodRecord& record, Address code, std::uint64_t now_ns, Answer& answer) noexcept {
    if (code.value() == record.looked_at_code.load(std::memory_order_relaxed)) {
        answer = unpack(record.looked_answer.load(std::memory_order_relaxed));
        return now_ns - record.looked_at_ns.load(std::memory_order_relaxed) < kFullLookIntervalNs;
    }
    if (code.value() != record.counted_code.load(std::memory_order_relaxed)) {
        return false;
    }
    // Counted under a stub a moment ago and reached directly now: counted out, its successor is on the way. No need to ask the DAC yet.
    answer = {.compilation = Compilation::optimizing, .reason = Reason::promotion_pending};
    remember(record, code, now_ns, answer);
    return true;
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
        case Reason::activating:
            return watch::Verdict::pending;
        default:
            return watch::Verdict::satisfied;
    }
}

watch::Pace pace_of(const Answer& answer) noexcept {
    switch (answer.reason) {
        case Reason::threshold_reached:
        case Reason::promotion_pending:
        case Reason::activating:
            return watch::Pace::imminent;
        default:
            return watch::Pace::distant;
    }
}

watch::Evaluation MethodProbe::evaluate(std::uint64_t subject, std::uint32_t condition) noexcept {
    auto& record = *reinterpret_cast<MethodRecord*>(subject);
    const std::uint64_t now_ns = clock_.now_ns();
    const EntryState entry = view_.look_at_entry(subject_of(record));
    if (entry.kind == EntryKind::code) {
        Answer answer;
        if (recall(record, entry.code, now_ns, answer) && judge(answer, static_cast<Condition>(condition)) == watch::Verdict::pending) {
            return {.verdict = watch::Verdict::pending, .pace = pace_of(answer), .answer = pack(answer)};
        }
    }
    const Resolution resolution = view_.resolve(subject_of(record), nullptr);
    const bool can_be_recalled = resolution.entry.kind == EntryKind::code && resolution.answer.compilation == Compilation::optimizing;
    remember(record, can_be_recalled ? resolution.entry.code : Address(), now_ns, resolution.answer);
    return {.verdict = judge(resolution.answer, static_cast<Condition>(condition)),
            .pace = pace_of(resolution.answer),
            .answer = pack(resolution.answer)};
}

}  // namespace tierup::runtime
