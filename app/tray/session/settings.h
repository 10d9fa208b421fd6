// Settings: what Faultline remembers between runs, as a plain value; SettingsStore keeps it on disk and tells of
// changes.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QSettings>
#include <chrono>
#include <memory>
#include <set>
#include <string>

#include "core/frames/judge.h"
#include "core/model/watch_request.h"
#include "core/spikes/detector.h"

namespace faultline {

// In what colour the tray icon is drawn. Automatic cannot know the panel's ground, so it adds a halo.
enum class PanelInk : std::uint8_t { Automatic, Dark, Light };

struct Settings {
  std::chrono::milliseconds interval{500};
  bool timeFaults = true;  // where the collector can, and while somebody looks
  SpikeOptions spikes;
  bool startHidden = false;
  bool startAtLogin = false;
  bool notifySpikes = false;
  std::set<std::string> mutedSpikes;  // programs
  PanelInk panelInk = PanelInk::Automatic;
  bool saidItStays = false;   // that closing the window keeps Faultline in the tray
  QByteArray windowGeometry;  // and of its parts: above each other, beside each other
  QByteArray windowRows;
  QByteArray windowColumns;
  QByteArray tableColumns;
  double visibleSeconds = 60;                   // the plots' range
  SampleMode frameStacks = SampleMode::Spikes;  // of a watched game's faults, those whose stacks are read
  Nanoseconds frameBudget = FrameRules().budget;
  QByteArray framesGeometry;  // of the window of a game's frames, and of its parts
  QByteArray framesRows;
  QByteArray framesColumns;
  QByteArray framesTable;

  bool operator==(const Settings&) const = default;
};

inline constexpr std::chrono::milliseconds kShortestInterval{10};
inline constexpr std::chrono::milliseconds kLongestInterval{60'000};
inline constexpr Nanoseconds kShortestBudget{100'000};
inline constexpr Nanoseconds kLongestBudget{10'000'000'000};

// Values that a hand-edited file got wrong come back as the nearest sane ones.
[[nodiscard]] Settings loadSettings(const QSettings& file);
void saveSettings(const Settings& settings, QSettings& file);

class SettingsStore : public QObject {
  Q_OBJECT
 public:
  // An empty file name: the user's own, ~/.config/faultline/faultline.conf.
  explicit SettingsStore(const QString& fileName = {}, QObject* parent = nullptr);

  [[nodiscard]] const Settings& get() const { return m_settings; }
  void set(const Settings& settings);  // saves, then tells, if anything differs

 Q_SIGNALS:
  void changed(const faultline::Settings& settings);
  void failed(const QString& sentence);  // the rest goes on: at worst nothing is remembered

 private:
  std::unique_ptr<QSettings> m_file;
  Settings m_settings;
  bool m_saidUnsaved = false;
};

}  // namespace faultline
