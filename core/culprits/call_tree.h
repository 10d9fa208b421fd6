// CallTree: call stacks merged from the outermost function inwards, as in a flame graph.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/culprits/stack_frame.h"

namespace faultline {

struct CallTree {
  std::string name{};  // of the function, printable; the root has none, its children are threads
  std::string file{};  // path of its source, printable; empty if unknown
  int line = 0;        // of the instruction or the call; 0 if unknown. A function has a node for each of its lines
  bool system = false;
  std::uint64_t faults = 0;          // in this node and below
  std::uint64_t majors = 0;          // of these: major faults
  Nanoseconds time{0};               // total of these faults, as far as known
  std::vector<CallTree> children{};  // sorted by sortTree(): most faults first

  bool operator==(const CallTree&) const = default;
};

[[nodiscard]] std::string stackFrameName(const StackFrame& frame);  // "Level::load", else "game+0x1234", else "0x1234"
[[nodiscard]] std::string lineName(const StackFrame& frame);  // "Level::load (level.cpp:212)", else stackFrameName()

struct CallCost {
  std::uint64_t faults = 0;
  Nanoseconds time{0};
  std::uint64_t majors = 0;  // of the faults
};
[[nodiscard]] CallCost ownCost(const CallTree& node);  // of the node without those below it

void addStack(CallTree& root, std::string_view thread, const CallStack& stack, const CallCost& cost);
void addTree(CallTree& root, const CallTree& other);  // adds all stacks of `other`
void sortTree(CallTree& root);
// With one node for all lines of a function below the same caller, sorted below the threads.
[[nodiscard]] CallTree withoutLines(const CallTree& root);
// One line per stack, "thread;main;run;Level::load 4096", for flame graph tools and speedscope; the major faults of a
// stack have a line of their own, "thread;main;run;Level::load;[major fault] 3".
[[nodiscard]] std::string foldedText(const CallTree& root);

}  // namespace faultline
