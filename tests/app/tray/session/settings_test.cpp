#include "app/tray/session/settings.h"

#include <QFile>
#include <QTemporaryDir>
#include <catch2/catch_test_macros.hpp>

using namespace faultline;
using namespace std::chrono_literals;

namespace {

void write(const QString& fileName, const char* text) {
  QFile file(fileName);
  REQUIRE(file.open(QIODevice::WriteOnly));
  file.write(text);
}

}  // namespace

TEST_CASE("Settings are loaded as they were saved") {
  const QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("settings.ini"));
  Settings settings;
  settings.interval = 10ms;
  settings.spikes.minorPerSecond = 12'345;
  settings.spikes.majorPerSecond = 7;
  settings.spikes.zeroedPerSecond = 3 << 20;
  settings.spikes.faultNsPerSecond = 4e6;
  settings.spikes.teardownNsPerSecond = 5e6;
  settings.spikes.factor = 2.5;
  settings.spikes.leastFaults = 99;
  settings.startHidden = true;
  settings.faster = false;
  settings.timeFaults = false;
  settings.notifySpikes = true;
  settings.saveSpikes = true;
  settings.keepPast = false;
  settings.saveKey = true;
  settings.panelInk = PanelInk::Light;
  settings.look = Look::Dark;
  settings.saidItStays = true;
  settings.windowGeometry = QByteArray("\0\1\377", 3);
  settings.windowRows = "a";
  settings.windowColumns = "b";
  settings.windowSide = "h";
  settings.tableColumns = "columns";
  settings.framesGeometry = "c";
  settings.framesRows = "d";
  settings.framesColumns = "e";
  settings.framesTable = "f";
  settings.visibleSeconds = 600;
  {
    SettingsStore store(file);
    CHECK(store.get() == Settings());
    store.set(settings);
  }
  CHECK(SettingsStore(file).get() == settings);
}

TEST_CASE("A settings file that was edited by hand gives valid values") {
  const QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("settings.ini"));
  write(file,
        "[General]\ninterval_ms=0\npanel_ink=17\nnotify_spikes=true\n[spikes]\nminor_per_second=nan\nmajor_per_second="
        "much\n"
        "factor=-3\n");
  const Settings settings = SettingsStore(file).get();
  CHECK(settings.interval == kShortestInterval);
  CHECK(settings.panelInk == PanelInk::Light);
  CHECK(settings.notifySpikes);
  CHECK(settings.spikes.minorPerSecond == SpikeOptions().minorPerSecond);
  CHECK(settings.spikes.majorPerSecond == SpikeOptions().majorPerSecond);
  CHECK(settings.spikes.factor == 1);
}

TEST_CASE("A change is emitted once, and only if there is one") {
  const QTemporaryDir folder;
  SettingsStore store(folder.filePath(QStringLiteral("settings.ini")));
  int told = 0;
  QObject::connect(&store, &SettingsStore::changed, [&told] { ++told; });
  Settings settings = store.get();
  store.set(settings);
  CHECK(told == 0);
  settings.interval = 100ms;
  store.set(settings);
  store.set(settings);
  CHECK(told == 1);
}

TEST_CASE("Start at login follows the desktop, not the settings file") {
#ifdef Q_OS_WIN
  SKIP("the entry is in the registry of Windows: see autostart_test");
#endif
  const QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("settings.ini"));
  SettingsStore store(file);
  Settings settings = store.get();
  CHECK_FALSE(settings.startAtLogin);
  settings.startAtLogin = true;
  store.set(settings);
  const QString entry = qEnvironmentVariable("XDG_CONFIG_HOME") + QStringLiteral("/autostart/faultline.desktop");
  CHECK(QFile::exists(entry));
  CHECK(SettingsStore(file).get().startAtLogin);
  QFile::remove(entry);
  CHECK_FALSE(SettingsStore(file).get().startAtLogin);
}
