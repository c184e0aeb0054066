// What     The HRESULT values that the runtime's data access library gives us, and what they mean to the rest of the library.
// What not Not a complete list: a value without a name here is a failure like any other.
// Threads  Values only.
// Source   Windows' winerror.h for the common ones; corerror.xml (dotnet/runtime src/coreclr/inc) for CORDBG_E_*.
#pragma once

#include <cstdint>

#include "base/status.h"

namespace tierup::clr {

using Hresult = std::int32_t;

inline constexpr Hresult kOk = 0;
inline constexpr Hresult kFalse = 1;  ///< A success code that says "not all of it"; never taken for kOk.
inline constexpr Hresult kNotImplemented = static_cast<Hresult>(0x80004001u);
inline constexpr Hresult kNoInterface = static_cast<Hresult>(0x80004002u);
inline constexpr Hresult kPointer = static_cast<Hresult>(0x80004003u);
inline constexpr Hresult kFail = static_cast<Hresult>(0x80004005u);
inline constexpr Hresult kUnexpected = static_cast<Hresult>(0x8000FFFFu);
inline constexpr Hresult kOutOfMemory = static_cast<Hresult>(0x8007000Eu);
inline constexpr Hresult kInvalidArgument = static_cast<Hresult>(0x80070057u);
inline constexpr Hresult kIncompatiblePlatform = static_cast<Hresult>(0x80131C30u);  ///< CORDBG_E_INCOMPATIBLE_PLATFORMS
inline constexpr Hresult kReadVirtualFailure = static_cast<Hresult>(0x80131C49u);    ///< CORDBG_E_READVIRTUAL_FAILURE

/// ok only for S_OK. S_FALSE and every failure without a closer word are `unknown`: the answer can't be used.
[[nodiscard]] Status to_status(Hresult hresult) noexcept;

}  // namespace tierup::clr
