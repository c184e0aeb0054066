// What     Reads this process's native environment.
// What not Not what managed code sees: the runtime copies the environment at its own start (dotnet/runtime,
//          src/coreclr/pal/src/misc/environ.cpp, EnvironInitialize); Environment.SetEnvironmentVariable changes its copy only.
// Threads  Any, as long as no other thread calls setenv/putenv at that moment (getenv's own rule).
// Failure  Null where the variable is not set. The text belongs to the environment and may vanish with it.
#pragma once

namespace tierup::os {

[[nodiscard]] const char* find_environment_value(const char* name) noexcept;

}  // namespace tierup::os
