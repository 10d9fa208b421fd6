#include "app/tray/processes/identity.h"

#include <catch2/catch_test_macros.hpp>

namespace faultline {

using namespace Qt::StringLiterals;

TEST_CASE("A name that the kernel has cut is completed from the command line, and no other") {
  CHECK(wholeName(u"faultline-colle"_s, u"/usr/bin/faultline-collector sweep"_s) == u"faultline-collector"_s);
  CHECK(wholeName(u"gnome-terminal-"_s, u"/usr/libexec/gnome-terminal-server"_s) == u"gnome-terminal-server"_s);
  CHECK(wholeName(u"unattended-upgr"_s, u"/usr/bin/python3 /usr/bin/unattended-upgrade-shutdown --wait"_s) ==
        u"unattended-upgrade-shutdown"_s);
  CHECK(wholeName(u"kworker/u8:1-ev"_s, {}) == u"kworker/u8:1-ev"_s);
  CHECK(wholeName(u"worker-thread-a"_s, u"/usr/bin/game /data/worker"_s) == u"worker-thread-a"_s);
  CHECK(wholeName(u"game"_s, u"./game-server"_s) == u"game"_s);
}

}  // namespace faultline
