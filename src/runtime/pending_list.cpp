#include "runtime/pending_list.h"

namespace tierup::runtime {
namespace {

/// The pointer was seen up to 0xa68 bytes behind the allocator's beginning (8.0.34, 9.0.23, 10.0.15, 11.0.0).
constexpr std::uint32_t kLoaderAllocatorBytes = 0x2000;

void add(const PendingListing& listing, std::uint32_t& count, const PendingCompilation& item) noexcept {
    if (count < listing.capacity) {
        listing.put(listing.to, count, item);
    }
    ++count;
}

}  // namespace

Status PendingList::list(const PendingListing& listing, std::uint32_t& count) noexcept {
    count = 0;
    if (!at_.manager.is_located()) {
        return Status::unsupported;
    }
    const os::LockGuard guard(mutex_);
    add_compiling(listing, count);
    const Status status = add_queued(listing, count);
    if (status == Status::ok) {
        add_completions(listing, count);
    }
    return status;
}

void PendingList::add_compiling(const PendingListing& listing, std::uint32_t& count) const noexcept {
    if (batch_of(at_.hub.board().batch_epoch()) != Batch::open) {
        return;
    }
    const CompilationInProgress current = at_.hub.compiling();
    add(listing, count,
        {.method = current.method, .version = {}, .state = PendingCompilation::State::compiling, .target_tier = current.tier});
}

Status PendingList::add_queued(const PendingListing& listing, std::uint32_t& count) noexcept {
    std::uint32_t queued = 0;
    if (const Status status = at_.manager.list_queue(queued_, queued); status != Status::ok) {
        return status;
    }
    for (std::uint32_t i = 0; i < queued && i < kMaxListed; ++i) {
        add(listing, count,
            {.method = queued_[i].method,
             .version = queued_[i].version_node,
             .state = PendingCompilation::State::queued,
             .target_tier = queued_[i].target_tier});
    }
    count += queued > kMaxListed ? queued - kMaxListed : 0;
    return Status::ok;
}

/// A pointer to the counting manager is in the loader allocator of the code that can't be unloaded.
void PendingList::locate_completions() noexcept {
    if (at_.completions.is_located() || at_.counted_cell.last().is_null()) {
        return;
    }
    if (!is_completions_open_) {
        Address loader_allocator;
        is_completions_open_ = at_.data_access.find_loader_allocator(at_.manager.app_domain(), loader_allocator) == Status::ok &&
                               at_.completions.open(at_.reader, loader_allocator, kLoaderAllocatorBytes) == Status::ok;
    }
    if (is_completions_open_) {
        (void)at_.completions.offer_cell(at_.counted_cell.last());
    }
}

void PendingList::add_completions(const PendingListing& listing, std::uint32_t& count) noexcept {
    locate_completions();
    std::uint32_t completing = 0;
    if (!at_.completions.is_located() || at_.completions.list(completing_, completing) != Status::ok) {
        ManagerSnapshot snapshot;
        if (at_.manager.read(snapshot) && snapshot.completion_is_pending) {
            add(listing, count, {.method = {}, .version = {}, .state = PendingCompilation::State::threshold_reached});
        }
        return;
    }
    for (std::uint32_t i = 0; i < completing && i < kMaxListed; ++i) {
        // The next tier is chosen when the version is made; the counted version says whose it is.
        PendingCompilation item{.method = completing_[i].version, .version = {}, .state = PendingCompilation::State::threshold_reached};
        if (completing_[i].is_node) {
            Tier counted = Tier::unknown;
            if (at_.manager.version_nodes().resolve(completing_[i].version, true, item.method, counted) != Status::ok) {
                item.method = {};
            }
            item.target_tier = item.method.is_null() ? Tier::unknown : Tier::tier1;  // a counted version with a node is an instrumented one
        }
        add(listing, count, item);
    }
    count += completing > kMaxListed ? completing - kMaxListed : 0;
}

}  // namespace tierup::runtime
