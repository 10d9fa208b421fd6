// GrantOffer: the notes of the plots that are not measured, and behind each note a button that asks for the one-time
// permission, if a permission helps.
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
  [[nodiscard]] bool concerns(Panel panel) const;
  // Why the panel is empty, or the words before its button. The reason of two panels is told once.
  [[nodiscard]] QString note(Panel panel) const;
  void place(Panel panel, const QRect& note);  // shows the button behind the note, if the offer concerns the panel

 Q_SIGNALS:
  void requested();

 private:
  [[nodiscard]] QString why(Panel panel) const { return whyEmpty(panel, m_monitor.hello()); }

  const Monitor& m_monitor;
  bool m_offered = false;
  std::array<QToolButton*, kPanelCount> m_buttons{};  // null for panels that need no permission
};

}  // namespace faultline
