// What     Locating, reading and checking the tiering manager; see manager_view.h.
// What not No walking of its own (layout/queue_walk, layout/method_list).
#include "runtime/manager_view.h"

#include "layout/method_list.h"
#include "layout/pending_list_search.h"
#include "os/thread.h"
#include "runtime/manager_loads.h"

namespace tierup::runtime {

namespace {

constexpr const char* kDisagreement = "the pending list and the batch events led to different places: neither is believed";
constexpr const char* kFlagBroken = "a flag of the tiering manager was neither 0 nor 1";
constexpr const char* kQueueBroken = "the queue's count and its entries contradicted each other for a second";
constexpr const char* kBatchBroken =
    "the queue's count was above the number of pending methods that the runtime told, several times in a row";
constexpr const char* kDelayBroken = "the delay's list was still there when the runtime told the end of the delay, several times in a row";

struct Fields {
    std::uint32_t count = 0;
    std::uint64_t entry = 0;
    std::uint64_t list = 0;
    std::uint8_t completion_is_pending = 0;
    std::uint8_t recently_recorded = 0;
    std::uint32_t new_method_count = 0;
    std::uint32_t count_again = 0;

    /// While the count stands still, entry = null <=> count = 0.
    [[nodiscard]] bool fits() const noexcept { return count != count_again || (count == 0) == (entry == 0); }
};

Address field(Address list_at, std::uint32_t before_list) noexcept {
    return list_at.plus(-std::int64_t{before_list});
}

// The count before the completion flag, as DESIGN 2.1 has it, and the count once more: a method that went from "pending completion" into the queue between the
// first two loads is seen by the third. Who is in neither is in a batch, which the caller knows of.
Fields load_fields(Address list_at, Address entry_at) noexcept {
    Fields fields;
    fields.count = load_in_order<std::uint32_t>(field(list_at, layout::kQueuedCountBeforeList));
    fields.entry = load_in_order<std::uint64_t>(entry_at);
    fields.completion_is_pending = load_in_order<std::uint8_t>(list_at.plus(layout::kCompletionPendingBehindList));
    fields.count_again = load_in_order<std::uint32_t>(field(list_at, layout::kQueuedCountBeforeList));
    fields.list = load_in_order<std::uint64_t>(list_at);
    fields.recently_recorded = load_in_order<std::uint8_t>(list_at.plus(layout::kRecentlyRecordedBehindList));
    fields.new_method_count = load_in_order<std::uint32_t>(field(list_at, layout::kNewMethodCountBeforeList));
    return fields;
}

}  // namespace

Status ManagerView::find_app_domain() noexcept {
    if (!app_domain().is_null()) {
        return Status::ok;
    }
    Address found;
    const Status status = data_access_.find_app_domain(found);
    if (status == Status::ok) {
        set_app_domain(found);
    }
    return status;
}

void ManagerView::set_app_domain(Address app_domain) noexcept {
    std::uint64_t expected = 0;
    if (!app_domain.is_null() && app_domain_.compare_exchange_strong(expected, app_domain.value(), std::memory_order_relaxed)) {
        wants_samples_.store(true, std::memory_order_relaxed);
    }
}

const char* ManagerView::reason() const noexcept {
    if (const char* const broken = broken_.load(std::memory_order_acquire); broken != nullptr) {  // partner: disable's release
        return broken;
    }
    if (is_located()) {
        return "";
    }
    return app_domain().is_null() ? "the AppDomain was not found" : "the tiering manager was not located yet";
}

void ManagerView::accept(const layout::ManagerLayout& found) noexcept {
    const os::LockGuard guard(accept_mutex_);
    if (broken_.load(std::memory_order_relaxed) != nullptr) {
        return;
    }
    if (layout_.is_complete() && !layout_.agrees_with(found)) {
        disable(kDisagreement);
        return;
    }
    const auto found_by = static_cast<std::uint8_t>(layout_.found_by | found.found_by);
    layout_ = found;
    layout_.found_by = found_by;
    found_by_.store(found_by, std::memory_order_relaxed);
    entry_at_.store(app_domain().plus(found.entry_offset).value(), std::memory_order_relaxed);
    list_at_.store(app_domain().plus(found.list_offset).value(), std::memory_order_release);  // partner: read's acquire
    if (broken_.load(std::memory_order_relaxed) != nullptr) {                                 // disabled by a reader meanwhile
        list_at_.store(0, std::memory_order_relaxed);
    }
}

void ManagerView::disable(const char* why) noexcept {
    const char* expected = nullptr;
    (void)broken_.compare_exchange_strong(expected, why, std::memory_order_release, std::memory_order_relaxed);  // partner: reason
    list_at_.store(0, std::memory_order_relaxed);
    wants_samples_.store(false, std::memory_order_relaxed);
}

Status ManagerView::offer_probe(Address method) noexcept {
    if (broken_.load(std::memory_order_relaxed) != nullptr) {
        return Status::unsupported;
    }
    if (const Status status = find_app_domain(); status != Status::ok) {
        return status;
    }
    if ((found_by() & layout::found_by_pending_list) != 0) {
        return Status::ok;
    }
    layout::ManagerLayout found;
    const Status status = layout::search_pending_list(reader_, app_domain(), method, found);
    if (status == Status::ok) {
        accept(found);
    }
    if (broken_.load(std::memory_order_relaxed) != nullptr) {
        return Status::unsupported;
    }
    return is_located() ? Status::ok : status;
}

void ManagerView::on_event(const clr::RuntimeEvent& event, std::uint32_t thread) noexcept {
    const bool is_batch_event = event.kind == clr::RuntimeEventKind::batch_began || event.kind == clr::RuntimeEventKind::batch_ended;
    if (is_batch_event || event.kind == clr::RuntimeEventKind::delay_ended) {
        worker_thread_.store(thread, std::memory_order_relaxed);
        if (const Address list_at = list_address(); !list_at.is_null()) {
            is_batch_event ? check_batch(event, list_at) : check_delay_ended(list_at);
        }
    }
    const bool is_sample = is_batch_event || event.kind == clr::RuntimeEventKind::method_loaded;
    if (is_sample && wants_samples() && worker_thread_.load(std::memory_order_relaxed) == thread) {
        take_sample(event);
    }
}

void ManagerView::take_sample(const clr::RuntimeEvent& event) noexcept {
    layout::BatchSample* const sample = samples_.claim();
    if (sample == nullptr) {
        return;
    }
    const bool is_batch_event = event.kind != clr::RuntimeEventKind::method_loaded;
    const Status status =
        is_batch_event ? sample->take_counted(reader_, app_domain(), event.method_count) : sample->take(reader_, app_domain());
    // A load without a queue behind it says next to nothing and would take the place of one that does.
    if (status == Status::ok && (is_batch_event || sample->walk_count > 0)) {
        samples_.hand_over(sample);
    } else {
        samples_.drop(sample);
    }
}

// Race: a foreground thread adds to the queue between the event's own count and our load (only where calls are counted without a stub). Window: microseconds.
// Harmless because an equation must break at kEventsToConfirm events in a row. Test: a_count_above_the_events_disables_the_view_when_it_stays
// (tests/unit/manager_view_event_test.cpp).
void ManagerView::check_batch(const clr::RuntimeEvent& event, Address list_at) noexcept {
    if (load_in_order<std::uint32_t>(field(list_at, layout::kQueuedCountBeforeList)) <= event.method_count) {
        batch_misfits_.store(0, std::memory_order_relaxed);
    } else if (batch_misfits_.fetch_add(1, std::memory_order_relaxed) + 1 >= kEventsToConfirm) {
        disable(kBatchBroken);
    }
}

// Race: another thread begins a new delay between the end of the old one and the event that tells it. Window: the microsecond between the runtime's unlock and
// this callback, after 100 ms without a first call. Harmless because it must happen kEventsToConfirm times in a row.
// Test: a_list_that_outlives_its_delay_disables_the_view_when_it_stays (tests/unit/manager_view_event_test.cpp).
void ManagerView::check_delay_ended(Address list_at) noexcept {
    if (load_in_order<std::uint64_t>(list_at) == 0) {
        delay_misfits_.store(0, std::memory_order_relaxed);
    } else if (delay_misfits_.fetch_add(1, std::memory_order_relaxed) + 1 >= kEventsToConfirm) {
        disable(kDelayBroken);
    }
}

Status ManagerView::vote() noexcept {
    const os::LockGuard guard(vote_mutex_);
    for (std::size_t i = 0; i < SampleRing::kSamples; ++i) {
        layout::BatchSample* const sample = samples_.take();
        if (sample == nullptr) {
            break;
        }
        if (wants_samples()) {
            vote_.add(*sample);
        }
        samples_.give_back(sample);
    }
    if (broken_.load(std::memory_order_relaxed) != nullptr) {
        return Status::unsupported;
    }
    if ((found_by() & layout::found_by_batch_events) != 0) {
        return Status::ok;
    }
    layout::ManagerLayout found;
    const Status status = vote_.verdict(found);
    if (status == Status::ok) {
        accept(found);
    }
    const bool is_enough = vote_.samples() >= (is_located() ? kSamplesToAgree : layout::kMaxSamples);
    if (status == Status::ok || is_enough) {
        wants_samples_.store(false, std::memory_order_relaxed);
    }
    return broken_.load(std::memory_order_relaxed) != nullptr ? Status::unsupported : status;
}

bool ManagerView::read(ManagerSnapshot& snapshot) noexcept {
    const Address list_at(list_at_.load(std::memory_order_acquire));  // partner: accept's release, so that entry_at_ is set
    if (list_at.is_null()) {
        return false;
    }
    const Address entry_at(entry_at_.load(std::memory_order_relaxed));
    Fields fields = load_fields(list_at, entry_at);
    for (std::uint32_t i = 0; i < kRereads && !fields.fits(); ++i) {
        os::pause_processor();
        fields = load_fields(list_at, entry_at);
    }
    if (fields.completion_is_pending > 1 || fields.recently_recorded > 1) {
        disable(kFlagBroken);
        return false;
    }
    snapshot.is_consistent = fields.fits();
    if (snapshot.is_consistent) {
        mismatch_.fitted();
    } else if (mismatch_.mismatched(clock_.now_ns())) {
        disable(kQueueBroken);
        return false;
    }
    const std::uint32_t count = fields.count > fields.count_again ? fields.count : fields.count_again;
    snapshot.queued_count = count == 0 && !snapshot.is_consistent ? 1 : count;
    snapshot.completion_is_pending = fields.completion_is_pending != 0;
    snapshot.delay_list = Address(fields.list);
    snapshot.delay_is_active = fields.list != 0;
    snapshot.recently_recorded = fields.recently_recorded != 0;
    snapshot.new_method_count = fields.new_method_count;
    return true;
}

// Race: a foreground thread appends while the ends are looked at. Window: nanoseconds. Harmless because entries are only added behind: an end that was the
// last one keeps leading to the newer. Test: the_first_entry_is_found_whichever_end_the_runtime_writes_first (tests/unit/manager_view_test.cpp).
bool ManagerView::read_first_entry(Address& first) const noexcept {
    first = {};
    const Address list_at = list_address();
    if (list_at.is_null()) {
        return false;
    }
    const Address sentinel = field(list_at, layout::kSentinelBeforeList);
    const Address one_end(load_in_order<std::uint64_t>(field(list_at, layout::kOneEndBeforeList)));
    if (one_end == sentinel) {
        first = Address(load_in_order<std::uint64_t>(sentinel));
        return true;
    }
    const Address other_end(load_in_order<std::uint64_t>(field(list_at, layout::kOtherEndBeforeList)));
    if (one_end.is_null() != other_end.is_null()) {
        return false;
    }
    // The last one leads nowhere.
    const bool is_one_end_last = !one_end.is_null() && load_in_order<std::uint64_t>(one_end) == 0;
    first = is_one_end_last ? other_end : one_end;
    return true;
}

Status ManagerView::list_queue(std::span<layout::QueuedVersion> versions, std::uint32_t& count) noexcept {
    count = 0;
    const Address list_at = list_address();
    if (list_at.is_null()) {
        return Status::unsupported;
    }
    if (const Status status = layout::copy_queue(reader_, list_at, versions, count); status != Status::ok) {
        return status;
    }
    std::uint32_t questions = 0;
    for (std::uint32_t i = 0; i < count && i < versions.size(); ++i) {
        layout::QueuedVersion& version = versions[i];
        const std::uint64_t before = data_access_.queries();
        const Status status =
            versions_.resolve(version.version_node, questions < kQuestionsPerListing, version.method, version.target_tier);
        questions += data_access_.queries() != before ? 1u : 0u;
        if (status == Status::absent) {
            return Status::unknown;
        }
    }
    return Status::ok;
}

Status ManagerView::read_delay_methods(Address delay_list, std::span<Address> methods, std::uint32_t& count) const noexcept {
    return layout::copy_list(reader_, delay_list, methods, count);
}

}  // namespace tierup::runtime
