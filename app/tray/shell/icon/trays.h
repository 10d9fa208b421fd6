// Trays: whether the desktop has a tray, now and later: a panel may start after this program, and end before it. Qt
// asks the session bus once in the life of a process and keeps the answer, so a QSystemTrayIcon is made only after
// there() was true, and nothing else asks Qt.
#pragma once

#include <QObject>
#include <QTimer>
#include <cstdint>

namespace faultline {

class Trays : public QObject {
  Q_OBJECT
 public:
  explicit Trays(QObject* parent = nullptr);

  void start();
  // From now on, an icon is in the tray that was found, and no other kind of tray helps.
  void settle();
  [[nodiscard]] bool there() const { return m_there; }

 Q_SIGNALS:
  void changed();

 private Q_SLOTS:
  void askPanel();  // by the session bus; then looks

 private:
  enum class Kind : std::uint8_t { None, Bus, Other };

  void watchBus();
  void lookAgain();
  void look();

  QTimer m_again;
  bool m_busHasPanel = false;
  bool m_there = false;
  Kind m_settled = Kind::None;
};

}  // namespace faultline
