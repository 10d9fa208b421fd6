#include "core/parse/proc_cgroup.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace faultline {
namespace {

constexpr std::size_t kShownOfId = 12;  // as the engines themselves show it

struct Engine {
  std::string_view prefix;  // of a scope's name, before the container's id
  std::string_view name;
};
constexpr auto kEngines = std::to_array<Engine>({{"docker-", "docker"},
                                                 {"libpod-", "podman"},
                                                 {"cri-containerd-", "containerd"},
                                                 {"crio-", "cri-o"},
                                                 {"nerdctl-", "nerdctl"}});

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(by), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool isHex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

bool isContainerId(std::string_view text) {
  constexpr std::size_t kLength = 64;
  return text.size() == kLength && std::ranges::all_of(text, isHex);
}

std::string_view without(std::string_view text, std::string_view ending) {
  return text.ends_with(ending) ? text.substr(0, text.size() - ending.size()) : text;
}

std::string named(std::string_view engine, std::string_view id) {
  return std::string(engine) + " " + std::string(id.substr(0, kShownOfId));
}

// `before`: the part of the path above, or empty.
std::optional<std::string> containerOf(std::string_view part, std::string_view before, bool inPods) {
  constexpr std::string_view kLxc = "lxc.payload.";
  if (part.starts_with(kLxc)) return "lxc " + std::string(part.substr(kLxc.size()));
  if (before == "lxc") return "lxc " + std::string(part);
  const std::string_view name = without(part, ".scope");
  for (const Engine& engine : kEngines)
    if (name.starts_with(engine.prefix) && isContainerId(name.substr(engine.prefix.size())))
      return named(inPods ? "kubernetes" : engine.name, name.substr(engine.prefix.size()));
  if (isContainerId(name)) return named(inPods ? "kubernetes" : before == "docker" ? "docker" : "container", name);
  return std::nullopt;
}

// systemd.unit(5): \xNN is a byte that a unit's name cannot have.
std::string unescaped(std::string_view name) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const std::string_view rest = name.substr(i);
    if (rest.size() >= 4 && rest.starts_with("\\x") && isHex(rest[2]) && isHex(rest[3])) {
      out += static_cast<char>(digit(rest[2]) * 16 + digit(rest[3]));
      i += 3;
    } else {
      out += name[i];
    }
  }
  return out;
}

struct Hierarchy {
  std::string_view controllers;  // separated by commas; empty: version 2
  std::string_view path;
};

std::vector<Hierarchy> hierarchiesOf(std::string_view text) {
  std::vector<Hierarchy> all;
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second != std::string_view::npos)
      all.push_back({line.substr(first + 1, second - first - 1), line.substr(second + 1)});
  }
  return all;
}

}  // namespace

std::string_view memoryGroupOf(std::string_view text) {
  std::string_view path;
  for (const Hierarchy& hierarchy : hierarchiesOf(text)) {
    const auto controllers = split(hierarchy.controllers, ',');
    if (std::ranges::find(controllers, "memory") != controllers.end()) return hierarchy.path;
    if (controllers.empty()) path = hierarchy.path;
  }
  return path;
}

std::string_view groupOfService(std::string_view path) {
  const std::string service = serviceOf(path);
  for (std::size_t end = path.find('/', 1); end != std::string_view::npos; end = path.find('/', end + 1))
    if (serviceOf(path.substr(0, end)) == service) return path.substr(0, end);
  return path;
}

std::string_view controlGroupOf(std::string_view text) {
  std::string_view systemd;
  std::string_view other;
  for (const auto& [hierarchy, path] : hierarchiesOf(text)) {
    if (hierarchy.empty() && path != "/") return path;
    if (hierarchy == "name=systemd" && path != "/") systemd = path;
    else if (other.empty() || other == "/") other = path;
  }
  return systemd.empty() ? other : systemd;
}

std::string serviceOf(std::string_view path) {
  const std::vector<std::string_view> parts = split(path, '/');
  const bool inPods = std::ranges::any_of(parts, [](std::string_view part) { return part.starts_with("kubepods"); });
  std::string unit;
  for (std::size_t i = parts.size(); i-- > 0;) {
    if (const auto container = containerOf(parts[i], i > 0 ? parts[i - 1] : std::string_view(), inPods))
      return unit.empty() ? *container : *container + " · " + unit;
    if (unit.empty() && (parts[i].ends_with(".service") || parts[i].ends_with(".scope"))) unit = unescaped(parts[i]);
  }
  if (!unit.empty() || parts.empty()) return unit;
  const auto slice = std::find_if(parts.rbegin(), parts.rend(), [](auto part) { return part.ends_with(".slice"); });
  return slice == parts.rend() ? std::string(path) : unescaped(*slice);
}

}  // namespace faultline
