// SingleInstance: one Faultline per user and display. The first instance listens; a later one hands over its arguments
// and ends.
#pragma once

#include <QLocalServer>
#include <QLockFile>
#include <QObject>
#include <QStringList>
#include <memory>

#include "core/base/result.h"

namespace faultline {

class SingleInstance : public QObject {
  Q_OBJECT
 public:
  // `name`: a path in a folder that only this user can enter, such as defaultName(). Empty: every instance is the
  // first.
  explicit SingleInstance(const QString& name, QObject* parent = nullptr);

  // In the session's folder for such files, else in this user's cache. Empty: neither is this user's alone.
  [[nodiscard]] static QString defaultName();

  // true: this is the first instance, and listens from now on. false: another instance took `arguments` and shows its
  // window. Error: another instance runs, but does not answer.
  [[nodiscard]] Result<bool> claim(const QStringList& arguments);

 Q_SIGNALS:
  void secondStarted(const QStringList& arguments);

 private:
  void accept();

  QString m_name;
  QLockFile m_lock;
  QLocalServer m_server;
};

}  // namespace faultline
