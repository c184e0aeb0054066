// What     The translation of HRESULTs to our own status.
// What not See hresult.h.
#include "clr/hresult.h"

namespace tierup::clr {

Status to_status(Hresult hresult) noexcept {
    switch (hresult) {
        case kOk: return Status::ok;
        case kNotImplemented:
        case kNoInterface:
        case kIncompatiblePlatform: return Status::unsupported;
        case kPointer:
        case kInvalidArgument: return Status::invalid_argument;
        case kOutOfMemory: return Status::exhausted;
        case kReadVirtualFailure: return Status::faulted;
        default: return Status::unknown;
    }
}

}  // namespace tierup::clr
