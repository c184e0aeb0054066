/* Includes the header twice and alone: it must stand by itself, in C, in any order. */
#include "tierup/tierup.h"

uint32_t abi_version_seen_by_another_file(void);
uint32_t abi_version_seen_by_another_file(void) {
    return TIERUP_ABI_VERSION;
}
