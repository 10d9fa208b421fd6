#include "tests/support/programs/fake_level.h"

namespace fake {

constexpr long kPageBytes = 4096;

__attribute__((noinline)) void Level::load(char* memory, long pages) {
  for (long page = 0; page < pages; ++page)
    *const_cast<volatile char*>(memory + page * kPageBytes) = 1;  // tests look for this line
}

}  // namespace fake
