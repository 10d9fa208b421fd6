// CostLine: the cost of a process and all its descendants since Faultline was started, or since the recording began, in
// one dim line. Hidden without a process.
#pragma once

#include <QLabel>
#include <optional>
#include <string>

#include "app/tray/widgets/spoken_value.h"
#include "core/monitor/monitor.h"

namespace faultline {

class CostLine : public QLabel, public SpokenValue {
  Q_OBJECT
 public:
  explicit CostLine(const Monitor& monitor, QWidget* parent = nullptr);

  void setSubject(std::optional<ProcessKey> key);
  [[nodiscard]] std::optional<ProcessKey> subject() const { return m_subject; }
  void setReplay(bool replay);  // the data is a recording's
  void refresh();               // after each ingest
  [[nodiscard]] QString spoken() const override { return m_sentence; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit();

  const Monitor& m_monitor;
  std::optional<ProcessKey> m_subject;
  std::string m_name;  // kept after History has dropped it
  bool m_replay = false;
  QString m_sentence;
};

}  // namespace faultline
