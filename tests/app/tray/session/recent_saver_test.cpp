#include "app/tray/session/recent_saver.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <catch2/catch_test_macros.hpp>
#include <optional>

#include "core/recording/recording.h"
#include "tests/app/tray/fake_collector.h"
#include "tests/app/tray/wait_until.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

struct Saving {
  explicit Saving(const SpikeLimits& limits = {}) : saver(session, in, limits) {
    folder.write("stream", testStream(240, false));
    folder.collector("stream stream\nwait");
  }
  void measure() {
    session.startLive();
    REQUIRE(waitUntil([&] { return session.monitor().snapshots() == 240; }));
  }
  TellSaved telling() {
    return
        [this](const Result<QString>& saved) { told = saved ? *saved : QString::fromStdString(saved.error().message); };
  }
  bool waitUntilTold() {
    return waitUntil([&] { return !told.isEmpty(); });
  }
  [[nodiscard]] QStringList saved(const char* names) const {
    return QDir(in).entryList({QLatin1StringView(names)}, QDir::Files);
  }
  void older(int number, qint64 bytes, const QDateTime& time) const {
    QFile file(QStringLiteral("%1/spike-%2.faultline").arg(in).arg(number));
    REQUIRE(file.open(QIODevice::WriteOnly));
    REQUIRE(file.resize(bytes));
    REQUIRE(file.setFileTime(time, QFileDevice::FileModificationTime));
  }

  TestFolder folder;
  QString in = folder.path("own");
  Session session{Settings(), nullptr, folder.path()};
  RecentSaver saver;
  QString told;
};

unsigned snapshotsOf(const QString& name) {
  auto file = RecordingFile::open(name.toStdU16String());
  REQUIRE(file);
  unsigned snapshots = 0;
  while (true) {
    const auto event = file->next();
    REQUIRE(event);
    if (std::holds_alternative<RecordingEnd>(*event)) break;
    if (std::holds_alternative<const Snapshot*>(*event)) ++snapshots;
  }
  CHECK(file->remark().empty());
  return snapshots;
}

Spike spikeAt(unsigned index) {
  Spike spike;
  spike.start = testSnapshot(index).time;
  spike.end = spike.start + 1s;
  return spike;
}

constexpr SpikeLimits kAtOnce{.files = 3, .bytes = 1 << 20, .kept = 4, .after = 10ms};

}  // namespace

TEST_CASE("What just happened is saved without a question, by this user alone to read") {
  Saving saving;
  saving.saver.save(1min, saving.telling());
  CHECK(saving.told == QStringLiteral("Nothing has been measured yet."));
  saving.measure();
  saving.told.clear();
  saving.saver.save(1min, saving.telling());
  REQUIRE(saving.waitUntilTold());
  REQUIRE(saving.saved("faultline-*.faultline").size() == 1);
  const QString file = saving.in + QLatin1Char('/') + saving.saved("faultline-*.faultline").first();
  CHECK(saving.told == QStringLiteral("Saved ") + file);
  CHECK(snapshotsOf(file) == 121);
#ifndef Q_OS_WIN
  CHECK((QFileInfo(file).permissions() & (QFile::ReadGroup | QFile::ReadOther)) == 0);
  CHECK((QFileInfo(saving.in).permissions() & (QFile::ExeGroup | QFile::ExeOther)) == 0);
#endif
}

TEST_CASE("Spikes that end together are saved as one recording, from half a minute before the first") {
  Saving saving(kAtOnce);
  saving.measure();
  saving.saver.spikeEnded(spikeAt(220), saving.telling());
  saving.saver.spikeEnded(spikeAt(200), saving.telling());
  saving.saver.spikeEnded(spikeAt(230), saving.telling());
  REQUIRE(saving.waitUntilTold());
  REQUIRE(saving.saved("spike-*.faultline").size() == 1);
  CHECK(snapshotsOf(saving.in + QLatin1Char('/') + saving.saved("spike-*.faultline").first()) == 100);
}

TEST_CASE("Spikes are saved up to so many files and bytes a day, and the oldest files of earlier days go") {
  Saving saving(kAtOnce);
  saving.measure();
  REQUIRE(QDir().mkpath(saving.in));
  const QDateTime now = QDateTime::currentDateTime();
  const auto spikes = [&] { return saving.saved("spike-*.faultline").size(); };
  const auto end = [&] {
    saving.told.clear();
    saving.saver.spikeEnded(spikeAt(230), saving.telling());
    return saving.waitUntilTold() && !saving.told.startsWith(QStringLiteral("A spike is not saved: "));
  };
  for (int old = 0; old < 6; ++old) saving.older(old, 10, now.addDays(-2 - old));
  REQUIRE(end());
  CHECK(spikes() == 4);
  CHECK(QFileInfo::exists(saving.in + QStringLiteral("/spike-0.faultline")));
  CHECK_FALSE(QFileInfo::exists(saving.in + QStringLiteral("/spike-5.faultline")));
  saving.older(10, 1 << 20, now);  // as much as a day may have
  CHECK_FALSE(end());
  saving.older(10, 10, now);
  saving.older(11, 10, now);  // the third file of this day
  CHECK_FALSE(end());
  saving.older(11, 10, now.addDays(-1));
  CHECK(end());
}

}  // namespace faultline
