// GrantOffer: the notes of the plots that are not measured, and behind each note a button: for the one-time permission,
// if a permission helps, else for the reason.
#pragma once

#include <QObject>
#include <QToolButton>
#include <array>

#include "app/tray/plots/lines.h"
#include "core/monitor/monitor.h"

namespace faultline {

class GrantOffer : public QObject {
  Q_OBJECT
 public:
  GrantOffer(QWidget& plots, const Monitor& monitor);

  bool set(bool offered);  // false: no change
  [[nodiscard]] bool concerns(Panel panel) const {
    return !whyEmpty(panel, m_monitor.hello()).isEmpty() && canFill(panel, m_monitor.hello());
  }
  [[nodiscard]] QString note(Panel panel) const;      // the words before the button; empty if the panel is measured
  [[nodiscard]] QString sentence(Panel panel) const;  // the same for a tooltip
  void place(Panel panel, const QRect& note);         // shows the button behind the note, if the panel is not measured
  void ask();                                         // as a click on the button

 Q_SIGNALS:
  void grantRequested();
  void whyRequested();

 private:
  void name(QToolButton& button) const;

  const Monitor& m_monitor;
  bool m_offered = false;
  std::array<QToolButton*, kPanelCount> m_buttons{};  // null for panels that need no permission
};

}  // namespace faultline
