#include "runtime/engine.h"

#include <cstring>

#include "clr/dac_abi.h"
#include "os/processors.h"
#include "os/thread.h"
#include "runtime/method_kind.h"

namespace tierup::runtime {
namespace {

/// About two microseconds: so long may a collection have to wait for a thread that glances.
constexpr int kGlances = 40;

/// From the load event to the switch of the entry point: 4 to 12 us here; a sleep takes longer than that to end.
constexpr std::uint64_t kFollowSpinNs = 20'000;

constexpr const char* kRuntimeFileName = "libcoreclr.so";
constexpr const char* kDacFileName = "libmscordaccore.so";

/// The number that the file's folder begins with: ".../Microsoft.NETCore.App/10.0.12/libcoreclr.so". 0 if it does not.
[[nodiscard]] std::uint32_t find_major_in_path(const char* path) noexcept {
    constexpr std::uint32_t kImplausibleMajor = 1000;
    const char* end = std::strrchr(path, '/');
    if (end == nullptr) {
        return 0;
    }
    const char* digit = end;
    while (digit != path && digit[-1] != '/') {
        --digit;
    }
    std::uint32_t major = 0;
    for (; *digit >= '0' && *digit <= '9' && major < kImplausibleMajor; ++digit) {
        major = major * 10 + static_cast<std::uint32_t>(*digit - '0');
    }
    return *digit == '.' ? major : 0;
}

}  // namespace

Engine::Engine(SignalHub& hub) noexcept
    : hub_(hub),
      manager_(reader_, data_access_, clock_),
      process_({reader_, manager_, worker_flag_, completions_, hub.board(), settings_, clock_}),
      pending_list_({manager_, completions_, counted_cell_, hub, reader_, data_access_}),
      worker_queue_(manager_),
      view_(reader_, data_access_, settings_, place_, {process_, counted_cell_}),
      method_probe_(view_, clock_, &hub),
      probe_(method_probe_, process_, hub) {}

void Engine::start(const SettingsSource& source, std::uint32_t runtime_major, const StartOptions& options) noexcept {
    (void)reader_.open();
    capabilities_.copy_door = reader_.door_name();
    find_runtime(runtime_major);
    if (capabilities_.polls) {
        load_data_access();
    } else {
        capabilities_.tiers_reason = capabilities_.polls_reason;
    }
    const std::uint32_t processors = os::count_process_processors();
    may_spin_ = processors > 1;
    settings_ = read_settings(source, processors, capabilities_.runtime_major);
    if (capabilities_.polls) {
        (void)worker_flag_.open(reader_, module_.data, module_.data_end);
    }
    watcher_.configure(probe_, clock_, options.on_wait_ended);
    watcher_.set_follow_spin(may_spin_ ? kFollowSpinNs : 0);
    hub_.connect({.methods = &methods_,
                  .manager = &manager_,
                  .process = &process_,
                  .queue_reader = &worker_queue_,
                  .watcher = &watcher_,
                  .clock = &clock_,
                  .settings = &settings_,
                  .on_thread_began = options.on_thread_began},
                 options.may_attach && capabilities_.polls);
}

void Engine::find_runtime(std::uint32_t runtime_major) noexcept {
    if (os::find_loaded_module(kRuntimeFileName, module_) != Status::ok) {
        capabilities_.polls_reason =
            "no libcoreclr.so is loaded in this process (a single-file app bundles it; NativeAOT and Mono have none)";
        return;
    }
    capabilities_.runtime_path = module_.path;
    capabilities_.runtime_major = runtime_major != 0 ? runtime_major : find_major_in_path(module_.path);
    place_.runtime_image = {.begin = module_.base, .end = module_.end};
    view_.set_place(place_);
    if (capabilities_.runtime_major < kOldestRuntimeMajor || capabilities_.runtime_major > kNewestRuntimeMajor) {
        capabilities_.polls_reason = "this version of .NET is not among those that were measured (8, 9, 10, 11)";
        return;
    }
    if (reader_.door() == memory::Door::none) {
        capabilities_.polls_reason = "neither process_vm_readv nor a pipe can copy memory here (a seccomp profile may forbid both)";
        return;
    }
    capabilities_.polls = true;
}

void Engine::load_data_access() noexcept {
    const char* slash = std::strrchr(module_.path, '/');
    const std::size_t directory_bytes = slash == nullptr ? 0 : static_cast<std::size_t>(slash - module_.path) + 1;
    if (directory_bytes + std::strlen(kDacFileName) + 1 > sizeof dac_path_) {
        capabilities_.tiers_reason = "the path of the data access library would be longer than the system allows";
        return;
    }
    std::memcpy(dac_path_, module_.path, directory_bytes);
    std::strcpy(dac_path_ + directory_bytes, kDacFileName);
    capabilities_.dac_path = dac_path_;
    const std::uint32_t machine = decode::kHostArchitecture == decode::Architecture::x64 ? clr::kMachineAmd64 : clr::kMachineArm64;
    capabilities_.tiers = data_access_.load(dac_path_, module_.base, reader_, machine) == Status::ok;
    capabilities_.tiers_reason = data_access_.reason();
}

Status Engine::inspect(std::uint64_t method, std::uint32_t known_kinds, MethodIdentity& identity) noexcept {
    if (!capabilities_.polls) {
        return Status::unsupported;
    }
    const Status status = identify_method(reader_, data_access_, Address(method), (known_kinds & kind_runtime_async) != 0, identity);
    identity.kinds |= known_kinds & ~static_cast<std::uint32_t>(kind_runtime_async);
    if (status == Status::ok) {
        inspected_.keep(method, identity);
    }
    return status;
}

Status Engine::add_method(const MethodQuery& query) noexcept {
    if (!capabilities_.polls) {
        return Status::unsupported;
    }
    if (methods_.find(query.method) != nullptr) {
        return Status::ok;
    }
    MethodIdentity identity;
    if (!inspected_.try_take(query.method, query.kinds, identity)) {
        if (const Status status = inspect(query.method, query.kinds, identity); status != Status::ok) {
            return status;
        }
    }
    if ((identity.kinds & kKindsThatUnload) != 0) {
        return Status::unsupported;
    }
    WalkStart start;
    if (const Status status = view_.find_start(query.entry_point, identity.real_method, start); status != Status::ok) {
        return status;
    }
    if (data_access_.is_available()) {
        data_access_.vouch_for(identity.real_method);
    }
    return methods_.insert(
        query.method,
        {.real_method = identity.real_method, .start = start, .native_code_slot = identity.native_code_slot, .kinds = identity.kinds});
}

std::uint64_t Engine::poll(std::uint64_t method) const noexcept {
    MethodRecord* record = methods_.find(method);
    return record == nullptr ? pack(ask_to_register()) : view_.poll(*record);
}

std::uint64_t Engine::glance(std::uint64_t method) const noexcept {
    MethodRecord* record = methods_.find(method);
    if (record == nullptr) {
        return pack(ask_to_register());
    }
    std::uint64_t bits = view_.glance(*record);
    for (int i = 1; i < kGlances && may_spin_; ++i) {
        const Answer answer = unpack(bits);
        if (answer.needs_resolve || pace_of(answer) != watch::Pace::imminent) {
            break;
        }
        os::pause_processor();
        bits = view_.glance(*record);
    }
    return bits;
}

Status Engine::resolve(const MethodQuery& query, CodeVersionList* versions, MethodSubject& subject, Resolution& resolution) noexcept {
    if (!capabilities_.polls) {
        resolution.answer = {.reason = Reason::runtime_unsupported};
        return Status::unsupported;
    }
    if (MethodRecord* record = methods_.find(query.method); record != nullptr) {
        subject = subject_of(*record);
    } else {
        MethodIdentity identity;
        if (const Status status = inspect(query.method, query.kinds, identity); status != Status::ok) {
            return status;
        }
        WalkStart start;
        if (const Status status = view_.find_start(query.entry_point, identity.real_method, start); status != Status::ok) {
            return status;
        }
        subject = {
            .real_method = identity.real_method, .start = start, .native_code_slot = identity.native_code_slot, .kinds = identity.kinds};
    }
    resolution = view_.resolve(subject, versions);
    if (versions != nullptr) {
        manager_.version_nodes().learn_from(subject.real_method, *versions);
    }
    return Status::ok;
}

Status Engine::find_subject(std::uint64_t subject, Condition condition, std::uint64_t& found) const noexcept {
    found = subject;
    if (is_for_one_method(condition)) {
        found = reinterpret_cast<std::uint64_t>(methods_.find(subject));
        return found == 0 ? Status::absent : Status::ok;
    }
    if (condition != Condition::events && subject != 0) {
        return Status::invalid_argument;
    }
    return capabilities_.polls ? Status::ok : Status::unsupported;
}

Status Engine::begin_wait(std::uint64_t subject, Condition condition, std::uint64_t spin_ns, void* context, std::uint64_t& wait_id,
                          std::uint64_t& answer) noexcept {
    std::uint64_t found = 0;
    if (const Status status = find_subject(subject, condition, found); status != Status::ok) {
        return status;
    }
    return watcher_.begin(found, static_cast<std::uint32_t>(condition), spin_ns, context, wait_id, answer);
}

Status Engine::block(std::uint64_t subject, Condition condition, std::uint64_t spin_ns, std::uint64_t timeout_ns,
                     std::uint64_t& answer) noexcept {
    std::uint64_t found = 0;
    if (const Status status = find_subject(subject, condition, found); status != Status::ok) {
        return status;
    }
    return watcher_.block(found, static_cast<std::uint32_t>(condition), spin_ns, timeout_ns, answer);
}

Status Engine::offer_probe(std::uint64_t method) noexcept {
    if (!capabilities_.polls) {
        return Status::unsupported;
    }
    if (manager_.is_located() && (manager_.found_by() & layout::found_by_pending_list) != 0) {
        return Status::ok;
    }
    return manager_.offer_probe(Address(method));
}

Status Engine::name_method(std::uint64_t method, char* name, std::size_t capacity, std::size_t& needed) noexcept {
    needed = 0;
    return data_access_.is_available() ? data_access_.name_method(Address(method), name, capacity, needed) : Status::unsupported;
}

}  // namespace tierup::runtime
