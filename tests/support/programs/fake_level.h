// The work of fake_game's bursts, in a function and a line that tests search for.
#pragma once

namespace fake {

struct Level {
  // Writes to the first byte of each page.
  static void load(char* memory, long pages);
};

}  // namespace fake
