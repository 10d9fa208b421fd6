// GrantRun: faultline-grant through pkexec, which asks for an administrator's password. Every way in which that ends is
// a sentence.
#pragma once

#include <QObject>
#include <QProcess>
#include <QString>

namespace faultline {

struct GrantPlaces {
  QString pkexec;
  QString grant;      // the script
  QString collector;  // to copy
  QString granted;    // the copy
};

// As this program finds them; `grant` is empty where there is no script.
[[nodiscard]] GrantPlaces ownGrantPlaces();
// What to type in a terminal for the same.
[[nodiscard]] QString grantCommand(const GrantPlaces& places);
[[nodiscard]] QString revokeCommand(const GrantPlaces& places);

class GrantRun : public QObject {
  Q_OBJECT
 public:
  explicit GrantRun(const GrantPlaces& places, QObject* parent = nullptr);

  // Not while it runs. Nobody is asked for a password where the script would refuse the collector anyway.
  void start();
  [[nodiscard]] bool running() const { return m_process.state() != QProcess::NotRunning; }

 Q_SIGNALS:
  // `usable`: a collector started now measures more.
  void ended(bool usable, const QString& sentence);

 private:
  void askForPassword();
  void processEnded(int code, QProcess::ExitStatus status);

  GrantPlaces m_places;
  QProcess m_process;
  bool m_checking = false;
};

}  // namespace faultline
