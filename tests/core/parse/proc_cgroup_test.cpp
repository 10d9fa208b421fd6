#include "core/parse/proc_cgroup.h"

#include <catch2/catch_test_macros.hpp>

namespace faultline {
namespace {

const std::string kId = "3f2a9c0d1e4b3f2a9c0d1e4b3f2a9c0d1e4b3f2a9c0d1e4b3f2a9c0d1e4b3f2a";

}  // namespace

TEST_CASE("The control group is that of version 2, else of systemd, else any that is not the root") {
  CHECK(controlGroupOf("0::/user.slice/user-1000.slice/session-2.scope\n") ==
        "/user.slice/user-1000.slice/session-2.scope");
  CHECK(controlGroupOf("4:memory:/a\n1:name=systemd:/system.slice/b.service\n0::/\n") == "/system.slice/b.service");
  CHECK(controlGroupOf("4:memory:/a:b\n1:name=systemd:/\n0::/\n") == "/a:b");
  CHECK(controlGroupOf("0::/\n") == "/");
  CHECK(controlGroupOf("") == "");
  CHECK(controlGroupOf("\n\n::\n:\nnothing\n") == "");
}

TEST_CASE("Memory is accounted by version 1 where that has the controller, else by version 2") {
  CHECK(memoryGroupOf("4:cpu,memory:/a\n1:name=systemd:/b\n0::/c\n") == "/a");
  CHECK(memoryGroupOf("4:memory_not:/a\n0::/c\n") == "/c");
  CHECK(memoryGroupOf("4:cpu:/a\n") == "");
}

TEST_CASE("The group of a service is the one that names it, not one below") {
  CHECK(groupOfService("/system.slice/ssh.service/session") == "/system.slice/ssh.service");
  CHECK(groupOfService("/system.slice/ssh.service") == "/system.slice/ssh.service");
  CHECK(groupOfService("/user.slice/user-1.slice/user@1.service/app.slice/a.scope") ==
        "/user.slice/user-1.slice/user@1.service/app.slice/a.scope");
  CHECK(groupOfService("/docker/" + kId + "/init.scope") == "/docker/" + kId + "/init.scope");  // another name
  CHECK(groupOfService("/docker/" + kId + "/worker") == "/docker/" + kId);
  CHECK(groupOfService("/") == "/");
  CHECK(groupOfService("") == "");
}

TEST_CASE("A path names its service or scope, the innermost first") {
  CHECK(serviceOf("/system.slice/ssh.service") == "ssh.service");
  CHECK(serviceOf("/user.slice/user-1000.slice/user@1000.service/app.slice/app-firefox-71.scope") ==
        "app-firefox-71.scope");
  CHECK(serviceOf("/user.slice/user-1000.slice/user@1000.service/app.slice/app-my\\x2dgame.service") ==
        "app-my-game.service");
  CHECK(serviceOf("/user.slice/user-1000.slice") == "user-1000.slice");
  CHECK(serviceOf("/build/job 7") == "/build/job 7");
  CHECK(serviceOf("/") == "");
  CHECK(serviceOf("") == "");
  CHECK(serviceOf("/a\\x2/b\\xzz.service") == "b\\xzz.service");
}

TEST_CASE("A path names its container by the shape that each engine gives it") {
  CHECK(serviceOf("/system.slice/docker-" + kId + ".scope") == "docker 3f2a9c0d1e4b");
  CHECK(serviceOf("/docker/" + kId) == "docker 3f2a9c0d1e4b");
  CHECK(serviceOf("/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" + kId + ".scope/container") ==
        "podman 3f2a9c0d1e4b");
  CHECK(serviceOf("/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1_2.slice/cri-containerd-" + kId +
                  ".scope") == "kubernetes 3f2a9c0d1e4b");
  CHECK(serviceOf("/kubepods/besteffort/pod12/" + kId) == "kubernetes 3f2a9c0d1e4b");
  CHECK(serviceOf("/system.slice/nerdctl-" + kId + ".scope") == "nerdctl 3f2a9c0d1e4b");
  CHECK(serviceOf("/lxc.payload.web/system.slice/nginx.service") == "lxc web · nginx.service");
  CHECK(serviceOf("/lxc/web") == "lxc web");
  CHECK(serviceOf("/default/" + kId) == "container 3f2a9c0d1e4b");
  // The process that minds a container stands beside it, and an id that is too short is none.
  CHECK(serviceOf("/machine.slice/libpod-conmon-" + kId + ".scope") == "libpod-conmon-" + kId + ".scope");
  CHECK(serviceOf("/docker/3f2a9c0d1e4b") == "/docker/3f2a9c0d1e4b");
}

}  // namespace faultline
