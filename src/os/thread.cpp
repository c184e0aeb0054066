// What     Detached native threads by pthread_create, named and tuned before their entry runs.
// Source   pthread_create(3), prctl(2): PR_SET_NAME, PR_SET_TIMERSLACK (1 ns is the least; 0 means "back to the default").
#include "os/thread.h"

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "os/glibc_floor.h"

TIERUP_USE_BASE_VERSION(pthread_create);
TIERUP_USE_BASE_VERSION(pthread_attr_setstacksize);
TIERUP_USE_BASE_VERSION(pthread_sigmask);

namespace tierup::os {

namespace {

struct Start {
    void (*entry)(void*);
    void* argument;
    char name[kThreadNameBytes];
};

void* run_thread(void* context) noexcept {
    const Start start = *static_cast<Start*>(context);
    std::free(context);
    (void)prctl(PR_SET_NAME, start.name, 0, 0, 0);
    (void)prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
    start.entry(start.argument);
    return nullptr;
}

Status create_detached(Start* start) noexcept {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) {
        return Status::exhausted;
    }
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    (void)pthread_attr_setstacksize(&attributes, kThreadStackBytes);
    pthread_t thread{};
    const int error = pthread_create(&thread, &attributes, run_thread, start);
    (void)pthread_attr_destroy(&attributes);
    return error == 0 ? Status::ok : Status::exhausted;
}

}  // namespace

Status start_detached_thread(void (*entry)(void*), void* argument, const char* name) noexcept {
    if (entry == nullptr || name == nullptr) {
        return Status::invalid_argument;
    }
    auto* start = static_cast<Start*>(std::calloc(1, sizeof(Start)));
    if (start == nullptr) {
        return Status::exhausted;
    }
    start->entry = entry;
    start->argument = argument;
    std::memcpy(start->name, name, strnlen(name, kThreadNameBytes - 1));

    // A new thread inherits the mask: blocking all here leaves no moment in which it could take a signal.
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const Status status = create_detached(start);
    (void)pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (status != Status::ok) {
        std::free(start);
    }
    return status;
}

void yield_processor() noexcept {
    (void)sched_yield();
}

std::uint64_t current_thread_id() noexcept {
    return static_cast<std::uint64_t>(syscall(SYS_gettid));
}

}  // namespace tierup::os
