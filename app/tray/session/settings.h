// Settings: the values that Faultline keeps between runs. SettingsStore stores them on disk and emits changes.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QSettings>
#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <tuple>

#include "core/frames/judge.h"
#include "core/model/watch_request.h"
#include "core/spikes/detector.h"

namespace faultline {

// Colour of the tray icon. Automatic adds a halo, because the panel's colour is not known.
enum class PanelInk : std::uint8_t { Automatic, Dark, Light };

// Colours of all windows. Desktop: as the desktop says, also when it changes.
enum class Look : std::uint8_t { Desktop, Light, Dark };

struct Settings {
  std::chrono::milliseconds interval{500};
  bool faster = true;      // sweeps, while a spike runs or a game is watched; bounded by the collector
  bool timeFaults = true;  // if the collector can, and while a user is looking
  SpikeOptions spikes;
  bool startHidden = false;
  bool startAtLogin = false;
  bool notifySpikes = false;
  bool saveSpikes = false;            // by itself, within SpikeLimits
  bool keepPast = true;               // the last hour on disk, too, for after a crash: see PastOnDisk
  bool saveKey = false;               // of all programs: see GlobalKey
  std::set<std::string> mutedSpikes;  // programs
  PanelInk panelInk = PanelInk::Automatic;
  Look look = Look::Desktop;
  bool saidItStays = false;   // the user was told that closing the window keeps Faultline in the tray
  QByteArray windowGeometry;  // followed by the layouts of rows and columns in the window
  QByteArray windowRows;
  QByteArray windowColumns;
  QByteArray windowSide;
  QByteArray tableColumns;
  double visibleSeconds = 60;                   // the plots' range
  SampleMode frameStacks = SampleMode::Spikes;  // the faults of a watched game that are sampled
  Nanoseconds frameBudget = FrameRules().budget;
  QByteArray framesGeometry;  // of the window of a game's frames, followed by its parts
  QByteArray framesRows;
  QByteArray framesColumns;
  QByteArray framesTable;

  bool operator==(const Settings&) const = default;
};

// What a collector is started with.
[[nodiscard]] inline auto sweepsOf(const Settings& settings) {
  return std::tuple(settings.interval, settings.timeFaults, settings.faster);
}

inline constexpr std::chrono::milliseconds kShortestInterval{10};
inline constexpr std::chrono::milliseconds kLongestInterval{60'000};
inline constexpr Nanoseconds kShortestBudget{100'000};
inline constexpr Nanoseconds kLongestBudget{10'000'000'000};

// Replaces invalid values of a hand-edited file by the nearest valid values.
[[nodiscard]] Settings loadSettings(const QSettings& file);
void saveSettings(const Settings& settings, QSettings& file);

class SettingsStore : public QObject {
  Q_OBJECT
 public:
  // Empty file name: ~/.config/faultline/faultline.conf.
  explicit SettingsStore(const QString& fileName = {}, QObject* parent = nullptr);

  [[nodiscard]] const Settings& get() const { return m_settings; }
  void set(const Settings& settings);  // saves, then emits changed(), if anything differs

 Q_SIGNALS:
  void changed(const faultline::Settings& settings);
  void failed(const QString& sentence);  // settings may be lost at exit; all else works

 private:
  std::unique_ptr<QSettings> m_file;
  Settings m_settings;
  bool m_saidUnsaved = false;
};

}  // namespace faultline
