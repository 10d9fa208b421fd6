// CallTree: call stacks laid over each other from the outermost function inwards, as a flame graph shows them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/culprits/code_frame.h"

namespace faultline {

struct CallTree {
  std::string name;  // of the function, fit for a line of text; of the root: empty, of its children: the threads
  bool system = false;
  std::uint64_t faults = 0;        // below this node and in it
  Nanoseconds time{0};             // that these took, as far as it is known
  std::vector<CallTree> children;  // those with the most faults first, once sorted

  bool operator==(const CallTree&) const = default;
};

[[nodiscard]] std::string frameName(const CodeFrame& frame);  // "Level::load", else "game+0x1234", else "0x1234"
[[nodiscard]] std::string lineName(const CodeFrame& frame);   // "Level::load (level.cpp:212)", else frameName()

void addStack(CallTree& root, std::string_view thread, const CodeStack& stack, std::uint64_t faults, Nanoseconds time);
void addTree(CallTree& root, const CallTree& other);  // as if its stacks were added
void sortTree(CallTree& root);
// A line per stack, "thread;main;run;Level::load 4096", for flame graph tools and speedscope.
[[nodiscard]] std::string foldedText(const CallTree& root);

}  // namespace faultline
