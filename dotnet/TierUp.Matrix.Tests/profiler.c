/*
 * What     The smallest classic profiler: sets the event masks that two environment variables name, ignores every callback.
 * What not Watches nothing.
 * Threads  The runtime's.
 * Failure  A mask that the runtime refuses is Initialize's result: the runtime then says so and runs without the profiler.
 * Source   corprof.idl of dotnet/diagnostics: slot numbers, interface ids, COR_PRF_* values (given by Knobs.cs).
 */
#include <stdint.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))
enum { kCallbackSlots = 128, kInitializeSlot = 3, kSetEventMask2Slot = 82, kFail = (int)0x80004005 };

/* ICorProfilerInfo5 {07602928-ce38-4b83-81e7-74adaf781214} */
static const uint8_t kInfo5[16] = {0x28, 0x29, 0x60, 0x07, 0x38, 0xce, 0x83, 0x4b, 0x81, 0xe7, 0x74, 0xad, 0xaf, 0x78, 0x12, 0x14};

static void *callback_slots[kCallbackSlots];
static void *callback[1] = {callback_slots};

static int ignore(void) { return 0; }
static uint32_t count(void *self) { (void)self; return 1; }

static int query(void *self, const void *id, void **out) {
    (void)id;
    *out = self;
    return 0;
}

static int initialize(void *self, void *unknown) {
    (void)self;
    void ***info = NULL;
    int (*ask)(void *, const void *, void **) = (int (*)(void *, const void *, void **))(*(void ***)unknown)[0];
    if (ask(unknown, kInfo5, (void **)&info) != 0 || info == NULL) return kFail;
    const char *low = getenv("TIERUP_PROFILER_LOW"), *high = getenv("TIERUP_PROFILER_HIGH");
    int (*set)(void *, uint32_t, uint32_t) = (int (*)(void *, uint32_t, uint32_t))(*info)[kSetEventMask2Slot];
    return set(info, low ? (uint32_t)strtoul(low, NULL, 16) : 0, high ? (uint32_t)strtoul(high, NULL, 16) : 0);
}

static int create(void *self, void *outer, const void *id, void **out) {
    (void)self;
    (void)outer;
    (void)id;
    for (int slot = 0; slot < kCallbackSlots; slot++) callback_slots[slot] = (void *)ignore;
    callback_slots[0] = (void *)query;
    callback_slots[1] = callback_slots[2] = (void *)count;
    callback_slots[kInitializeSlot] = (void *)initialize;
    *out = callback;
    return 0;
}

static void *factory_slots[5] = {(void *)query, (void *)count, (void *)count, (void *)create, (void *)ignore};
static void *factory[1] = {factory_slots};

EXPORT int DllGetClassObject(const void *class_id, const void *id, void **out) {
    (void)class_id;
    (void)id;
    *out = factory;
    return 0;
}

EXPORT int DllCanUnloadNow(void) { return 1; }
