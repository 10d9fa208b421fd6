#include "core/culprits/call_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr std::size_t kDeepest = 200;

std::string_view lastPart(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

CallTree& childOf(CallTree& node, std::string_view name, std::string_view file = {}, int line = 0) {
  const auto found = std::ranges::find_if(node.children, [&](const CallTree& child) {
    return child.line == line && child.name == name && child.file == file;
  });
  if (found != node.children.end()) return *found;
  return node.children.emplace_back(CallTree{.name = std::string(name), .file = std::string(file), .line = line});
}

CallTree& grow(CallTree& node, const CallCost& cost) {
  node.faults += cost.faults;
  node.time += cost.time;
  node.majors += cost.majors;
  return node;
}

CallCost costOf(const CallTree& node) {
  return {node.faults, node.time, node.majors};
}

void addWithoutLines(CallTree& root, const CallTree& other) {
  grow(root, costOf(other)).system = other.system;
  for (const CallTree& child : other.children) addWithoutLines(childOf(root, child.name), child);
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
  const CallCost own = ownCost(node);
  if (path.empty()) return;
  if (own.faults > own.majors) out += fmt::format("{} {}\n", path, own.faults - own.majors);
  if (own.majors > 0) out += fmt::format("{};[major fault] {}\n", path, own.majors);
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
  CallCost own = costOf(node);
  for (const CallTree& child : node.children) {
    own.faults -= std::min(own.faults, child.faults);
    own.majors -= std::min(own.majors, child.majors);
    own.time -= std::min(own.time, child.time);
  }
  return own;
}

void addStack(CallTree& root, std::string_view thread, const CallStack& stack, const CallCost& cost) {
  CallTree* node = &grow(childOf(grow(root, cost), thread), cost);
  const std::size_t depth = std::min(stack.size(), kDeepest);  // deeper calls are omitted
  for (std::size_t i = 0; i < depth; ++i) {
    const StackFrame& frame = stack[stack.size() - 1 - i];
    const bool known = frame.line > 0 && !frame.file.empty();
    node = &grow(childOf(*node, stackFrameName(frame), known ? printableName(frame.file) : "", known ? frame.line : 0),
                 cost);
    node->system = frame.system;
  }
}

void addTree(CallTree& root, const CallTree& other) {
  grow(root, costOf(other)).system = other.system;
  for (const CallTree& child : other.children) addTree(childOf(root, child.name, child.file, child.line), child);
}

void sortTree(CallTree& root) {
  std::ranges::sort(root.children, [](const CallTree& a, const CallTree& b) {
    return a.faults != b.faults ? a.faults > b.faults : std::tie(a.name, a.line) < std::tie(b.name, b.line);
  });
  for (CallTree& child : root.children) sortTree(child);
}

CallTree withoutLines(const CallTree& root) {
  CallTree merged;
  addWithoutLines(merged, root);
  for (CallTree& thread : merged.children) sortTree(thread);
  return merged;
}

std::string foldedText(const CallTree& root) {
  std::string text;
  appendFolded(withoutLines(root), {}, text);
  return text;
}

}  // namespace faultline
