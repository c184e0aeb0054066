// What     Binds the functions that glibc 2.32 and 2.34 moved into libc to their oldest version, so that one binary serves old and new.
// What not Nothing on musl, and nothing under sanitizers: their interceptors must see the plain names.
// Threads  None; include it in a source that uses one of the functions.
// Failure  Before 2.34 they live in libdl and libpthread, which the .NET host has loaded: NEEDED stays libc.so.6 alone.
// Source   glibc NEWS 2.34, "libpthread, libdl ... have been moved into libc"; base versions: x86_64 2.2.5, aarch64 2.17.
#pragma once

#include <features.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TIERUP_IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TIERUP_IS_SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(TIERUP_IS_SANITIZED)
#if defined(__x86_64__)
#define TIERUP_USE_BASE_VERSION(function) __asm__(".symver " #function "," #function "@GLIBC_2.2.5")
#elif defined(__aarch64__)
#define TIERUP_USE_BASE_VERSION(function) __asm__(".symver " #function "," #function "@GLIBC_2.17")
#endif
#endif

#if !defined(TIERUP_USE_BASE_VERSION)
#define TIERUP_USE_BASE_VERSION(function) static_assert(true)
#endif
