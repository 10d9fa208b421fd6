// The control group of a process (proc_pid_cgroup, cgroups(7)), and the service, scope or container that its path
// names: by systemd's units, by the shapes of Docker's, Podman's, containerd's, CRI-O's and LXC's paths, and of
// Kubernetes' pods. Pure.
#pragma once

#include <string>
#include <string_view>

namespace faultline {

// Of the text of /proc/PID/cgroup: the path in version 2, else in systemd's hierarchy, else the first that is not the
// root; "/" for the root, empty if there is none.
[[nodiscard]] std::string_view controlGroupOf(std::string_view text);

// The path by which memory is accounted: version 1's if its hierarchy has the memory controller, else version 2's.
[[nodiscard]] std::string_view memoryGroupOf(std::string_view text);

// The shortest beginning of the path that names the same service as all of it.
[[nodiscard]] std::string_view groupOfService(std::string_view path);

// "firefox.service", "docker 3f2a9c0d1e4b", "kubernetes 3f2a9c0d1e4b"; inside of a container with its unit, "lxc web ·
// nginx.service". Without unit and container the innermost slice, else the path; empty for the root. Not made
// printable.
[[nodiscard]] std::string serviceOf(std::string_view path);

}  // namespace faultline
