// What the fake game's bursts do: a function with a name and a line to be found by.
#pragma once

namespace fake {

struct Level {
  // Writes to the first byte of so many pages.
  static void load(char* memory, long pages);
};

}  // namespace fake
