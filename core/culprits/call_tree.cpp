#include "core/culprits/call_tree.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr std::size_t kDeepest = 200;

std::string_view lastPart(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

CallTree& childOf(CallTree& node, std::string_view name) {
  const auto found = std::ranges::find(node.children, name, &CallTree::name);
  if (found != node.children.end()) return *found;
  node.children.emplace_back().name = name;
  return node.children.back();
}

CallTree& grow(CallTree& node, std::uint64_t faults, Nanoseconds time) {
  node.faults += faults;
  node.time += time;
  return node;
}

// Folded stacks use ';' as separator.
void appendFoldedName(std::string_view name, std::string& out) {
  for (const char c : name) out += c == ';' ? ':' : c;
}

void appendFolded(const CallTree& node, const std::string& path, std::string& out) {
  for (const CallTree& child : node.children) {
    std::string further = path;
    if (!further.empty()) further += ';';
    appendFoldedName(child.name, further);
    appendFolded(child, further, out);
  }
  if (const std::uint64_t own = ownCost(node).faults; own > 0 && !path.empty())
    out += fmt::format("{} {}\n", path, own);
}

}  // namespace

std::string stackFrameName(const StackFrame& frame) {
  if (!frame.function.empty()) return printableName(frame.function);
  if (frame.module.empty()) return fmt::format("{:#x}", frame.offset);
  return fmt::format("{}+{:#x}", printableName(lastPart(frame.module)), frame.offset);
}

std::string lineName(const StackFrame& frame) {
  if (frame.file.empty() || frame.line <= 0) return stackFrameName(frame);
  return fmt::format("{} ({}:{})", stackFrameName(frame), printableName(lastPart(frame.file)), frame.line);
}

CallCost ownCost(const CallTree& node) {
  CallCost own{node.faults, node.time};
  for (const CallTree& child : node.children) {
    own.faults -= std::min(own.faults, child.faults);
    own.time -= std::min(own.time, child.time);
  }
  return own;
}

void addStack(CallTree& root, std::string_view thread, const CallStack& stack, std::uint64_t faults, Nanoseconds time) {
  CallTree* node = &grow(childOf(grow(root, faults, time), thread), faults, time);
  const std::size_t depth = std::min(stack.size(), kDeepest);  // deeper calls are omitted
  for (std::size_t i = 0; i < depth; ++i) {
    const StackFrame& frame = stack[stack.size() - 1 - i];
    node = &grow(childOf(*node, stackFrameName(frame)), faults, time);
    node->system = frame.system;
  }
}

void addTree(CallTree& root, const CallTree& other) {
  grow(root, other.faults, other.time).system = other.system;
  for (const CallTree& child : other.children) addTree(childOf(root, child.name), child);
}

void sortTree(CallTree& root) {
  std::ranges::sort(root.children, [](const CallTree& a, const CallTree& b) {
    return a.faults != b.faults ? a.faults > b.faults : a.name < b.name;
  });
  for (CallTree& child : root.children) sortTree(child);
}

std::string foldedText(const CallTree& root) {
  std::string text;
  appendFolded(root, {}, text);
  return text;
}

}  // namespace faultline
