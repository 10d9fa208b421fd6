// GlobalKey: a key of all programs, also while a game has the keyboard. On Windows that of hot_key.h; elsewhere the
// desktop asks the user which key, keeps the answer, and tells when the key is pressed: by the portal GlobalShortcuts
// of xdg-desktop-portal 1.16 and later, on the session bus. On desktops without that portal there is none. Source:
// org.freedesktop.portal.GlobalShortcuts, .Request and .Session in the portal's documentation.
#pragma once

#include <QAbstractNativeEventFilter>
#include <QObject>
#include <QString>
#include <QVariantMap>
#include <optional>

#include "platform/host/keys/hot_key.h"

class QDBusMessage;

namespace faultline {

class GlobalKey : public QObject, private QAbstractNativeEventFilter {
  Q_OBJECT
 public:
  // `bus`: the name of a connection to another bus than the session's, for tests.
  explicit GlobalKey(QString purpose, QObject* parent = nullptr, QString bus = {});
  ~GlobalKey() override;

  void set(bool on);  // on again asks no more, also after a refusal

 Q_SIGNALS:
  void pressed();
  void bound(const QString& key);  // in the desktop's words, such as "Ctrl+Alt+R"; empty: the user has chosen none yet
  void refused(const QString& why);  // there is no key now

 private Q_SLOTS:
  void sessionAnswered(uint code, const QVariantMap& results);
  void keyAnswered(uint code, const QVariantMap& results);
  void activated(const QDBusMessage& key);
  void ended();  // by the desktop

 private:
  void begin();
  void end();
  void refuse(const QString& why);
  bool nativeEventFilter(const QByteArray& type, void* message, qintptr* result) override;

  std::optional<HotKey> m_held;  // where the system lends it
  QString m_purpose;             // that the desktop shows
  QString m_bus;
  QString m_session;  // path; empty: none
  bool m_on = false;
  int m_begun = 0;  // makes names of objects on the bus, which are not used again
};

}  // namespace faultline
