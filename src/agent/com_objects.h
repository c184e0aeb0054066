// What     The two objects that the runtime sees of us: a class factory and the one profiler callback object that it gives out.
// What not No state of their own beyond whom to tell.
// Threads  Constant once made. They live as long as the process: references are not counted.
// Failure  HRESULTs as COM has them; an unknown interface is E_NOINTERFACE, never a wrong object.
// Source   clr/profiler_abi.h.
#pragma once

#include "agent/callback_receiver.h"
#include "clr/profiler_abi.h"

namespace tierup::agent {

// constinit says what the check can't see across files: there is no initialization at run time.
extern constinit const clr::ProfilerCallbackSlots kProfilerCallbackTable;  // NOLINT(bugprone-dynamic-static-initializers)
extern constinit const clr::ClassFactorySlots kClassFactoryTable;          // NOLINT(bugprone-dynamic-static-initializers)

struct ProfilerCallbackObject {
    const clr::ProfilerCallbackSlots* slots;  // must stay first: the runtime finds its functions here
    CallbackReceiver* receiver;
};

struct ClassFactoryObject {
    const clr::ClassFactorySlots* slots;  // must stay first
    ProfilerCallbackObject* callback;
};

/// What the export DllGetClassObject does, once it knows that the class is ours.
[[nodiscard]] clr::Hresult query_class_factory(ClassFactoryObject& factory, const clr::Guid* iid, void** out) noexcept;

}  // namespace tierup::agent
