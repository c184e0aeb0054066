/*
 * tierup: the one exported C interface of libtierup.
 *
 * What     Poll, explain and wait for the tiering state of single methods of the CoreCLR that hosts this process.
 * What not Nothing here compiles, counts or promotes a method; it only reads, and it wakes who waits.
 * Threads  Each function names its rule: [any] any thread, [preemptive] a thread that the GC need not wait for (an
 *          ordinary P/Invoke), [cooperative] a managed thread inside a P/Invoke marked SuppressGCTransition.
 * Failure  A tierup_status. Zero is success and never a failure value. Nothing throws, nothing aborts the process.
 * ABI      Structs begin with their size in bytes; a caller sets it, the library fills no byte behind it.
 */
#ifndef TIERUP_TIERUP_H
#define TIERUP_TIERUP_H

#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

#if defined(TIERUP_BUILDING)
#define TIERUP_API __attribute__((visibility("default")))
#else
#define TIERUP_API
#endif

/** The number that tierup_abi_version returns for this header. A changed or removed declaration raises it. */
#define TIERUP_ABI_VERSION 1u

/** How a call went. */
typedef enum tierup_status {
    TIERUP_OK = 0,               /**< Done. */
    TIERUP_ABSENT = 1,           /**< What was asked for does not exist: no such method (any more), no such wait. */
    TIERUP_FAULTED = 2,          /**< Memory that should be readable was not, or changed in each of the bounded tries. */
    TIERUP_UNSUPPORTED = 3,      /**< This runtime, architecture or setting can't give the answer. */
    TIERUP_UNKNOWN = 4,          /**< The state could be read but not explained; see the reason in the answer. */
    TIERUP_TIMED_OUT = 5,        /**< The time given ran out first. */
    TIERUP_CANCELLED = 6,        /**< The caller took the wait back. */
    TIERUP_INVALID_ARGUMENT = 7, /**< A null pointer, a size too small, a value outside its enum. */
    TIERUP_EXHAUSTED = 8,        /**< Memory or a thread could not be had, or a named bound was hit. */
    TIERUP_NOT_STARTED = 9       /**< tierup_start has not succeeded yet. */
} tierup_status;

/** The proposal's three states, and the honest fourth. */
typedef enum tierup_compilation {
    TIERUP_COLD = 0,       /**< No native code for the active version. */
    TIERUP_OPTIMIZING = 1, /**< There is code and a promotion is still to come. */
    TIERUP_FINAL = 2,      /**< There is code (or there never will be any) and no promotion will come. */
    TIERUP_UNDECIDED = 3   /**< Not known; the reason says why. */
} tierup_compilation;

/** What produced a piece of native code. Our own numbering: the runtime has two that differ (events and DAC). */
typedef enum tierup_tier {
    TIERUP_TIER_UNKNOWN = 0,
    TIERUP_TIER_MIN_OPT = 1,        /**< Jitted without optimization, not to be replaced. */
    TIERUP_TIER_OPTIMIZED = 2,      /**< Jitted with optimization at once, not to be replaced. */
    TIERUP_TIER_0 = 3,              /**< Quick jitted. */
    TIERUP_TIER_0_INSTRUMENTED = 4, /**< Quick jitted with profile probes. */
    TIERUP_TIER_READY_TO_RUN = 5,   /**< Compiled ahead of time. */
    TIERUP_TIER_1_INSTRUMENTED = 6, /**< Optimized with profile probes. */
    TIERUP_TIER_1 = 7,              /**< Optimized again in the background. */
    TIERUP_TIER_1_OSR = 8           /**< On-stack replacement: never an entry point. */
} tierup_tier;

/** Why the compilation state is what it is. Values below 32 go with a known state, from 32 on with TIERUP_UNDECIDED. */
typedef enum tierup_reason {
    TIERUP_REASON_NONE = 0,
    /* cold */
    TIERUP_REASON_NEVER_CALLED = 1, /**< No native code yet. */
    /* optimizing */
    TIERUP_REASON_IN_DELAY = 2,              /**< Called; held until the call-counting delay ends. Calls now don't count. */
    TIERUP_REASON_COUNTING = 3,              /**< The counting stub is in; `remaining_calls` more calls reach the threshold. */
    TIERUP_REASON_COUNTING_AT_NEXT_CALL = 4, /**< Code exists, the next call goes through the prestub and is counted. */
    TIERUP_REASON_COUNTING_IN_PRESTUB = 5,   /**< Counted without stubs; the count can't be seen, `remaining_calls` is its upper bound. */
    TIERUP_REASON_THRESHOLD_REACHED = 6,     /**< Counted out; the runtime has not queued the promotion yet. */
    TIERUP_REASON_PROMOTION_PENDING = 7,     /**< The next version is queued or being compiled. */
    TIERUP_REASON_ACTIVATING = 8,            /**< The next version has code; the entry point has not been switched. */
    TIERUP_REASON_CLASS_CONSTRUCTOR = 9,     /**< Runs once, counts for ever: no promotion can be driven. */
    /* final */
    TIERUP_REASON_TIER_1 = 16, /**< The entry point leads to tier-1 code. */
    TIERUP_REASON_OPTIMIZED_AT_ONCE =
        17, /**< Jitted optimized at the first call: AggressiveOptimization, loops without OSR, explicit tail calls… */
    TIERUP_REASON_MIN_OPT = 18,                /**< Jitted without optimization for good: NoOptimization, debug build. */
    TIERUP_REASON_NOT_ELIGIBLE = 19,           /**< The runtime marked the method as never tiering. */
    TIERUP_REASON_NOT_IL = 20,                 /**< P/Invoke, internal call, delegate Invoke, array accessor: never jitted from IL. */
    TIERUP_REASON_COLLECTIBLE = 21,            /**< Code of a collectible load context never tiers. */
    TIERUP_REASON_DYNAMIC_METHOD = 22,         /**< A DynamicMethod is optimized at once. */
    TIERUP_REASON_TIERING_DISABLED = 23,       /**< TieredCompilation=0 for the process. */
    TIERUP_REASON_CALL_COUNTING_DISABLED = 24, /**< TC_CallCounting=0: nothing is ever promoted. */
    TIERUP_REASON_PROMOTION_ABANDONED = 25,    /**< A tier-1 version was compiled and never activated (very large methods). */
    /* undecided */
    TIERUP_REASON_NO_DAC = 32,     /**< The data access library is missing and memory alone can't tell. */
    TIERUP_REASON_DAC_FAILED = 33, /**< The data access library could not answer in any of the bounded tries. */
    TIERUP_REASON_CODE_NOT_LISTED =
        34, /**< The entry point leads to code that no version of this method has (a profiler's ReJIT, for one). */
    TIERUP_REASON_SHAPE_UNKNOWN = 35,      /**< The entry point has bytes that no decoder row knows. */
    TIERUP_REASON_MEMORY_CHANGED = 36,     /**< The chain kept changing while it was read. */
    TIERUP_REASON_RUNTIME_ASYNC = 37,      /**< The handle is a runtime-async thunk and the real method could not be found. */
    TIERUP_REASON_RUNTIME_UNSUPPORTED = 38 /**< No CoreCLR of a supported version or architecture in this process. */
} tierup_reason;

/** Facts about a method's kind, as bits: the caller knows some from reflection, tierup_method_inspect adds what the runtime says. */
typedef enum tierup_kind {
    TIERUP_KIND_CLASS_CONSTRUCTOR = 1 << 0,
    TIERUP_KIND_COLLECTIBLE = 1 << 1, /**< Its memory can be unloaded: never cached, never read by plain loads. */
    TIERUP_KIND_DYNAMIC = 1 << 2,     /**< A DynamicMethod: as above. */
    TIERUP_KIND_NOT_IL = 1 << 3,
    TIERUP_KIND_RUNTIME_ASYNC = 1 << 4,      /**< MethodImplAttributes.Async is set. */
    TIERUP_KIND_INSTANTIATING_STUB = 1 << 5, /**< The handle given was a stub; `real_method` is what it calls. */
    TIERUP_KIND_UNBOXING_STUB = 1 << 6,
    TIERUP_KIND_UNVALIDATED = 1 << 7 /**< No data access library: the handle was checked by plausibility only. */
} tierup_kind;

/** A name and value from the runtime's configuration properties (runtimeconfig.json), UTF-8. */
typedef struct tierup_property {
    const char* name;
    const char* value;
} tierup_property;

/** Called once when a wait ends. [the library's dispatcher thread] It must not block; `status` is TIERUP_OK or TIERUP_UNKNOWN
 *  (the state became undecidable). After tierup_wait_cancel returned TIERUP_OK it is not called. */
typedef void (*tierup_wait_callback)(void* context, tierup_status status);

/** Whether the library may attach itself to its own process as a notification-only profiler. */
typedef enum tierup_signals_mode {
    TIERUP_SIGNALS_AUTO = 0, /**< At the first need: a process-wide wait, an event stream, a wait for one method that lasts. */
    TIERUP_SIGNALS_OFF = 1   /**< Never: every wait polls memory, event streams are unsupported. */
} tierup_signals_mode;

/** Called on each new dispatcher thread before it first sleeps, so that what a first callback on a thread costs (a managed runtime makes the thread its
 *  own: some 50 us) is paid before anybody waits for it. [the library's dispatcher thread] It must not block. */
typedef void (*tierup_thread_callback)(void);

/** What tierup_start needs to know. A caller with an older, shorter struct gets TIERUP_SIGNALS_AUTO. */
typedef struct tierup_start_options {
    uint32_t size; /**< sizeof(tierup_start_options) */
    uint32_t property_count;
    const tierup_property*
        properties; /**< Runtime properties whose names begin with System.Runtime.Tiered, and TierUp.RuntimeVersion with the
                                              runtime's version ("10.0.12"; else it is taken from the runtime's path). Read, not kept. */
    tierup_wait_callback on_wait_ended;     /**< May be null when only blocking waits are used. */
    uint32_t signals_mode;                  /**< tierup_signals_mode. */
    uint32_t reserved;                      /**< 0 */
    tierup_thread_callback on_thread_began; /**< May be null. */
} tierup_start_options;

/** The runtime's effective tiering settings, as it read them itself. */
typedef struct tierup_settings {
    uint32_t size;                   /**< sizeof(tierup_settings) */
    uint32_t call_count_threshold;   /**< Calls per counting phase, 1..65535. */
    uint32_t call_counting_delay_ms; /**< 0: no delay. Already multiplied on a single processor. */
    uint32_t background_worker_timeout_ms;
    uint8_t tiered_compilation; /**< The rest are 0 or 1. */
    uint8_t quick_jit;
    uint8_t quick_jit_for_loops;
    uint8_t tiered_pgo;
    uint8_t instrument_only_hot_code;
    uint8_t call_counting;
    uint8_t call_counting_stubs;
    uint8_t osr;
} tierup_settings;

/** What works in this process. Texts are static or live as long as the process; never null. */
typedef struct tierup_capabilities {
    uint32_t size;            /**< sizeof(tierup_capabilities) */
    uint16_t runtime_major;   /**< 8, 9, 10, 11; 0 if no CoreCLR was found. */
    uint8_t polls;            /**< Entry points can be decoded. */
    uint8_t tiers;            /**< The data access library answers: code versions and tiers are known. */
    const char* polls_reason; /**< "" or why not. */
    const char* tiers_reason; /**< "" or why not. */
    const char* runtime_path; /**< Of libcoreclr, or "". */
    const char* dac_path;     /**< Of the data access library looked for, or "". */
    const char* copy_door;    /**< How memory is copied: "process_vm_readv", "pipe" or "none". */
} tierup_capabilities;

/** What the runtime says of a method handle. */
typedef struct tierup_method_identity {
    uint32_t size;             /**< sizeof(tierup_method_identity) */
    uint32_t kinds;            /**< tierup_kind bits. In: what the caller knows from reflection, else 0. Out: with what the runtime says. */
    uint64_t real_method;      /**< The method descriptor that tiers: the argument itself, or what a stub leads to. */
    uint64_t module;           /**< The runtime's module address, 0 if unvalidated. */
    uint64_t native_code_slot; /**< Where the first version's code address stands, 0 if none or unvalidated. */
    uint32_t token;            /**< Metadata token (0x06……), 0 if unvalidated. */
    uint32_t eligible;         /**< 1 if the runtime may tier the method. */
} tierup_method_identity;

/** One compiled (or queued) body of a method. */
typedef struct tierup_code_version {
    uint64_t code;      /**< Its code address; 0 while it has none. */
    uint64_t node;      /**< The runtime's version node, 0 for the first version. */
    uint32_t tier;      /**< tierup_tier */
    uint32_t is_active; /**< 1 if the entry point leads to it, through a counting stub or not. */
} tierup_code_version;

/** One method's state, explained. */
typedef struct tierup_method_state {
    uint32_t size;               /**< sizeof(tierup_method_state) */
    uint32_t compilation;        /**< tierup_compilation */
    uint32_t reason;             /**< tierup_reason */
    uint32_t tier;               /**< tierup_tier of the active code */
    uint32_t remaining_calls;    /**< As GetCallsToNextTierPromotion: 1 when cold, 0 when final or counted out. */
    uint32_t remaining_is_exact; /**< 0 where only an upper bound is known. */
    uint32_t version_count;      /**< How many versions there are, also beyond the caller's capacity. */
    uint32_t kinds;              /**< tierup_kind bits. */
    uint64_t entry_point;        /**< The stable entry point. */
    uint64_t active_code;        /**< The code that a call runs now; 0 when cold or unknown. */
    uint64_t real_method;        /**< See tierup_method_identity. */
    uint8_t entry_bytes[32];     /**< For TIERUP_REASON_SHAPE_UNKNOWN: the bytes that were not understood. */
} tierup_method_state;

/** What to wait for. */
typedef enum tierup_condition {
    TIERUP_UNTIL_FINAL_OR_COUNTING =
        0,                  /**< Final; or every promotion called for is published and the next call counts. Never waits for calls. */
    TIERUP_UNTIL_FINAL = 1, /**< Final. Waits for calls that others make. */
    TIERUP_UNTIL_TIERING_ACTIVE =
        2, /**< Process-wide (method 0): no call-counting delay is active, and the counting stubs of the methods that
                                             the last one held are installed. */
    TIERUP_UNTIL_NO_PENDING =
        3,                  /**< Process-wide (method 0): every background compilation that was pending has been published and activated,
                                             and none is pending now. A delay that is active holds pending ones back, and so this wait. */
    TIERUP_UNTIL_EVENTS = 4 /**< `method` is a stream of tierup_events_open: there is something to read, or it was closed. */
} tierup_condition;

/*
 * A poll's answer in one word, so that the fast path stores nothing:
 *   bits 0..1   tierup_compilation
 *   bit  2      the answer needs more than plain loads: call tierup_method_resolve
 *   bit  3      the method is not registered: call tierup_method_register
 *   bit  4      remaining is exact
 *   bits 8..15  tierup_reason
 *   bits 16..23 tierup_tier of the active code, TIERUP_TIER_UNKNOWN where not known without a query
 *   bits 32..63 remaining calls
 */
typedef uint64_t tierup_answer;
#define TIERUP_ANSWER_COMPILATION(a) ((uint32_t)((a)&3u))
#define TIERUP_ANSWER_NEEDS_RESOLVE(a) ((uint32_t)(((a) >> 2) & 1u))
#define TIERUP_ANSWER_NEEDS_REGISTER(a) ((uint32_t)(((a) >> 3) & 1u))
#define TIERUP_ANSWER_IS_EXACT(a) ((uint32_t)(((a) >> 4) & 1u))
#define TIERUP_ANSWER_REASON(a) ((uint32_t)(((a) >> 8) & 0xffu))
#define TIERUP_ANSWER_TIER(a) ((uint32_t)(((a) >> 16) & 0xffu))
#define TIERUP_ANSWER_REMAINING(a) ((uint32_t)((a) >> 32))

/** [any] TIERUP_ABI_VERSION of the library that was loaded. */
TIERUP_API uint32_t tierup_abi_version(void);

/** [any] The library's version as text, e.g. "0.1.0". */
TIERUP_API const char* tierup_version(void);

/** [preemptive] Finds the runtime, reads its settings, chooses the copy door, loads the data access library. Idempotent: later calls change
 *  nothing and return TIERUP_OK. A runtime that can't be watched is TIERUP_OK too: see tierup_get_capabilities. Starts no thread. */
TIERUP_API tierup_status tierup_start(const tierup_start_options* options);

/** [any] What works here. TIERUP_NOT_STARTED before tierup_start. */
TIERUP_API tierup_status tierup_get_capabilities(tierup_capabilities* capabilities);

/** [any] The effective settings. TIERUP_NOT_STARTED before tierup_start. */
TIERUP_API tierup_status tierup_get_settings(tierup_settings* settings);

/** [preemptive] Validates a method handle's value (RuntimeMethodHandle.Value) and says which method descriptor tiers. Any number is safe to ask.
 *  TIERUP_ABSENT: not a live method descriptor. TIERUP_FAULTED: memory changed under each of several looks, so that can't be told; ask again. */
TIERUP_API tierup_status tierup_method_inspect(uint64_t method, tierup_method_identity* identity);

/** [preemptive] Makes a method known to tierup_method_poll. `entry_point` is RuntimeMethodHandle.FromIntPtr(real_method).GetFunctionPointer();
 *  `kinds` adds what reflection knows. Idempotent. After tierup_method_inspect of the same method on the same thread it
 *  does not inspect again: the caller holds the handle over both calls. TIERUP_UNSUPPORTED for collectible and dynamic methods: their memory can go away, ask
 *  tierup_method_resolve each time. */
TIERUP_API tierup_status tierup_method_register(uint64_t method, uint64_t entry_point, uint32_t kinds);

/** [cooperative] The state by plain loads along the chain that registration validated. Never blocks, allocates or faults; 10–30 ns. */
TIERUP_API tierup_answer tierup_method_poll(uint64_t method);

/** [cooperative] For one who spins while a compile is under way: polls again and again, for about 2 µs at most, until something changes. Code that
 *  was counted out and not replaced yet reads as TIERUP_REASON_PROMOTION_PENDING here, though it might be an abandoned promotion. Not a poll: end
 *  with one, or with a wait. */
TIERUP_API tierup_answer tierup_method_glance(uint64_t method);

/** [preemptive] The state by kernel-checked copies, asking the data access library where a code address is new. Works unregistered too
 *  (then `entry_point` of the handle must be given, else 0). */
TIERUP_API tierup_status tierup_method_resolve(uint64_t method, uint64_t entry_point, uint32_t kinds, tierup_answer* answer);

/** [preemptive] The state with its code versions: up to `capacity` into `versions` (may be null with 0). */
TIERUP_API tierup_status tierup_method_get_state(uint64_t method, uint64_t entry_point, uint32_t kinds, tierup_method_state* state,
                                                 tierup_code_version* versions, uint32_t capacity);

/** Names a wait under way; 0 is none. Never used twice in a process, so a stale one is harmless. */
typedef uint64_t tierup_wait_id;

/** [preemptive] Begins a wait for a registered method. If the condition holds already (or comes true while the library spins, for less than
 *  `spin_ns`), returns TIERUP_OK with `*wait` 0 and calls nothing back. Otherwise `*wait` is set (before the callback can run) and the callback
 *  will run once. TIERUP_UNKNOWN: the state is undecidable, nothing was begun; `*answer` says why. TIERUP_EXHAUSTED: no memory or
 *  thread could be had, nothing was begun. Neither pointer may be null. */
TIERUP_API tierup_status tierup_wait_begin(uint64_t method, tierup_condition condition, uint64_t spin_ns, void* context,
                                           tierup_wait_id* wait, tierup_answer* answer);

/** [preemptive] Takes a wait back. TIERUP_OK: the callback has not run and will not. TIERUP_ABSENT: it has run, is running or is about to; the
 *  context must stay valid until it did. Safe with any number, any number of times. */
TIERUP_API tierup_status tierup_wait_cancel(tierup_wait_id wait);

/** [preemptive] Blocks until the condition holds or `timeout_ns` (UINT64_MAX: no limit) has passed: TIERUP_OK, TIERUP_TIMED_OUT, or TIERUP_UNKNOWN.
 *  `*answer` is the last one seen. TIERUP_EXHAUSTED: no memory or thread. TIERUP_UNSUPPORTED: called inside a wait's callback. */
TIERUP_API tierup_status tierup_wait_block(uint64_t method, tierup_condition condition, uint64_t spin_ns, uint64_t timeout_ns,
                                           tierup_answer* answer);

/*
 * Signals: the runtime's own events, delivered on the threads that fire them, without EventSource.
 */

typedef enum tierup_signals_state {
    TIERUP_SIGNALS_NONE = 0,      /**< Not needed yet. */
    TIERUP_SIGNALS_ATTACHING = 1, /**< The attach request is on its way; waits poll meanwhile. */
    TIERUP_SIGNALS_ATTACHED = 2,
    TIERUP_SIGNALS_FAILED = 3,  /**< See the reason; waits poll, with the same answers. */
    TIERUP_SIGNALS_DISABLED = 4 /**< TIERUP_SIGNALS_OFF. */
} tierup_signals_state;

/** What wakes the waits, and what is known of the runtime's tiering manager. Texts live as long as the process; never null. */
typedef struct tierup_signals {
    uint32_t size;             /**< sizeof(tierup_signals) */
    uint8_t state;             /**< tierup_signals_state */
    uint8_t loaded_at_startup; /**< 1: by CORECLR_NOTIFICATION_PROFILERS, not by attaching. */
    uint8_t queue_view;        /**< 1: the tiering manager's queue, count and flags are located and have passed every check so far. */
    uint8_t batch_known;       /**< 1: whether the background worker is in a batch is known; until then nothing is told to be idle. */
    uint8_t method_events_on;  /**< 1: the Jit keyword is on just now, because somebody waits or listens. */
    uint8_t reserved[3];
    const char* state_reason;        /**< "" or why not attached. */
    const char* queue_view_reason;   /**< "" or why not located, or which invariant broke. */
    const char* found_by;            /**< "", "pending list", "batch events" or "pending list and batch events". */
    uint64_t attach_ns;              /**< How long the attach took; 0 if there was none. */
    uint64_t events_received;        /**< All events that the runtime delivered to us. */
    uint64_t method_events_received; /**< Of these, those of the Jit keyword. */
    uint64_t sessions_started;       /**< Sessions of the Jit keyword begun so far. */
    uint64_t manager_address;        /**< Of the pending list's pointer in the AppDomain, for tests and `doctor`; 0 unknown. */
} tierup_signals;

/** [any] */
TIERUP_API tierup_status tierup_get_signals(tierup_signals* signals);

/** [preemptive] Asks for signals now instead of at the first need: the attach runs on a thread of its own, the call returns at once. Idempotent. */
TIERUP_API tierup_status tierup_signals_request(void);

/** [preemptive] Tells the library of a method that was called for the first time a moment ago: it stands in the runtime's list of methods pending call
 *  counting now, which is how that list is found. Looks only if the queue view is still wanted. TIERUP_ABSENT: the method is in no such list (no
 *  delay). TIERUP_OK: located, now or before. */
TIERUP_API tierup_status tierup_signals_offer_probe(uint64_t method);

/** [any] How many background compilations are pending, by plain loads of a few words: bits 0..31 the count, bit 32 set if it is known. The methods that
 *  reached their threshold, the queued ones and the one being compiled are counted. 0 with bit 32 set means idle, exactly; a number above 0 may be
 *  off by those in motion. Unknown whether idle: at least 1. */
TIERUP_API uint64_t tierup_pending_count(void);

/** Where a pending compilation stands. */
typedef enum tierup_pending_state {
    TIERUP_PENDING_THRESHOLD_REACHED = 1, /**< Counted out; the worker has not made it a queue entry yet. */
    TIERUP_PENDING_QUEUED = 2,
    TIERUP_PENDING_COMPILING = 3 /**< Taken out of the queue, not activated yet. */
} tierup_pending_state;

typedef struct tierup_pending_compilation {
    uint64_t method;      /**< The method descriptor that tiers. */
    uint64_t node;        /**< The version node, 0 while it has none. */
    uint32_t state;       /**< tierup_pending_state */
    uint32_t target_tier; /**< tierup_tier; TIERUP_TIER_UNKNOWN where nobody can tell yet. */
} tierup_pending_compilation;

/** [preemptive] The pending compilations: the one being compiled, the queue in its order, then the ones that reached their threshold. `*count` is how many
 *  there are, also beyond `capacity`. A moment's picture: the runtime goes on meanwhile. TIERUP_UNSUPPORTED without a queue view. */
TIERUP_API tierup_status tierup_list_pending(tierup_pending_compilation* items, uint32_t capacity, uint32_t* count);

/** [preemptive] The method's full name, UTF-8, by the data access library. `*needed` counts the terminating zero; a buffer that is too small
 *  gets what fits, terminated. TIERUP_ABSENT: no live method; TIERUP_UNSUPPORTED: no data access library. */
TIERUP_API tierup_status tierup_method_name(uint64_t method, char* buffer, uint32_t capacity, uint32_t* needed);

/*
 * Event streams: every tiering event of the process, in order, without loss.
 */

typedef enum tierup_event_kind {
    TIERUP_EVENT_QUEUED =
        1, /**< A promotion stands in the queue. `tier` is its target. Seen by the worker at its next step, at latest when it begins to compile it. */
    TIERUP_EVENT_JIT_STARTED =
        2, /**< Only with names (the runtime tells it at level 5). `count` is the IL size in bytes. `tier` unknown unless it was queued. */
    TIERUP_EVENT_PUBLISHED = 3, /**< Native code exists: `code`, `code_bytes`, `tier`. The entry point is switched right after. */
    TIERUP_EVENT_ACTIVATED = 4, /**< A background promotion's code is behind the entry point. Seen at the worker's next step. */
    TIERUP_EVENT_DISCARDED = 5, /**< A background compilation ended without being activated (very large methods). */
    TIERUP_EVENT_DELAY_BEGAN = 6,
    TIERUP_EVENT_DELAY_ENDED = 7, /**< `count`: methods called for the first time during it. */
    TIERUP_EVENT_BATCH_BEGAN = 8, /**< `count`: pending compilations as the runtime counts them. */
    TIERUP_EVENT_BATCH_ENDED = 9, /**< `count` as above; `jitted`: compilations of this batch. */
    TIERUP_EVENT_GAP = 10         /**< Bounded streams only: `count` events found no room here. */
} tierup_event_kind;

/** Bits of tierup_event's flags. */
typedef enum tierup_event_flags {
    TIERUP_EVENT_NAMES_CUT = 1,        /**< A text was longer than 4,096 UTF-16 units and ends there. */
    TIERUP_EVENT_COUNT_IS_AT_LEAST = 2 /**< A gap so long that its counter was full. */
} tierup_event_flags;

/** One event; `size` bytes, a multiple of 8. Behind it, if `name_units` is not 0: namespace, name and signature, each UTF-16 and zero-terminated. */
typedef struct tierup_event {
    uint32_t size;
    uint8_t kind;        /**< tierup_event_kind */
    uint8_t tier;        /**< tierup_tier */
    uint16_t name_units; /**< UTF-16 units of the three texts with their zeros. */
    uint64_t sequence;   /**< 1, 2, 3… in this stream; a gap record's own number is the last one of those that it stands for. */
    uint64_t time_ns;    /**< CLOCK_MONOTONIC. */
    uint64_t method;
    uint64_t module;
    uint64_t code;
    uint64_t node; /**< The version node, where known. */
    uint32_t code_bytes;
    uint32_t token;
    uint32_t thread; /**< The kernel's thread id. */
    uint32_t count;
    uint32_t jitted;
    uint32_t flags; /**< tierup_event_flags */
} tierup_event;

typedef struct tierup_events_options {
    uint32_t size;  /**< sizeof(tierup_events_options) */
    uint32_t names; /**< 1: with JIT_STARTED and names; costs the runtime about 4 us a compiled method. 0: without. */
    uint64_t
        capacity_bytes; /**< 0: unbounded. Else at most about so many bytes wait to be read; what does not fit is counted in a gap record. */
} tierup_events_options;

/** [preemptive] Opens a stream; events are delivered from when the session is on, which may be a moment later (see tierup_get_signals). TIERUP_UNSUPPORTED:
 *  signals are off or failed. TIERUP_EXHAUSTED: too many streams (8) or no memory. */
TIERUP_API tierup_status tierup_events_open(const tierup_events_options* options, uint64_t* stream);

/** [preemptive] Copies whole events out, in order; `*bytes` 0: none yet. One reader at a time per stream. TIERUP_ABSENT: no such stream.
 *  TIERUP_EXHAUSTED: `capacity` is too small for the next event, `*bytes` says its size; nothing is lost. */
TIERUP_API tierup_status tierup_events_read(uint64_t stream, void* buffer, uint32_t capacity, uint32_t* bytes);

/** [preemptive] Ends a stream and frees what it holds. Waits for it end. */
TIERUP_API tierup_status tierup_events_close(uint64_t stream);

/** Figures about the library itself, for its tests, benches and `doctor`. */
typedef struct tierup_statistics {
    uint32_t size;               /**< sizeof(tierup_statistics) */
    uint32_t dispatcher_running; /**< 1 while the dispatcher thread exists. */
    uint64_t waits_pending;
    uint64_t waits_ended;
    uint64_t evaluations; /**< Predicate evaluations by the dispatcher. */
    uint64_t dac_queries; /**< Queries that reached the data access library. */
    uint64_t dac_cache_hits;
    uint64_t methods_registered;
} tierup_statistics;

/** [any] */
TIERUP_API tierup_status tierup_get_statistics(tierup_statistics* statistics);

/** [any] Names for people and logs: "counting", "tier-1"… Never null; an unknown value gives "?". */
TIERUP_API const char* tierup_status_name(tierup_status status);
TIERUP_API const char* tierup_compilation_name(tierup_compilation compilation);
TIERUP_API const char* tierup_tier_name(tierup_tier tier);
TIERUP_API const char* tierup_reason_name(tierup_reason reason);
/** [any] One sentence of explanation for a reason. */
TIERUP_API const char* tierup_reason_text(tierup_reason reason);

/** [the runtime] How the runtime gets the profiler object of this library, after tierup_signals_request or by the startup variables; not for others.
 *  An HRESULT. The class id is {fbf851ca-5245-4420-a686-e412795052f7}. */
TIERUP_API int32_t DllGetClassObject(const void* class_id, const void* interface_id, void** object);

#if defined(__cplusplus)
}
#endif

#endif
