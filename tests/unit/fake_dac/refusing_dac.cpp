// What     A data access library of another runtime build: it loads and refuses to serve, as the real one does on a version mismatch.
#include "clr/dac_abi.h"

extern "C" __attribute__((visibility("default"))) tierup::clr::Hresult CLRDataCreateInstance(const tierup::clr::Guid*, void*, void** out) {
    *out = nullptr;
    return tierup::clr::kIncompatiblePlatform;
}
