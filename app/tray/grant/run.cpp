#include "app/tray/grant/run.h"

#include "core/text/printable_text.h"
#include "platform/host/collector_choice.h"
#include "platform/host/programs.h"

namespace faultline {
namespace {

// Exit codes of pkexec(1) and faultline-grant.
constexpr int kDismissed = 126;
constexpr int kNotAuthorized = 127;
constexpr int kAtNextLogin = 3;

QString pathText(const std::filesystem::path& path) {
  return QString::fromStdU16String(path.u16string());
}
std::filesystem::path path(const QString& text) {
  return {text.toStdU16String()};
}

}  // namespace

GrantPlaces ownGrantPlaces() {
  const auto grant = findProgram(executableFolder(), "faultline-grant");
  const auto collector = findCollector(executableFolder());
  return {.pkexec = QStringLiteral("pkexec"),
          .grant = grant && collector ? pathText(*grant) : QString(),
          .collector = collector ? pathText(*collector) : QString(),
          .granted = pathText(grantedCollector())};
}

QString grantCommand(const GrantPlaces& places) {
  return QString::fromStdString("sudo " + quotedForShell(path(places.grant)) + " " +
                                quotedForShell(path(places.collector)));
}
QString revokeCommand(const GrantPlaces& places) {
  return QString::fromStdString("sudo " + quotedForShell(path(places.grant)) + " --revoke");
}

GrantRun::GrantRun(const GrantPlaces& places, QObject* parent) : QObject(parent), m_places(places) {
  connect(&m_process, &QProcess::finished, this, &GrantRun::processEnded);
  connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    if (m_checking) return Q_EMIT ended(false, tr("Nothing was changed: %1 cannot be started.").arg(m_places.grant));
    Q_EMIT ended(false, tr("Nothing was changed: pkexec, which asks for the password, is not installed. Type the "
                           "command in a terminal instead."));
  });
}

GrantRun::~GrantRun() {
  m_process.disconnect(this);  // QProcess ends what still runs, and tells
}

void GrantRun::start() {
  m_checking = true;
  m_process.start(m_places.grant, {QStringLiteral("--check"), m_places.collector});
}

// Without pkexec's own agent, which would ask in the terminal from which we were started.
void GrantRun::askForPassword() {
  m_checking = false;
  m_process.start(m_places.pkexec, {QStringLiteral("--disable-internal-agent"), m_places.grant, m_places.collector});
}

void GrantRun::processEnded(int code, QProcess::ExitStatus status) {
  const QString said = QString::fromStdString(lastLine(m_process.readAllStandardError().toStdString()));
  if (status == QProcess::CrashExit) return Q_EMIT ended(false, tr("The grant was ended before it was finished."));
  if (m_checking) return code == 0 ? askForPassword() : Q_EMIT ended(false, tr("Nothing was changed. %1").arg(said));
  switch (code) {
    case 0:
      if (mayExecute(path(m_places.granted)))
        return Q_EMIT ended(true, tr("Done. The collector restarts and measures zeroing from now on."));
      [[fallthrough]];
    case kAtNextLogin:
      return Q_EMIT ended(false, tr("Done. Log out and in again: the group faultline takes effect at the next login."));
    case kDismissed:
      return Q_EMIT ended(false, tr("Nothing was changed: no password was given."));
    case kNotAuthorized:
      return Q_EMIT ended(false, tr("Nothing was changed: no program can ask for the password here. Type the command "
                                    "in a terminal instead. (%1)")
                                     .arg(said));
    default:
      return Q_EMIT ended(false, tr("Nothing was changed. %1").arg(said));
  }
}

}  // namespace faultline
