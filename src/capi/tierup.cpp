// What     The exported C functions: argument checks, then one call into the engine; the numbers of both sides compared at compile time.
// What not No logic of its own.
// Threads  As each function's comment in the header says.
// Failure  Status codes only; nothing throws (built without exceptions).
#include "tierup/tierup.h"

#include <atomic>
#include <cstddef>
#include <cstring>

#include "capi/running.h"
#include "os/environment.h"
#include "os/mutex.h"
#include "runtime/engine.h"
#include "runtime/method_kind.h"

namespace {

using tierup::Address;
using tierup::CodeVersion;
using tierup::CodeVersionList;
using tierup::Status;
using tierup::Tier;
namespace os = tierup::os;
namespace rt = tierup::runtime;
namespace watch = tierup::watch;

template <typename A, typename B>
constexpr bool same(A a, B b) {
    return static_cast<unsigned>(a) == static_cast<unsigned>(b);
}
static_assert(same(TIERUP_OK, Status::ok) && same(TIERUP_ABSENT, Status::absent) && same(TIERUP_FAULTED, Status::faulted) &&
              same(TIERUP_UNSUPPORTED, Status::unsupported) && same(TIERUP_UNKNOWN, Status::unknown) &&
              same(TIERUP_TIMED_OUT, Status::timed_out) && same(TIERUP_CANCELLED, Status::cancelled) &&
              same(TIERUP_INVALID_ARGUMENT, Status::invalid_argument) && same(TIERUP_EXHAUSTED, Status::exhausted) &&
              same(TIERUP_NOT_STARTED, Status::not_started));
static_assert(same(TIERUP_COLD, rt::Compilation::cold) && same(TIERUP_OPTIMIZING, rt::Compilation::optimizing) &&
              same(TIERUP_FINAL, rt::Compilation::final) && same(TIERUP_UNDECIDED, rt::Compilation::undecided));
static_assert(same(TIERUP_TIER_UNKNOWN, Tier::unknown) && same(TIERUP_TIER_MIN_OPT, Tier::min_opt) &&
              same(TIERUP_TIER_OPTIMIZED, Tier::optimized) && same(TIERUP_TIER_0, Tier::tier0) &&
              same(TIERUP_TIER_0_INSTRUMENTED, Tier::tier0_instrumented) && same(TIERUP_TIER_READY_TO_RUN, Tier::ready_to_run) &&
              same(TIERUP_TIER_1_INSTRUMENTED, Tier::tier1_instrumented) && same(TIERUP_TIER_1, Tier::tier1) &&
              same(TIERUP_TIER_1_OSR, Tier::tier1_osr));
static_assert(same(TIERUP_REASON_NEVER_CALLED, rt::Reason::never_called) && same(TIERUP_REASON_IN_DELAY, rt::Reason::in_delay) &&
              same(TIERUP_REASON_COUNTING, rt::Reason::counting) &&
              same(TIERUP_REASON_COUNTING_AT_NEXT_CALL, rt::Reason::counting_at_next_call) &&
              same(TIERUP_REASON_COUNTING_IN_PRESTUB, rt::Reason::counting_in_prestub) &&
              same(TIERUP_REASON_THRESHOLD_REACHED, rt::Reason::threshold_reached) &&
              same(TIERUP_REASON_PROMOTION_PENDING, rt::Reason::promotion_pending) &&
              same(TIERUP_REASON_ACTIVATING, rt::Reason::activating) &&
              same(TIERUP_REASON_CLASS_CONSTRUCTOR, rt::Reason::class_constructor));
static_assert(same(TIERUP_REASON_TIER_1, rt::Reason::tier_1) && same(TIERUP_REASON_OPTIMIZED_AT_ONCE, rt::Reason::optimized_at_once) &&
              same(TIERUP_REASON_MIN_OPT, rt::Reason::min_opt) && same(TIERUP_REASON_NOT_ELIGIBLE, rt::Reason::not_eligible) &&
              same(TIERUP_REASON_NOT_IL, rt::Reason::not_il) && same(TIERUP_REASON_COLLECTIBLE, rt::Reason::collectible) &&
              same(TIERUP_REASON_DYNAMIC_METHOD, rt::Reason::dynamic_method) &&
              same(TIERUP_REASON_TIERING_DISABLED, rt::Reason::tiering_disabled) &&
              same(TIERUP_REASON_CALL_COUNTING_DISABLED, rt::Reason::call_counting_disabled) &&
              same(TIERUP_REASON_PROMOTION_ABANDONED, rt::Reason::promotion_abandoned));
static_assert(same(TIERUP_REASON_NO_DAC, rt::Reason::no_dac) && same(TIERUP_REASON_DAC_FAILED, rt::Reason::dac_failed) &&
              same(TIERUP_REASON_CODE_NOT_LISTED, rt::Reason::code_not_listed) &&
              same(TIERUP_REASON_SHAPE_UNKNOWN, rt::Reason::shape_unknown) &&
              same(TIERUP_REASON_MEMORY_CHANGED, rt::Reason::memory_changed) &&
              same(TIERUP_REASON_RUNTIME_ASYNC, rt::Reason::runtime_async) &&
              same(TIERUP_REASON_RUNTIME_UNSUPPORTED, rt::Reason::runtime_unsupported));
static_assert(same(TIERUP_KIND_CLASS_CONSTRUCTOR, rt::kind_class_constructor) && same(TIERUP_KIND_COLLECTIBLE, rt::kind_collectible) &&
              same(TIERUP_KIND_DYNAMIC, rt::kind_dynamic) && same(TIERUP_KIND_NOT_IL, rt::kind_not_il) &&
              same(TIERUP_KIND_RUNTIME_ASYNC, rt::kind_runtime_async) &&
              same(TIERUP_KIND_INSTANTIATING_STUB, rt::kind_instantiating_stub) &&
              same(TIERUP_KIND_UNBOXING_STUB, rt::kind_unboxing_stub) && same(TIERUP_KIND_UNVALIDATED, rt::kind_unvalidated));
static_assert(same(TIERUP_UNTIL_FINAL_OR_COUNTING, rt::Condition::final_or_counting) && same(TIERUP_UNTIL_FINAL, rt::Condition::final) &&
              same(TIERUP_UNTIL_TIERING_ACTIVE, rt::Condition::tiering_active) &&
              same(TIERUP_UNTIL_NO_PENDING, rt::Condition::no_pending) && same(TIERUP_UNTIL_EVENTS, rt::Condition::events));

constinit std::atomic<tierup_wait_callback> wait_callback = nullptr;
constinit std::atomic<tierup_thread_callback> thread_callback = nullptr;
constinit os::Mutex start_mutex;

using tierup::capi::engine;
using tierup::capi::fits;
using tierup::capi::to_c;

/// The name under which a caller tells the runtime's version ("10.0.12") among the properties.
constexpr const char* kRuntimeVersionProperty = "TierUp.RuntimeVersion";

const char* find_property(const void* context, const char* name) noexcept {
    const auto& options = *static_cast<const tierup_start_options*>(context);
    for (uint32_t i = 0; i < options.property_count; ++i) {
        const tierup_property& property = options.properties[i];
        if (property.name != nullptr && property.value != nullptr && std::strcmp(property.name, name) == 0) {
            return property.value;
        }
    }
    return nullptr;
}

const char* find_environment_value(const void*, const char* full_name) noexcept {
    return os::find_environment_value(full_name);
}

uint32_t parse_major(const char* version) noexcept {
    uint32_t major = 0;
    for (; version != nullptr && *version >= '0' && *version <= '9' && major < 1000; ++version) {
        major = major * 10 + static_cast<uint32_t>(*version - '0');
    }
    return major;
}

void call_back(void* context, Status status) {
    if (const tierup_wait_callback callback = wait_callback.load(std::memory_order_acquire); callback != nullptr) {
        callback(context, to_c(status));
    }
}

void thread_began() noexcept {
    if (const tierup_thread_callback callback = thread_callback.load(std::memory_order_acquire); callback != nullptr) {
        callback();
    }
}

bool is_condition(tierup_condition condition) {
    return condition >= TIERUP_UNTIL_FINAL_OR_COUNTING && condition <= TIERUP_UNTIL_EVENTS;
}

/// The size of tierup_start_options before signals_mode was appended.
constexpr uint32_t kFirstStartOptionsBytes = offsetof(tierup_start_options, signals_mode);

/// False: neither the present struct nor the older one, or a mode outside its enum.
bool read_signals_mode(const tierup_start_options& options, bool& may_attach) {
    if (options.size < offsetof(tierup_start_options, on_thread_began)) {
        may_attach = true;
        return options.size >= kFirstStartOptionsBytes;
    }
    may_attach = options.signals_mode == TIERUP_SIGNALS_AUTO;
    return options.signals_mode == TIERUP_SIGNALS_AUTO || options.signals_mode == TIERUP_SIGNALS_OFF;
}

void fill_versions(const CodeVersionList& list, Address active_code, tierup_code_version* versions, uint32_t capacity) {
    for (uint32_t i = 0; i < list.count && i < capacity; ++i) {
        const CodeVersion& version = list.items[i];
        versions[i] = {.code = version.code.value(),
                       .node = version.node.value(),
                       .tier = static_cast<uint32_t>(version.tier),
                       .is_active = !active_code.is_null() && version.code == active_code ? 1u : 0u};
    }
}

}  // namespace

uint32_t tierup_abi_version(void) {
    return TIERUP_ABI_VERSION;
}

const char* tierup_version(void) {
    return TIERUP_VERSION;
}

tierup_status tierup_start(const tierup_start_options* options) {
    bool may_attach = true;
    if (options == nullptr || !read_signals_mode(*options, may_attach) ||
        (options->property_count != 0 && options->properties == nullptr)) {
        return TIERUP_INVALID_ARGUMENT;
    }
    os::LockGuard guard(start_mutex);
    if (engine() != nullptr) {
        return TIERUP_OK;
    }
    wait_callback.store(options->on_wait_ended, std::memory_order_release);
    if (fits(options)) {
        thread_callback.store(options->on_thread_began, std::memory_order_release);
    }
    rt::Engine* const started = tierup::capi::make_engine();
    const rt::SettingsSource source{.find_environment_value = find_environment_value, .find_property = find_property, .context = options};
    started->start(source, parse_major(find_property(options, kRuntimeVersionProperty)),
                   {.on_wait_ended = call_back, .on_thread_began = thread_began, .may_attach = may_attach});
    tierup::capi::publish_engine(*started);
    return TIERUP_OK;
}

tierup_status tierup_get_capabilities(tierup_capabilities* capabilities) {
    if (!fits(capabilities)) {
        return TIERUP_INVALID_ARGUMENT;
    }
    const rt::Engine* const running = engine();
    if (running == nullptr) {
        return TIERUP_NOT_STARTED;
    }
    const rt::Capabilities& known = running->capabilities();
    *capabilities = {.size = sizeof *capabilities,
                     .runtime_major = static_cast<uint16_t>(known.runtime_major),
                     .polls = known.polls,
                     .tiers = known.tiers,
                     .polls_reason = known.polls_reason,
                     .tiers_reason = known.tiers_reason,
                     .runtime_path = known.runtime_path,
                     .dac_path = known.dac_path,
                     .copy_door = known.copy_door};
    return TIERUP_OK;
}

tierup_status tierup_get_settings(tierup_settings* settings) {
    if (!fits(settings)) {
        return TIERUP_INVALID_ARGUMENT;
    }
    const rt::Engine* const running = engine();
    if (running == nullptr) {
        return TIERUP_NOT_STARTED;
    }
    const rt::Settings& known = running->settings();
    *settings = {.size = sizeof *settings,
                 .call_count_threshold = known.call_count_threshold,
                 .call_counting_delay_ms = known.call_counting_delay_ms,
                 .background_worker_timeout_ms = known.background_worker_timeout_ms,
                 .tiered_compilation = known.tiered_compilation,
                 .quick_jit = known.quick_jit,
                 .quick_jit_for_loops = known.quick_jit_for_loops,
                 .tiered_pgo = known.tiered_pgo,
                 .instrument_only_hot_code = known.instrument_only_hot_code,
                 .call_counting = known.call_counting,
                 .call_counting_stubs = known.call_counting_stubs,
                 .osr = known.osr};
    return TIERUP_OK;
}

tierup_status tierup_method_inspect(uint64_t method, tierup_method_identity* identity) {
    if (!fits(identity)) {
        return TIERUP_INVALID_ARGUMENT;
    }
    rt::Engine* const running = engine();
    if (running == nullptr) {
        return TIERUP_NOT_STARTED;
    }
    rt::MethodIdentity found;
    const Status status = running->inspect(method, identity->kinds, found);
    if (status == Status::ok) {
        *identity = {.size = sizeof *identity,
                     .kinds = found.kinds,
                     .real_method = found.real_method.value(),
                     .module = found.module.value(),
                     .native_code_slot = found.native_code_slot.value(),
                     .token = found.token,
                     .eligible = found.is_eligible};
    }
    return to_c(status);
}

tierup_status tierup_method_register(uint64_t method, uint64_t entry_point, uint32_t kinds) {
    rt::Engine* const running = engine();
    if (running == nullptr) {
        return TIERUP_NOT_STARTED;
    }
    return to_c(running->add_method({.method = method, .entry_point = Address(entry_point), .kinds = kinds}));
}

tierup_answer tierup_method_poll(uint64_t method) {
    const rt::Engine* const running = engine();
    if (running == nullptr) {
        return rt::pack(rt::ask_to_register());
    }
    return running->poll(method);
}

tierup_answer tierup_method_glance(uint64_t method) {
    const rt::Engine* const running = engine();
    return running == nullptr ? rt::pack(rt::ask_to_register()) : running->glance(method);
}

tierup_status tierup_method_resolve(uint64_t method, uint64_t entry_point, uint32_t kinds, tierup_answer* answer) {
    if (answer == nullptr) {
        return TIERUP_INVALID_ARGUMENT;
    }
    rt::Engine* const running = engine();
    if (running == nullptr) {
        return TIERUP_NOT_STARTED;
    }
    rt::MethodSubject subject;
    rt::Resolution resolution;
    const Status status =
        running->resolve({.method = method, .entry_point = Address(entry_point), .kinds = kinds}, nullptr, subject, resolution);
    *answer = rt::pack(resolution.answer);
    return to_c(status);
}

tierup_status tierup_method_get_state(uint64_t method, uint64_t entry_point, uint32_t kinds, tierup_method_state* state,
                                      tierup_code_version* versions, uint32_t capacity) {
    if (!fits(state) || (versions == nullptr && capacity != 0)) {
        return TIERUP_INVALID_ARGUMENT;
    }
    rt::Engine* const running = engine();
    if (running == nullptr) {
        return TIERUP_NOT_STARTED;
    }
    CodeVersionList list;
    rt::MethodSubject subject;
    rt::Resolution resolution;
    const Status status =
        running->resolve({.method = method, .entry_point = Address(entry_point), .kinds = kinds}, &list, subject, resolution);
    const rt::Answer& answer = resolution.answer;
    *state = {.size = sizeof *state,
              .compilation = static_cast<uint32_t>(answer.compilation),
              .reason = static_cast<uint32_t>(answer.reason),
              .tier = static_cast<uint32_t>(answer.tier),
              .remaining_calls = answer.remaining_calls,
              .remaining_is_exact = answer.remaining_is_exact,
              .version_count = list.count,
              .kinds = subject.kinds,
              .entry_point = subject.start.entry_point.value(),
              .active_code = resolution.entry.code.value(),
              .real_method = subject.real_method.value(),
              .entry_bytes = {}};
    std::memcpy(state->entry_bytes, resolution.unknown_bytes.data(), sizeof state->entry_bytes);
    fill_versions(list, resolution.entry.code, versions, capacity);
    return to_c(status);
}

tierup_status tierup_wait_begin(uint64_t method, tierup_condition condition, uint64_t spin_ns, void* context, tierup_wait_id* wait,
                                tierup_answer* answer) {
    if (wait == nullptr || answer == nullptr || !is_condition(condition)) {
        return TIERUP_INVALID_ARGUMENT;
    }
    rt::Engine* const running = engine();
    if (running == nullptr) {
        return TIERUP_NOT_STARTED;
    }
    *wait = 0;
    *answer = rt::pack(rt::Answer{});
    return to_c(running->begin_wait(method, static_cast<rt::Condition>(condition), spin_ns, context, *wait, *answer));
}

tierup_status tierup_wait_cancel(tierup_wait_id wait) {
    rt::Engine* const running = engine();
    return running == nullptr ? TIERUP_NOT_STARTED : to_c(running->cancel_wait(wait));
}

tierup_status tierup_wait_block(uint64_t method, tierup_condition condition, uint64_t spin_ns, uint64_t timeout_ns, tierup_answer* answer) {
    if (answer == nullptr || !is_condition(condition)) {
        return TIERUP_INVALID_ARGUMENT;
    }
    rt::Engine* const running = engine();
    if (running == nullptr) {
        return TIERUP_NOT_STARTED;
    }
    *answer = rt::pack(rt::Answer{});
    return to_c(running->block(method, static_cast<rt::Condition>(condition), spin_ns, timeout_ns, *answer));
}

tierup_status tierup_get_statistics(tierup_statistics* statistics) {
    if (!fits(statistics)) {
        return TIERUP_INVALID_ARGUMENT;
    }
    const rt::Engine* const running = engine();
    if (running == nullptr) {
        return TIERUP_NOT_STARTED;
    }
    const watch::WatcherStatistics waits = running->watch_statistics();
    *statistics = {.size = sizeof *statistics,
                   .dispatcher_running = waits.is_dispatcher_running,
                   .waits_pending = waits.waits_pending,
                   .waits_ended = waits.waits_ended,
                   .evaluations = waits.evaluations,
                   .dac_queries = running->data_access().queries(),
                   .dac_cache_hits = running->data_access().cache_hits(),
                   .methods_registered = running->method_count()};
    return TIERUP_OK;
}
