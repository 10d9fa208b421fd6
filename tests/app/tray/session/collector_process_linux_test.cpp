#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <catch2/catch_test_macros.hpp>
#include <optional>

#include "app/tray/session/collector_process.h"

namespace faultline {
namespace {

// Its child traces it, so that its end is told to nobody before that child ends.
constexpr const char* kSlowToEnd = R"PY(#!/usr/bin/env python3
import ctypes, os, time
libc = ctypes.CDLL(None)
ready, go = os.pipe(), os.pipe()
own = os.getpid()
child = os.fork()
if child == 0:
    os.read(go[0], 1)
    seized = libc.ptrace(0x4206, own, None, None)  # PTRACE_SEIZE
    os.write(ready[1], b"%d" % (seized == 0))
    time.sleep(2)
    os._exit(0)
libc.prctl(0x59616d61, child, 0, 0, 0)  # PR_SET_PTRACER
os.write(go[1], b"x")
os.write(1, os.read(ready[0], 1) + b" %d\n" % own)
time.sleep(60)
)PY";

QStringList theWarnings;

}  // namespace

TEST_CASE("A collector that does not end in time is left to end on its own, and tells its former owner nothing") {
  if (QStandardPaths::findExecutable(QStringLiteral("python3")).isEmpty()) SKIP("python3 is not installed");
  const QTemporaryDir folder;
  QFile script(folder.filePath(QStringLiteral("faultline-collector")));
  REQUIRE(script.open(QIODevice::WriteOnly));
  script.write(kSlowToEnd);
  script.close();
  script.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);

  QByteArray said;
  int ends = 0;
  std::optional<CollectorProcess> collector(std::in_place, folder.path());
  QObject::connect(&*collector, &CollectorProcess::received, [&](std::span<const std::byte> bytes) {
    said.append(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size()));
  });
  QObject::connect(&*collector, &CollectorProcess::ended, [&] { ++ends; });
  REQUIRE(collector->start({"sweep"}));
  const auto started = [&] { return said.endsWith('\n'); };
  REQUIRE(QTest::qWaitFor(started, 30'000));
  if (said.front() != '1') SKIP("no process may trace its parent here");
  QList<QByteArray> pids{said.mid(2).trimmed()};

  theWarnings.clear();
  const QtMessageHandler before =
      qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString& text) { theWarnings << text; });
  REQUIRE(collector->start({"sweep"}));  // in place of the one that does not end
  said.clear();
  CHECK(QTest::qWaitFor(started, 30'000));
  pids << said.mid(2).trimmed();
  collector.reset();
  for (const QByteArray& pid : pids)
    CHECK(QTest::qWaitFor([&] { return !QFile::exists(QStringLiteral("/proc/") + QString::fromLatin1(pid)); }, 30'000));
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  qInstallMessageHandler(before);
  CHECK(theWarnings.join(QLatin1Char('\n')).toStdString().empty());
  CHECK(ends == 0);
}

}  // namespace faultline
