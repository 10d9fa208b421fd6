// SidePage: all about the process, spike or group of spikes that is selected: what memory costs it, the parts of that,
// its numbers with their last minute and their quality, who it is, and what can be done with it.
#pragma once

#include <QLabel>
#include <QScrollArea>
#include <QToolButton>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "app/tray/ledger/parts_bar.h"
#include "app/tray/page/numbers.h"
#include "app/tray/page/spike_part.h"
#include "app/tray/processes/pins.h"
#include "app/tray/spikes/mutes.h"
#include "app/tray/table/table.h"
#include "core/monitor/monitor.h"

namespace faultline {

class SidePage : public QScrollArea {
  Q_OBJECT
 public:
  SidePage(const Monitor& monitor, Pins& pins, SpikeMutes& mutes, ProcessTable& table, QWidget* parent = nullptr);

  void showProcess(std::optional<ProcessKey> key);  // a spike of it stays
  void showSpike(const Spike& spike);
  void leaveSpike() { m_spike->leave(); }
  void setReplay(bool replay);        // the data is a recording's
  void setRecording(bool recording);  // all that is measured goes to a file
  void setFrame(Nanoseconds budget);  // the frame that costs are told of
  // Tells the lines of code of a watched game that fault most.
  void setLinesOf(std::function<QString(std::uint32_t pid)> linesOf) { m_linesOf = std::move(linesOf); }
  void refresh();  // after each ingest, and for another instant
  [[nodiscard]] std::optional<ProcessKey> process() const { return m_key; }
  [[nodiscard]] QString cost() const { return m_cost->text(); }
  [[nodiscard]] QString headline() const { return m_value->text(); }

 Q_SIGNALS:
  void framesRequested(const faultline::ProcessKey& key, const QString& name);
  void recordRequested();
  void spikeRequested(const faultline::Spike& spike);  // another one of the group

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void layOut();
  void addButtons(QLayout& column);
  void refreshWho(const ProcessEntry* entry);
  void refreshNumbers(const ProcessEntry* entry);
  void refreshCost();
  void refreshButtons(const ProcessEntry* entry);
  void toggleMute();
  void applyTheme();
  [[nodiscard]] QLabel* sentence(bool dim);

  const Monitor& m_monitor;
  Pins& m_pins;
  SpikeMutes& m_mutes;
  ProcessTable& m_table;
  std::optional<ProcessKey> m_key;
  std::string m_rawName;  // kept after History has dropped it
  Nanoseconds m_frame;
  bool m_replay = false;
  bool m_recording = false;
  std::function<QString(std::uint32_t)> m_linesOf;
  std::vector<QLabel*> m_dim;

  QLabel* m_nothing;
  QWidget* m_about;
  QLabel* m_name;
  QLabel* m_who;
  QToolButton* m_watch;
  QToolButton* m_record;
  QToolButton* m_try;
  QToolButton* m_pin;
  QToolButton* m_mute;
  SpikePart* m_spike;
  QLabel* m_value;
  QLabel* m_words;
  PartsBar* m_parts;
  PageNumbers* m_numbers;
  QLabel* m_lines;
  QLabel* m_cost;
  QLabel* m_command;
  QLabel* m_quality;
};

}  // namespace faultline
