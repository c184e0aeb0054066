// What     The one mutex function that needs the glibc floor; the others are in the header.
#include "os/mutex.h"

#include "os/glibc_floor.h"

TIERUP_USE_BASE_VERSION(pthread_mutex_trylock);

namespace tierup::os {

bool Mutex::try_lock() noexcept {
    return pthread_mutex_trylock(&mutex_) == 0;
}

}  // namespace tierup::os
