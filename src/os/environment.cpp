// What     The native environment by getenv.
// Source   getenv(3).
#include "os/environment.h"

#include <cstdlib>

namespace tierup::os {

const char* find_environment_value(const char* name) noexcept {
    return std::getenv(name);
}

}  // namespace tierup::os
