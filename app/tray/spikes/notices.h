// Notices: notifications of spikes with the buttons Show, Save and Mute, where the desktop has a server of
// notifications that shows buttons (org.freedesktop.Notifications on the session bus). On Windows there is none.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <map>

#include "app/tray/spikes/notifier.h"

namespace faultline {

class Notices : public QObject {
  Q_OBJECT
 public:
  enum class Choice : std::uint8_t { Show, Save, Mute };
  Q_ENUM(Choice)

  // `bus`: the name of a connection to another bus than the session's, for tests.
  explicit Notices(QObject* parent = nullptr, QString bus = {}) : QObject(parent), m_bus(std::move(bus)) {}

  // Calls `unable` if the notification cannot be shown with buttons: at once, or once the server has said so.
  void show(const Notification& notification, std::function<void()> unable);

 Q_SIGNALS:
  void chosen(const faultline::Notification& notification, faultline::Notices::Choice choice);

 private Q_SLOTS:
  void invoked(uint id, const QString& action);
  void closed(uint id);

 private:
  void listen();  // to the buttons
  void send(const Notification& notification, bool markup, const std::function<void()>& unable);

  QString m_bus;
  bool m_listens = false;
  std::map<uint, Notification> m_shown;  // by the server's number
};

}  // namespace faultline
