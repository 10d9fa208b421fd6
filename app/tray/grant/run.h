// GrantRun: runs faultline-grant by pkexec, which asks for an administrator's password. Reports every end as a
// sentence.
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

// The places on this machine; `grant` is empty if there is no script.
[[nodiscard]] GrantPlaces ownGrantPlaces();
// The same for a terminal.
[[nodiscard]] QString grantCommand(const GrantPlaces& places);
[[nodiscard]] QString revokeCommand(const GrantPlaces& places);

class GrantRun : public QObject {
  Q_OBJECT
 public:
  explicit GrantRun(const GrantPlaces& places, QObject* parent = nullptr);
  ~GrantRun() override;

  // Requires !running(). Asks for no password if the script would refuse the collector.
  void start();
  [[nodiscard]] bool running() const { return m_process.state() != QProcess::NotRunning; }

 Q_SIGNALS:
  // `usable`: a collector started from now on measures more.
  void ended(bool usable, const QString& sentence);

 private:
  void askForPassword();
  void processEnded(int code, QProcess::ExitStatus status);

  GrantPlaces m_places;
  QProcess m_process;
  bool m_checking = false;
};

}  // namespace faultline
