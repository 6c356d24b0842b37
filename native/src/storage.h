// What a disk's sectors are; apart from the ABI, so that tests can give it a sysfs of their own.
#ifndef STRATA_STORAGE_H
#define STRATA_STORAGE_H

#include <cstdint>

#include "device.h"

namespace strata {

// Reads logical and physical block sizes of the block device from sysfs (root: "/sys"), those of its disk where it is a
// partition; leaves what it cannot tell.
void read_sector_sizes(const char *root, unsigned major, unsigned minor, strata_storage *storage) noexcept;

// The largest of what is known; where nothing is, 512, or with O_DIRECT the page size, which every disk accepts.
uint32_t sector_size(const strata_storage &storage) noexcept;

}  // namespace strata

#endif
