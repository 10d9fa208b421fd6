#include "app/tray/shell/single_instance.h"

#include <QFile>
#include <QSysInfo>
#include <QTemporaryDir>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <thread>

#include "tests/app/tray/wait_until.h"

using namespace faultline;

namespace {

// A second instance in another thread, because it waits for the first to answer.
Result<bool> startSecond(const QString& name, const QStringList& arguments) {
  Result<bool> claimed = fail("not tried");
  std::atomic<bool> done = false;
  std::thread second([&] {
    claimed = SingleInstance(name).claim(arguments);
    done = true;
  });
  const bool ended = waitUntil([&] { return done.load(); });
  second.join();
  REQUIRE(ended);
  return claimed;
}

}  // namespace

TEST_CASE("A second instance hands its arguments to the first") {
  const QTemporaryDir folder;
  const QString name = folder.filePath(QStringLiteral("one"));
  SingleInstance first(name);
  REQUIRE(first.claim({}) == Result<bool>(true));
  QStringList got;
  QObject::connect(&first, &SingleInstance::secondStarted, [&](const QStringList& arguments) { got = arguments; });
  const QStringList sent{QStringLiteral("/tmp/a b.faultline"), QStringLiteral("ü\n")};
  CHECK(startSecond(name, sent) == Result<bool>(false));
  CHECK(got == sent);
}

TEST_CASE("A second instance without arguments still shows the first") {
  const QTemporaryDir folder;
  const QString name = folder.filePath(QStringLiteral("one"));
  SingleInstance first(name);
  REQUIRE(first.claim({}) == Result<bool>(true));
  int raised = 0;
  QObject::connect(&first, &SingleInstance::secondStarted, [&] { ++raised; });
  CHECK(startSecond(name, {}) == Result<bool>(false));
  CHECK(raised == 1);
}

TEST_CASE("After the end of the first instance the next is the first") {
  const QTemporaryDir folder;
  const QString name = folder.filePath(QStringLiteral("one"));
  {
    SingleInstance first(name);
    REQUIRE(first.claim({}) == Result<bool>(true));
  }
  SingleInstance next(name);
  CHECK(next.claim({}) == Result<bool>(true));
}

TEST_CASE("Socket and lock left by a crash are taken over") {
  const QTemporaryDir folder;
  const QString name = folder.filePath(QStringLiteral("one"));
  QFile lock(name + QStringLiteral(".lock"));
  REQUIRE(lock.open(QIODevice::WriteOnly));
  lock.write("999999999\nfaultline\n" + QSysInfo::machineHostName().toUtf8() + '\n' + QSysInfo::machineUniqueId() +
             '\n' + QSysInfo::bootUniqueId() + '\n');
  lock.close();
  QFile socket(name);
  REQUIRE(socket.open(QIODevice::WriteOnly));  // a path without a listener
  socket.close();
  SingleInstance next(name);
  REQUIRE(next.claim({}) == Result<bool>(true));
  CHECK(startSecond(name, {}) == Result<bool>(false));
}

TEST_CASE("Without a place for a lock, every instance is the first") {
  SingleInstance first{QString()};
  SingleInstance second{QString()};
  CHECK(first.claim({}) == Result<bool>(true));
  CHECK(second.claim({}) == Result<bool>(true));
}
