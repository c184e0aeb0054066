#include "runtime/method_view.h"

#include "os/clock.h"
#include "os/thread.h"
#include "runtime/loads.h"
#include "runtime/method_desc.h"
#include "runtime/method_kind.h"

namespace tierup::runtime {
namespace {

/// A chain or version list that is in motion settles within microseconds; after this many looks we say that it did not.
constexpr int kMaxLooks = 16;

void remember(std::atomic<std::uint64_t>& hint, Address value) noexcept {
    if (hint.load(std::memory_order_relaxed) != value.value()) {  // a poll of many threads keeps the line shared
        hint.store(value.value(), std::memory_order_relaxed);
    }
}

[[nodiscard]] bool settles(const Answer& answer, const EntryState& entry) noexcept {
    return answer.compilation == Compilation::final && entry.kind == EntryKind::code;
}

[[nodiscard]] constexpr bool leads_to_same_place(const EntryState& a, const EntryState& b) noexcept {
    return a.kind == b.kind && a.code == b.code && a.stub == b.stub && a.stage == b.stage;
}

[[nodiscard]] constexpr bool may_pass(Reason reason) noexcept {
    return reason == Reason::memory_changed || reason == Reason::code_not_listed || reason == Reason::dac_failed;
}

}  // namespace

MethodSubject subject_of(MethodRecord& record) noexcept {
    return {.real_method = record.real_method,
            .start = record.start,
            .native_code_slot = record.native_code_slot,
            .kinds = record.kinds,
            .record = &record};
}

void MethodView::remember_counting(MethodRecord* record, const EntryState& entry) const noexcept {
    if (record != nullptr && entry.kind == EntryKind::counting) {
        remember(record->counted_code, entry.code);
        remember(record->counted_cell, entry.cell);
        around_.counted_cell.see(entry.cell);
    }
}

MethodFacts MethodView::look_plainly(MethodRecord& record) const noexcept {
    MethodFacts facts;
    facts.kinds = record.kinds;
    facts.entry = walk_entry(PlainLoads{}, place_, record.start, Address(record.settled_code.load(std::memory_order_relaxed)));
    facts.is_eligible = MethodDescHead{.flags3_and_token = memory::load_plain<std::uint16_t>(record.real_method)}.is_eligible_for_tiering();
    facts.counted_code = Address(record.counted_code.load(std::memory_order_relaxed));
    facts.remembered_cell_is_valid = record.counted_cell.load(std::memory_order_relaxed) == 0 ? Truth::no : Truth::not_known;
    if (facts.entry.kind != EntryKind::prestub && facts.entry.kind != EntryKind::inside_runtime) {
        facts.has_code = Truth::yes;
    } else if (!record.native_code_slot.is_null()) {
        facts.has_code = memory::load_plain<std::uint64_t>(record.native_code_slot) == 0 ? Truth::no : Truth::yes;
    }
    remember_counting(&record, facts.entry);
    return facts;
}

std::uint64_t MethodView::poll(MethodRecord& record) const noexcept {
    const Address settled(record.settled_code.load(std::memory_order_acquire));  // partner: the release store in resolve
    if (!settled.is_null() && !record.start.first_slot.is_null() &&
        memory::load_plain<std::uint64_t>(record.start.first_slot) == settled.value()) {
        return record.settled_answer.load(std::memory_order_relaxed);
    }
    const MethodFacts facts = look_plainly(record);
    if (facts.entry.kind == EntryKind::code && facts.entry.code == settled) {
        return record.settled_answer.load(std::memory_order_relaxed);
    }
    return pack(decide(facts, settings_));
}

std::uint64_t MethodView::glance(MethodRecord& record) const noexcept {
    const MethodFacts facts = look_plainly(record);
    if (facts.entry.kind == EntryKind::code && facts.entry.code == facts.counted_code && facts.is_eligible) {
        // Nobody asks the DAC here: it reads while the compiler maps memory, and both were seen to take twice as long for it.
        return pack({.compilation = Compilation::optimizing, .reason = Reason::promotion_pending});
    }
    return pack(decide(facts, settings_));
}

EntryState MethodView::look_at_entry(const MethodSubject& subject) const noexcept {
    const Address settled(subject.record == nullptr ? 0 : subject.record->settled_code.load(std::memory_order_relaxed));
    const EntryState entry = walk_entry(CheckedLoads{reader_}, place_, subject.start, settled);
    remember_counting(subject.record, entry);
    return entry;
}

Truth MethodView::has_code(const MethodSubject& subject) const noexcept {
    if (!subject.native_code_slot.is_null()) {
        std::uint64_t code = 0;
        if (reader_.try_read_value(subject.native_code_slot, code) != Status::ok) {
            return Truth::not_known;
        }
        return code == 0 ? Truth::no : Truth::yes;
    }
    clr::MethodDescription description;
    if (data_access_.describe_method(subject.real_method, description) != Status::ok) {
        return Truth::not_known;
    }
    return description.has_native_code ? Truth::yes : Truth::no;
}

void MethodView::recall_deleted_stub(const MethodSubject& subject, MethodFacts& facts) const noexcept {
    facts.remembered_cell_is_valid = Truth::no;
    if (subject.record == nullptr || facts.entry.kind != EntryKind::prestub) {
        return;
    }
    const Address cell(subject.record->counted_cell.load(std::memory_order_relaxed));
    if (cell.is_null()) {
        return;
    }
    // Race: a cell at stage 3 is freed when its stub is deleted, and its memory can become another record.
    // Window: from that deletion on, for ever.
    // Harmless because the record must name this method's version again, have no stub, and be at stage 0; else nothing is recalled.
    // Test: freed_cell_is_not_trusted (tests/unit/method_view_test.cpp).
    std::uint64_t record[3];
    if (reader_.try_read_value(cell.plus(kRecordFromCellBytes), record) != Status::ok) {
        return;
    }
    // m_codeVersion names the method descriptor for the first version, else the version's node.
    const Address version(record[0]);
    bool names_this_method = version == subject.real_method;
    for (std::uint32_t i = 0; facts.versions != nullptr && !names_this_method && i < facts.versions->count; ++i) {
        names_this_method = !version.is_null() && facts.versions->items[i].node == version;
    }
    const auto stage = static_cast<std::uint8_t>(record[2] >> kStageShiftBits);
    if (names_this_method && record[1] == 0 && stage == static_cast<std::uint8_t>(CountingStage::not_active)) {
        facts.remembered_remaining = static_cast<std::uint16_t>(record[2]);
        facts.remembered_cell_is_valid = Truth::yes;
    }
}

/// The runtime's own load event has named this code and a last tier: nothing that a list could add would change the answer.
bool MethodView::knows_last_tier(const MethodSubject& subject, Address code, CodeVersionList& versions) noexcept {
    if (subject.record == nullptr) {
        return false;
    }
    const LoadedCode loaded = unpack_loaded(subject.record->loaded.load(std::memory_order_relaxed));
    if (loaded.code != code || !is_last_tier(loaded.tier)) {
        return false;
    }
    versions = {};
    versions.items[0] = {.code = code, .node = {}, .tier = loaded.tier};
    versions.count = 1;
    return true;
}

bool MethodView::gather_versions(const MethodSubject& subject, bool must_be_fresh, MethodFacts& facts,
                                 CodeVersionList& versions) const noexcept {
    facts.versions = nullptr;
    if (!must_be_fresh && facts.entry.kind == EntryKind::code && knows_last_tier(subject, facts.entry.code, versions)) {
        facts.versions = &versions;
        return false;
    }
    if (!data_access_.is_available()) {
        facts.no_versions_because = Reason::no_dac;
        return false;
    }
    const bool may_be_cached = !must_be_fresh && facts.entry.kind == EntryKind::code && (subject.kinds & kKindsThatUnload) == 0;
    bool is_remembered = false;
    const std::uint64_t began_ns = os::monotonic_now_ns();
    const Status status = may_be_cached
                              ? data_access_.list_versions_with_code(subject.real_method, facts.entry.code, versions, is_remembered)
                              : data_access_.list_versions(subject.real_method, versions);
    if (!is_remembered) {
        listing_cost_ns_.store(os::monotonic_now_ns() - began_ns, std::memory_order_relaxed);
    }
    if (status == Status::ok) {
        facts.versions = &versions;
    } else {
        facts.no_versions_because = Reason::dac_failed;
    }
    return is_remembered;
}

struct MethodView::Look {
    Answer answer;
    EntryState entry;
    bool asked_elsewhere = false;  ///< Time passed since the walk: versions or threads were asked for.
};

MethodView::Look MethodView::look(const MethodSubject& subject, bool must_be_fresh, bool wants_versions,
                                  CodeVersionList& versions) const noexcept {
    Look result;
    MethodFacts facts;
    MethodDescHead head;
    versions.count = 0;
    facts.kinds = subject.kinds;
    facts.entry = result.entry = look_at_entry(subject);
    if (facts.entry.kind == EntryKind::unreadable || reader_.try_read_value(subject.real_method, head) != Status::ok) {
        result.answer = {.reason = Reason::memory_changed};
        return result;
    }
    const bool is_unprepared = facts.entry.kind == EntryKind::prestub || facts.entry.kind == EntryKind::inside_runtime;
    facts.is_eligible = head.is_eligible_for_tiering();
    facts.has_code = is_unprepared ? has_code(subject) : Truth::yes;
    facts.counted_code = Address(subject.record == nullptr ? 0 : subject.record->counted_code.load(std::memory_order_relaxed));
    bool is_remembered = false;
    const bool needs_versions = facts.entry.kind == EntryKind::code;
    // Behind the prestub versions matter only to a method whose stub was seen before: its cell may be recalled, or its promotion be over.
    const bool was_counted = subject.record == nullptr || subject.record->counted_cell.load(std::memory_order_relaxed) != 0;
    if (wants_versions || needs_versions || (is_unprepared && facts.has_code == Truth::yes && was_counted)) {
        is_remembered = gather_versions(subject, wants_versions || must_be_fresh, facts, versions);
        result.asked_elsewhere = true;
    } else {
        facts.no_versions_because = data_access_.is_available() ? Reason::dac_failed : Reason::no_dac;
    }
    recall_deleted_stub(subject, facts);
    result.answer = decide(facts, settings_);
    if (is_remembered && result.answer.compilation == Compilation::optimizing) {
        // The remembered list told the tier, which never changes; what comes after that tier may be newer than the list.
        (void)gather_versions(subject, true, facts, versions);
        result.answer = decide(facts, settings_);
    }
    if (result.answer.reason == Reason::activating) {
        facts.worker_is_running = around_.worker.is_at_work();
        result.answer = decide(facts, settings_);
    }
    return result;
}

bool MethodView::still_leads_to(const MethodSubject& subject, const EntryState& entry) const noexcept {
    if (entry.kind == EntryKind::code && !entry.slot.is_null() && entry.slot == subject.start.first_slot) {
        std::uint64_t target = 0;  // straight to code: one word tells
        return reader_.try_read_value(entry.slot, target) == Status::ok && Address(target) == entry.code;
    }
    return leads_to_same_place(look_at_entry(subject), entry);
}

Resolution MethodView::resolve(const MethodSubject& subject, CodeVersionList* versions) const noexcept {
    CodeVersionList own_versions;
    Resolution resolution;
    bool must_be_fresh = false;
    for (int looks = 0; looks < kMaxLooks; ++looks) {
        if (looks > 1) {
            os::yield_processor();
        }
        const Look seen = look(subject, must_be_fresh, versions != nullptr, versions == nullptr ? own_versions : *versions);
        resolution.answer = seen.answer;
        resolution.entry = seen.entry;
        // Race: the entry point moves on while versions and worker are asked for (publication, activation, stub installation).
        // Window: from look's first step to here.
        // Harmless because an answer counts only if the entry point still leads to the same place.
        // Test: entry_that_moves_while_versions_are_listed_is_looked_at_again (tests/unit/method_view_test.cpp).
        if (seen.asked_elsewhere && !still_leads_to(subject, seen.entry)) {
            resolution.answer = {.reason = Reason::memory_changed};
            continue;
        }
        if (may_pass(resolution.answer.reason)) {
            must_be_fresh = true;
            continue;
        }
        if (subject.record != nullptr && resolution.entry.kind == EntryKind::code &&
            resolution.entry.code.value() == subject.record->settled_code.load(std::memory_order_acquire)) {
            resolution.answer = unpack(subject.record->settled_answer.load(std::memory_order_relaxed));  // what was settled stays so
        } else if (subject.record != nullptr && settles(resolution.answer, resolution.entry)) {
            subject.record->settled_answer.store(pack(resolution.answer), std::memory_order_relaxed);
            subject.record->settled_code.store(resolution.entry.code.value(), std::memory_order_release);  // partner: the load in poll
        }
        break;
    }
    if (resolution.answer.compilation == Compilation::undecided && resolution.entry.kind == EntryKind::code) {
        (void)reader_.try_read(resolution.entry.code, resolution.unknown_bytes.data(), resolution.unknown_bytes.size());
    }
    return resolution;
}

bool MethodView::try_read_first_target(const MethodRecord& record, std::uint64_t& target) const noexcept {
    return !record.start.first_slot.is_null() && reader_.try_read_value(record.start.first_slot, target) == Status::ok;
}

Status MethodView::find_start(Address entry_point, Address real_method, WalkStart& start) const noexcept {
    start = {.entry_point = entry_point};
    std::uint8_t window[decode::kWindowBytes];
    if (!CheckedLoads{reader_}.load_code_window(entry_point, window)) {
        return Status::faulted;
    }
    const decode::Match match = decode::match_stub(place_.architecture, entry_point, window);
    if (match.method_slot.is_null()) {
        return match.shape == decode::Shape::unknown ? Status::ok : Status::invalid_argument;  // code itself names nobody
    }
    std::uint64_t named = 0;
    if (reader_.try_read_value(match.method_slot, named) != Status::ok) {
        return Status::faulted;
    }
    start.first_slot = match.target_slot;
    start.unprepared_target = match.unprepared_target;
    return Address(named) == real_method ? Status::ok : Status::invalid_argument;
}

}  // namespace tierup::runtime
