/*
 * What     The C header and libtierup.so from a C program: layouts, statuses before start, null and garbage arguments.
 * What not The answers for real methods: this process hosts no runtime. dotnet/ tests those.
 * Threads  One.
 * Failure  Prints the check that failed and exits 1. Each case is a process of its own: some need a library never started.
 * Source   The documentation in include/tierup/tierup.h; the layouts as the x64 System V ABI lays them out.
 */
#include "tierup/tierup.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

uint32_t abi_version_seen_by_another_file(void);

static int failures;

#define CHECK(condition)                                                            \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            ++failures;                                                             \
        }                                                                           \
    } while (0)

static void count_callback(void* context, tierup_status status) {
    (void)status;
    ++*(int*)context;
}

static const uint64_t garbage[] = {0, 1, 0x1234, 0x7fffffffffffULL, 0x800000000000ULL, 0xffff800000000000ULL, UINT64_MAX - 7, UINT64_MAX};
#define GARBAGE_COUNT (sizeof(garbage) / sizeof(garbage[0]))

/* Calls `f` with a valid struct of `type` whose size field is set. */
#define SIZED(type, name)          \
    type name;                     \
    memset(&name, 0, sizeof name); \
    name.size = (uint32_t)sizeof name

static tierup_status start(void) {
    SIZED(tierup_start_options, options);
    return tierup_start(&options);
}

static void layout_of_every_struct_is_what_the_csharp_side_mirrors(void) {
    CHECK(sizeof(tierup_property) == 16);
    CHECK(sizeof(tierup_start_options) == 40 && offsetof(tierup_start_options, signals_mode) == 24 &&
          offsetof(tierup_start_options, on_thread_began) == 32);
    CHECK(offsetof(tierup_start_options, properties) == 8 && offsetof(tierup_start_options, on_wait_ended) == 16);
    CHECK(sizeof(tierup_settings) == 24 && offsetof(tierup_settings, tiered_compilation) == 16 && offsetof(tierup_settings, osr) == 23);
    CHECK(sizeof(tierup_capabilities) == 48);
    CHECK(offsetof(tierup_capabilities, runtime_major) == 4 && offsetof(tierup_capabilities, polls) == 6);
    CHECK(offsetof(tierup_capabilities, polls_reason) == 8 && offsetof(tierup_capabilities, copy_door) == 40);
    CHECK(sizeof(tierup_method_identity) == 40);
    CHECK(offsetof(tierup_method_identity, token) == 32 && offsetof(tierup_method_identity, eligible) == 36);
    CHECK(sizeof(tierup_code_version) == 24 && offsetof(tierup_code_version, tier) == 16);
    CHECK(sizeof(tierup_method_state) == 88);
    CHECK(offsetof(tierup_method_state, entry_point) == 32 && offsetof(tierup_method_state, entry_bytes) == 56);
    CHECK(sizeof(tierup_statistics) == 56 && offsetof(tierup_statistics, waits_pending) == 8);
    CHECK(sizeof(tierup_answer) == 8 && sizeof(tierup_wait_id) == 8);
    CHECK(sizeof(tierup_status) == 4 && sizeof(tierup_condition) == 4);
    CHECK(sizeof(tierup_signals) == 80 && offsetof(tierup_signals, state_reason) == 16 && offsetof(tierup_signals, attach_ns) == 40);
    CHECK(offsetof(tierup_signals, manager_address) == 72);
    CHECK(sizeof(tierup_pending_compilation) == 24 && offsetof(tierup_pending_compilation, target_tier) == 20);
    CHECK(sizeof(tierup_event) == 80 && offsetof(tierup_event, sequence) == 8 && offsetof(tierup_event, flags) == 76);
    CHECK(sizeof(tierup_events_options) == 16 && offsetof(tierup_events_options, capacity_bytes) == 8);
}

static void numbers_of_every_enum_are_what_the_csharp_side_mirrors(void) {
    CHECK(TIERUP_OK == 0 && TIERUP_INVALID_ARGUMENT == 7 && TIERUP_NOT_STARTED == 9);
    CHECK(TIERUP_COLD == 0 && TIERUP_OPTIMIZING == 1 && TIERUP_FINAL == 2 && TIERUP_UNDECIDED == 3);
    CHECK(TIERUP_TIER_UNKNOWN == 0 && TIERUP_TIER_0 == 3 && TIERUP_TIER_1 == 7 && TIERUP_TIER_1_OSR == 8);
    CHECK(TIERUP_REASON_COUNTING == 3 && TIERUP_REASON_TIER_1 == 16 && TIERUP_REASON_NO_DAC == 32);
    CHECK(TIERUP_KIND_CLASS_CONSTRUCTOR == 1 && TIERUP_KIND_UNVALIDATED == 128);
    CHECK(TIERUP_UNTIL_FINAL_OR_COUNTING == 0 && TIERUP_UNTIL_FINAL == 1);
    CHECK(TIERUP_UNTIL_TIERING_ACTIVE == 2 && TIERUP_UNTIL_NO_PENDING == 3 && TIERUP_UNTIL_EVENTS == 4);
    CHECK(TIERUP_SIGNALS_AUTO == 0 && TIERUP_SIGNALS_OFF == 1 && TIERUP_SIGNALS_ATTACHED == 2 && TIERUP_SIGNALS_DISABLED == 4);
    CHECK(TIERUP_PENDING_THRESHOLD_REACHED == 1 && TIERUP_PENDING_COMPILING == 3);
    CHECK(TIERUP_EVENT_QUEUED == 1 && TIERUP_EVENT_PUBLISHED == 3 && TIERUP_EVENT_BATCH_ENDED == 9 && TIERUP_EVENT_GAP == 10);
}

static void version_functions_answer_before_start(void) {
    CHECK(tierup_abi_version() == TIERUP_ABI_VERSION);
    CHECK(tierup_abi_version() == abi_version_seen_by_another_file());
    CHECK(tierup_version() != NULL);
    int major = -1, minor = -1, patch = -1;
    CHECK(sscanf(tierup_version(), "%d.%d.%d", &major, &minor, &patch) == 3);
    CHECK(major >= 0 && minor >= 0 && patch >= 0);
}

static void every_function_before_start_says_so(void) {
    SIZED(tierup_capabilities, capabilities);
    SIZED(tierup_settings, settings);
    SIZED(tierup_method_identity, identity);
    SIZED(tierup_method_state, state);
    tierup_answer answer = 0;
    tierup_wait_id wait = 77;
    CHECK(tierup_get_capabilities(&capabilities) == TIERUP_NOT_STARTED);
    CHECK(tierup_get_settings(&settings) == TIERUP_NOT_STARTED);
    CHECK(tierup_method_inspect(0x1234, &identity) == TIERUP_NOT_STARTED);
    CHECK(tierup_method_register(0x1234, 0, 0) == TIERUP_NOT_STARTED);
    CHECK(tierup_method_resolve(0x1234, 0, 0, &answer) == TIERUP_NOT_STARTED);
    CHECK(tierup_method_get_state(0x1234, 0, 0, &state, NULL, 0) == TIERUP_NOT_STARTED);
    CHECK(tierup_wait_begin(0x1234, TIERUP_UNTIL_FINAL, 0, NULL, &wait, &answer) == TIERUP_NOT_STARTED);
    CHECK(tierup_wait_block(0x1234, TIERUP_UNTIL_FINAL, 0, 0, &answer) == TIERUP_NOT_STARTED);
    CHECK(TIERUP_ANSWER_NEEDS_REGISTER(tierup_method_poll(0x1234)) == 1);
    SIZED(tierup_signals, signals);
    SIZED(tierup_events_options, events);
    uint64_t stream = 0;
    uint32_t number = 0;
    CHECK(tierup_get_signals(&signals) == TIERUP_NOT_STARTED);
    CHECK(tierup_signals_request() == TIERUP_NOT_STARTED);
    CHECK(tierup_signals_offer_probe(0x1234) == TIERUP_NOT_STARTED);
    CHECK(tierup_pending_count() == 1); /* not known to be idle */
    CHECK(tierup_list_pending(NULL, 0, &number) == TIERUP_NOT_STARTED);
    CHECK(tierup_method_name(0x1234, NULL, 0, &number) == TIERUP_NOT_STARTED);
    CHECK(tierup_events_open(&events, &stream) == TIERUP_NOT_STARTED);
    CHECK(tierup_events_read(1, NULL, 0, &number) == TIERUP_NOT_STARTED);
    CHECK(tierup_events_close(1) == TIERUP_NOT_STARTED);
    const tierup_status cancelled = tierup_wait_cancel(1);
    CHECK(cancelled == TIERUP_NOT_STARTED || cancelled == TIERUP_ABSENT);
}

static void refuse_null_arguments(void) {
    tierup_answer answer = 0;
    tierup_wait_id wait = 0;
    CHECK(tierup_get_capabilities(NULL) == TIERUP_INVALID_ARGUMENT);
    CHECK(tierup_get_settings(NULL) == TIERUP_INVALID_ARGUMENT);
    CHECK(tierup_get_statistics(NULL) == TIERUP_INVALID_ARGUMENT);
    CHECK(tierup_method_inspect(0x1234, NULL) == TIERUP_INVALID_ARGUMENT);
    CHECK(tierup_method_resolve(0x1234, 0, 0, NULL) == TIERUP_INVALID_ARGUMENT);
    CHECK(tierup_method_get_state(0x1234, 0, 0, NULL, NULL, 0) == TIERUP_INVALID_ARGUMENT);
    CHECK(tierup_wait_begin(0x1234, TIERUP_UNTIL_FINAL, 0, NULL, NULL, &answer) == TIERUP_INVALID_ARGUMENT);
    CHECK(tierup_wait_begin(0x1234, TIERUP_UNTIL_FINAL, 0, NULL, &wait, NULL) == TIERUP_INVALID_ARGUMENT);
    CHECK(tierup_wait_block(0x1234, TIERUP_UNTIL_FINAL, 0, 0, NULL) == TIERUP_INVALID_ARGUMENT);
    CHECK(tierup_start(NULL) == TIERUP_INVALID_ARGUMENT);
    CHECK(tierup_get_signals(NULL) == TIERUP_INVALID_ARGUMENT);
    uint32_t number = 0;
    uint64_t stream = 0;
    SIZED(tierup_events_options, events);
    CHECK(tierup_list_pending(NULL, 0, NULL) == TIERUP_INVALID_ARGUMENT);
    CHECK(tierup_list_pending(NULL, 1, &number) == TIERUP_INVALID_ARGUMENT);
    CHECK(tierup_method_name(0x1234, NULL, 1, &number) == TIERUP_INVALID_ARGUMENT);
    CHECK(tierup_method_name(0x1234, NULL, 0, NULL) == TIERUP_INVALID_ARGUMENT);
    CHECK(tierup_events_open(NULL, &stream) == TIERUP_INVALID_ARGUMENT);
    CHECK(tierup_events_open(&events, NULL) == TIERUP_INVALID_ARGUMENT);
    CHECK(tierup_events_read(1, NULL, 1, &number) == TIERUP_INVALID_ARGUMENT);
    CHECK(tierup_events_read(1, NULL, 0, NULL) == TIERUP_INVALID_ARGUMENT);
    SIZED(tierup_method_state, state);
    CHECK(tierup_method_get_state(0x1234, 0, 0, &state, NULL, 1) == TIERUP_INVALID_ARGUMENT);
    SIZED(tierup_start_options, options);
    options.property_count = 1;
    CHECK(tierup_start(&options) == TIERUP_INVALID_ARGUMENT);
}

static void null_arguments_are_refused_before_and_after_start(void) {
    refuse_null_arguments();
    CHECK(start() == TIERUP_OK);
    refuse_null_arguments();
}

/* A capabilities struct with a guard behind it that the library must not touch. */
static void sizes_too_small_are_refused_and_nothing_is_written_behind_them(void) {
    struct {
        tierup_capabilities capabilities;
        unsigned char guard[64];
    } guarded;
    CHECK(start() == TIERUP_OK);
    memset(&guarded, 0xa5, sizeof guarded);
    guarded.capabilities.size = 0;
    CHECK(tierup_get_capabilities(&guarded.capabilities) == TIERUP_INVALID_ARGUMENT);
    guarded.capabilities.size = 3;
    CHECK(tierup_get_capabilities(&guarded.capabilities) == TIERUP_INVALID_ARGUMENT);
    guarded.capabilities.size = (uint32_t)sizeof guarded;
    const tierup_status larger = tierup_get_capabilities(&guarded.capabilities);
    CHECK(larger == TIERUP_OK || larger == TIERUP_INVALID_ARGUMENT);
    guarded.capabilities.size = (uint32_t)sizeof guarded.capabilities;
    CHECK(tierup_get_capabilities(&guarded.capabilities) == TIERUP_OK);
    for (size_t i = 0; i < sizeof guarded.guard; ++i) {
        CHECK(guarded.guard[i] == 0xa5);
    }
    SIZED(tierup_start_options, options);
    options.size = 4;
    CHECK(tierup_start(&options) == TIERUP_INVALID_ARGUMENT);
}

static void a_process_without_a_runtime_starts_and_says_why_nothing_works(void) {
    SIZED(tierup_capabilities, capabilities);
    CHECK(start() == TIERUP_OK);
    CHECK(tierup_get_capabilities(&capabilities) == TIERUP_OK);
    CHECK(capabilities.runtime_major == 0 && capabilities.polls == 0 && capabilities.tiers == 0);
    CHECK(capabilities.polls_reason != NULL && capabilities.polls_reason[0] != '\0');
    CHECK(capabilities.tiers_reason != NULL && capabilities.tiers_reason[0] != '\0');
    CHECK(capabilities.runtime_path != NULL && capabilities.dac_path != NULL && capabilities.copy_door != NULL);
    SIZED(tierup_statistics, statistics);
    CHECK(tierup_get_statistics(&statistics) == TIERUP_OK);
    CHECK(statistics.dispatcher_running == 0 && statistics.waits_pending == 0 && statistics.methods_registered == 0);
}

static void without_a_runtime_signals_are_a_state_and_no_error(void) {
    CHECK(start() == TIERUP_OK);
    SIZED(tierup_signals, signals);
    SIZED(tierup_events_options, events);
    uint64_t stream = 0;
    uint32_t number = 0;
    CHECK(tierup_signals_request() == TIERUP_OK);
    CHECK(tierup_get_signals(&signals) == TIERUP_OK);
    CHECK(signals.state == TIERUP_SIGNALS_DISABLED && signals.queue_view == 0 && signals.batch_known == 0);
    CHECK(signals.state_reason[0] != 0 && signals.queue_view_reason[0] != 0 && signals.found_by[0] == 0);
    CHECK(tierup_signals_offer_probe(0x1234) == TIERUP_UNSUPPORTED);
    CHECK(tierup_list_pending(NULL, 0, &number) == TIERUP_UNSUPPORTED && number == 0);
    CHECK(tierup_events_open(&events, &stream) == TIERUP_UNSUPPORTED && stream == 0);
    CHECK(tierup_events_read(12345, NULL, 0, &number) == TIERUP_ABSENT);
    CHECK(tierup_events_close(12345) == TIERUP_ABSENT);
    tierup_answer answer = 0;
    CHECK(tierup_wait_block(0, TIERUP_UNTIL_NO_PENDING, 0, 1000, &answer) == TIERUP_UNSUPPORTED);
    CHECK(tierup_wait_block(7, TIERUP_UNTIL_TIERING_ACTIVE, 0, 1000, &answer) == TIERUP_INVALID_ARGUMENT);
    void* object = &stream;
    CHECK(DllGetClassObject(&stream, &stream, &object) < 0);
}

static void start_options_of_the_first_size_are_taken(void) {
    tierup_start_options options;
    memset(&options, 0, sizeof options);
    options.size = 24;
    CHECK(tierup_start(&options) == TIERUP_OK);
    options.size = 23;
    CHECK(tierup_start(&options) == TIERUP_INVALID_ARGUMENT);
    options.size = (uint32_t)sizeof options;
    options.signals_mode = 2;
    CHECK(tierup_start(&options) == TIERUP_INVALID_ARGUMENT);
}

static void start_twice_is_ok(void) {
    CHECK(start() == TIERUP_OK);
    CHECK(start() == TIERUP_OK);
    const tierup_property property = {"System.Runtime.TieredCompilation", "false"};
    SIZED(tierup_start_options, options);
    options.property_count = 1;
    options.properties = &property;
    options.on_wait_ended = count_callback;
    CHECK(tierup_start(&options) == TIERUP_OK);
}

/* A failed status, or a state that names no answer: never a guess about a method that is none. */
static int is_honest(tierup_status status, tierup_answer answer) {
    return status != TIERUP_OK || TIERUP_ANSWER_COMPILATION(answer) == TIERUP_UNDECIDED;
}

static void any_number_is_safe_as_a_method(void) {
    CHECK(start() == TIERUP_OK);
    for (size_t i = 0; i < GARBAGE_COUNT; ++i) {
        SIZED(tierup_method_identity, identity);
        SIZED(tierup_method_state, state);
        tierup_answer answer = 0;
        tierup_wait_id wait = 0;
        int called = 0;
        CHECK(tierup_method_inspect(garbage[i], &identity) != TIERUP_OK);
        CHECK(tierup_method_register(garbage[i], garbage[i], 0) != TIERUP_OK);
        CHECK(TIERUP_ANSWER_NEEDS_REGISTER(tierup_method_poll(garbage[i])) == 1);
        CHECK(is_honest(tierup_method_resolve(garbage[i], garbage[i], 0, &answer), answer));
        const tierup_status got = tierup_method_get_state(garbage[i], garbage[i], 0, &state, NULL, 0);
        CHECK(got != TIERUP_OK || state.compilation == TIERUP_UNDECIDED);
        CHECK(tierup_wait_begin(garbage[i], TIERUP_UNTIL_FINAL, 0, &called, &wait, &answer) != TIERUP_OK);
        CHECK(wait == 0 && called == 0);
        CHECK(tierup_wait_block(garbage[i], TIERUP_UNTIL_FINAL_OR_COUNTING, 0, 1000000, &answer) != TIERUP_OK);
    }
    tierup_wait_id wait = 0;
    tierup_answer answer = 0;
    CHECK(tierup_wait_begin(0x1234, (tierup_condition)99, 0, NULL, &wait, &answer) == TIERUP_INVALID_ARGUMENT);
    CHECK(tierup_wait_block(0x1234, (tierup_condition)99, 0, 0, &answer) == TIERUP_INVALID_ARGUMENT);
}

static void any_number_is_safe_as_a_wait(void) {
    CHECK(start() == TIERUP_OK);
    for (size_t i = 0; i < GARBAGE_COUNT; ++i) {
        CHECK(tierup_wait_cancel(garbage[i]) == TIERUP_ABSENT);
    }
}

static void names_are_never_null_and_unknown_values_read_as_a_question_mark(void) {
    for (int value = -2; value < 300; ++value) {
        CHECK(tierup_status_name((tierup_status)value) != NULL);
        CHECK(tierup_compilation_name((tierup_compilation)value) != NULL);
        CHECK(tierup_tier_name((tierup_tier)value) != NULL);
        CHECK(tierup_reason_name((tierup_reason)value) != NULL);
        CHECK(tierup_reason_text((tierup_reason)value) != NULL);
    }
    CHECK(strcmp(tierup_status_name((tierup_status)99), "?") == 0);
    CHECK(strcmp(tierup_compilation_name((tierup_compilation)99), "?") == 0);
    CHECK(strcmp(tierup_tier_name((tierup_tier)99), "?") == 0);
    CHECK(strcmp(tierup_reason_name((tierup_reason)99), "?") == 0);
    for (int value = TIERUP_OK; value <= TIERUP_NOT_STARTED; ++value) {
        CHECK(strcmp(tierup_status_name((tierup_status)value), "?") != 0);
    }
    for (int value = TIERUP_COLD; value <= TIERUP_UNDECIDED; ++value) {
        CHECK(strcmp(tierup_compilation_name((tierup_compilation)value), "?") != 0);
    }
    for (int value = TIERUP_TIER_UNKNOWN; value <= TIERUP_TIER_1_OSR; ++value) {
        CHECK(strcmp(tierup_tier_name((tierup_tier)value), "?") != 0);
    }
    CHECK(strcmp(tierup_reason_name(TIERUP_REASON_COUNTING), "counting") == 0);
    CHECK(strcmp(tierup_tier_name(TIERUP_TIER_1), "tier-1") == 0);
}

static void an_answer_comes_apart_into_its_fields(void) {
    const tierup_answer answer = (uint64_t)TIERUP_OPTIMIZING | (1u << 4) | ((uint64_t)TIERUP_REASON_COUNTING << 8) |
                                 ((uint64_t)TIERUP_TIER_READY_TO_RUN << 16) | ((uint64_t)30 << 32);
    CHECK(TIERUP_ANSWER_COMPILATION(answer) == TIERUP_OPTIMIZING);
    CHECK(TIERUP_ANSWER_NEEDS_RESOLVE(answer) == 0 && TIERUP_ANSWER_NEEDS_REGISTER(answer) == 0);
    CHECK(TIERUP_ANSWER_IS_EXACT(answer) == 1);
    CHECK(TIERUP_ANSWER_REASON(answer) == TIERUP_REASON_COUNTING);
    CHECK(TIERUP_ANSWER_TIER(answer) == TIERUP_TIER_READY_TO_RUN);
    CHECK(TIERUP_ANSWER_REMAINING(answer) == 30);
}

#define CASE(name) \
    { #name, name }
static const struct {
    const char* name;
    void (*run)(void);
} cases[] = {
    CASE(layout_of_every_struct_is_what_the_csharp_side_mirrors),
    CASE(numbers_of_every_enum_are_what_the_csharp_side_mirrors),
    CASE(version_functions_answer_before_start),
    CASE(every_function_before_start_says_so),
    CASE(null_arguments_are_refused_before_and_after_start),
    CASE(sizes_too_small_are_refused_and_nothing_is_written_behind_them),
    CASE(a_process_without_a_runtime_starts_and_says_why_nothing_works),
    CASE(start_twice_is_ok),
    CASE(without_a_runtime_signals_are_a_state_and_no_error),
    CASE(start_options_of_the_first_size_are_taken),
    CASE(any_number_is_safe_as_a_method),
    CASE(any_number_is_safe_as_a_wait),
    CASE(names_are_never_null_and_unknown_values_read_as_a_question_mark),
    CASE(an_answer_comes_apart_into_its_fields),
};

int main(int argc, char** argv) {
    for (size_t i = 0; argc == 2 && i < sizeof(cases) / sizeof(cases[0]); ++i) {
        if (strcmp(cases[i].name, argv[1]) == 0) {
            cases[i].run();
            return failures == 0 ? 0 : 1;
        }
    }
    fprintf(stderr, "usage: abi_c CASE\n");
    return 2;
}
