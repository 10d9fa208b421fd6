#include "app/tray/session/settings.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "platform/host/autostart.h"

namespace faultline {

namespace {

struct Layout {
  const char* key;
  QByteArray Settings::* bytes;
};
constexpr std::array<Layout, 9> kLayouts{{{"window/geometry", &Settings::windowGeometry},
                                          {"window/rows", &Settings::windowRows},
                                          {"window/parts", &Settings::windowColumns},
                                          {"window/side", &Settings::windowSide},
                                          {"window/columns", &Settings::tableColumns},
                                          {"frames/geometry", &Settings::framesGeometry},
                                          {"frames/rows", &Settings::framesRows},
                                          {"frames/parts", &Settings::framesColumns},
                                          {"frames/columns", &Settings::framesTable}}};

double number(const QSettings& file, const char* key, double fallback, double least, double most) {
  bool ok = false;
  const double value = file.value(QLatin1StringView(key), fallback).toDouble(&ok);
  return ok && !std::isnan(value) ? std::clamp(value, least, most) : fallback;
}

bool flag(const QSettings& file, const char* key, bool fallback) {
  return file.value(QLatin1StringView(key), fallback).toBool();
}

void put(QSettings& file, const char* key, const QVariant& value) {
  if (file.value(QLatin1StringView(key)) != value) file.setValue(QLatin1StringView(key), value);
}

}  // namespace

Settings loadSettings(const QSettings& file) {
  Settings s;
  const SpikeOptions usual;
  s.interval = std::chrono::milliseconds(static_cast<int>(
      number(file, "interval_ms", static_cast<double>(s.interval.count()),
             static_cast<double>(kShortestInterval.count()), static_cast<double>(kLongestInterval.count()))));
  s.faster = flag(file, "faster", s.faster);
  s.timeFaults = flag(file, "time_faults", s.timeFaults);
  s.spikes.minorPerSecond = number(file, "spikes/minor_per_second", usual.minorPerSecond, 1, 1e9);
  s.spikes.majorPerSecond = number(file, "spikes/major_per_second", usual.majorPerSecond, 1, 1e9);
  s.spikes.zeroedPerSecond = number(file, "spikes/zeroed_per_second", usual.zeroedPerSecond, 1 << 20, 1e15);
  s.spikes.faultNsPerSecond = number(file, "spikes/fault_ns_per_second", usual.faultNsPerSecond, 1e6, 1e15);
  s.spikes.teardownNsPerSecond = number(file, "spikes/teardown_ns_per_second", usual.teardownNsPerSecond, 1e6, 1e15);
  s.spikes.factor = number(file, "spikes/factor", usual.factor, 1, 1000);
  s.spikes.leastFaults =
      static_cast<std::uint64_t>(number(file, "spikes/least_faults", static_cast<double>(usual.leastFaults), 1, 1e9));
  s.startHidden = flag(file, "start_hidden", s.startHidden);
  s.notifySpikes = flag(file, "notify_spikes", s.notifySpikes);
  s.saveSpikes = flag(file, "save_spikes", s.saveSpikes);
  s.keepPast = flag(file, "keep_past", s.keepPast);
  s.saveKey = flag(file, "save_key", s.saveKey);
  for (const QString& name : file.value(QLatin1StringView("spikes/muted")).toStringList())
    s.mutedSpikes.insert(name.toStdString());
  s.panelInk = static_cast<PanelInk>(static_cast<int>(number(file, "panel_ink", 0, 0, 2)));
  s.look = static_cast<Look>(static_cast<int>(number(file, "look", 0, 0, 2)));
  s.saidItStays = flag(file, "said_it_stays", s.saidItStays);
  s.visibleSeconds = number(file, "window/visible_seconds", s.visibleSeconds, 1, 1e7);
  s.frameStacks = static_cast<SampleMode>(static_cast<int>(number(file, "frames/stacks", 1, 0, 3)));
  s.frameBudget = Nanoseconds(
      std::llround(number(file, "frames/budget_ns", static_cast<double>(s.frameBudget.count()),
                          static_cast<double>(kShortestBudget.count()), static_cast<double>(kLongestBudget.count()))));
  for (const Layout& layout : kLayouts) s.*layout.bytes = file.value(QLatin1StringView(layout.key)).toByteArray();
  s.startAtLogin = autostartEnabled();
  return s;
}

void saveSettings(const Settings& s, QSettings& file) {
  put(file, "interval_ms", static_cast<int>(s.interval.count()));
  put(file, "faster", s.faster);
  put(file, "time_faults", s.timeFaults);
  put(file, "spikes/minor_per_second", s.spikes.minorPerSecond);
  put(file, "spikes/major_per_second", s.spikes.majorPerSecond);
  put(file, "spikes/zeroed_per_second", s.spikes.zeroedPerSecond);
  put(file, "spikes/fault_ns_per_second", s.spikes.faultNsPerSecond);
  put(file, "spikes/teardown_ns_per_second", s.spikes.teardownNsPerSecond);
  put(file, "spikes/factor", s.spikes.factor);
  put(file, "spikes/least_faults", static_cast<qulonglong>(s.spikes.leastFaults));
  put(file, "start_hidden", s.startHidden);
  put(file, "notify_spikes", s.notifySpikes);
  put(file, "save_spikes", s.saveSpikes);
  put(file, "keep_past", s.keepPast);
  put(file, "save_key", s.saveKey);
  QStringList muted;
  for (const std::string& name : s.mutedSpikes) muted << QString::fromStdString(name);
  if (file.contains(QLatin1StringView("spikes/muted")) || !muted.isEmpty()) put(file, "spikes/muted", muted);
  put(file, "panel_ink", static_cast<int>(s.panelInk));
  put(file, "look", static_cast<int>(s.look));
  put(file, "said_it_stays", s.saidItStays);
  put(file, "window/visible_seconds", s.visibleSeconds);
  put(file, "frames/stacks", static_cast<int>(s.frameStacks));
  put(file, "frames/budget_ns", static_cast<qlonglong>(s.frameBudget.count()));
  for (const Layout& layout : kLayouts) put(file, layout.key, s.*layout.bytes);
}

SettingsStore::SettingsStore(const QString& fileName, QObject* parent) : QObject(parent) {
  if (fileName.isEmpty())
    m_file = std::make_unique<QSettings>(QStringLiteral("faultline"), QStringLiteral("faultline"));
  else m_file = std::make_unique<QSettings>(fileName, QSettings::IniFormat);
  m_settings = loadSettings(*m_file);
}

void SettingsStore::set(const Settings& settings) {
  if (settings == m_settings) return;
  const bool login = settings.startAtLogin != m_settings.startAtLogin;
  m_settings = settings;
  if (login) {
    const Result<void> done = settings.startAtLogin
                                  ? enableAutostart(QCoreApplication::applicationFilePath().toStdU16String())
                                  : disableAutostart();
    if (!done) {
      m_settings.startAtLogin = autostartEnabled();
      Q_EMIT failed(QString::fromStdString(done.error().message));
    }
  }
  saveSettings(m_settings, *m_file);
  m_file->sync();
  if (m_file->status() != QSettings::NoError && !std::exchange(m_saidUnsaved, true))
    Q_EMIT failed(
        tr("The settings cannot be written to %1, so they last only until you quit.").arg(m_file->fileName()));
  Q_EMIT changed(m_settings);
}

}  // namespace faultline
