#include "tests/soak/world.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <vector>

namespace faultline::soak {
namespace {

// Collectors are named by their program, whose name the kernel cuts to 15 bytes.
std::vector<pid_t> collectors() {
  std::vector<pid_t> found;
  for (const QString& name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
    const pid_t pid = name.toInt();
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (pid == 0 || !file.open(QIODevice::ReadOnly)) continue;
    const QByteArray stat = file.readAll();
    const QList<QByteArray> rest = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
    if (stat.contains("(faultline-colle)") && rest.size() > 1 && rest[1].toInt() == getpid()) found.push_back(pid);
  }
  return found;
}

void end(QProcess& process) {
  process.kill();
  process.waitForFinished();
}

}  // namespace

World::World(Random& random, QString folder, QString panel)
    : m_random(random), m_folder(std::move(folder)), m_panel(std::move(panel)) {
  qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=" + m_folder.toUtf8() + "/bus");
  for (QProcess* each : {&m_bus, &m_busPanel, &m_xPanel}) {
    each->setChildProcessModifier([] { prctl(PR_SET_PDEATHSIG, SIGKILL); });  // also where this program crashes
    each->setStandardOutputFile(QProcess::nullDevice());
    each->setStandardErrorFile(QProcess::nullDevice());
  }
  if (!m_random.chance(80)) return;
  (void)toggleBus();
  for (int i = 0; i < 100 && !QFile::exists(m_folder + QStringLiteral("/bus")); ++i) usleep(50'000);
}

World::~World() {
  for (QProcess* each : {&m_busPanel, &m_xPanel, &m_bus}) end(*each);
}

QString World::act() {
  const int kind = m_random.below(100);
  if (kind < 50) return hurtCollector();
  if (kind < 73)
    return toggle(m_xPanel, QStringLiteral("trayer"),
                  {QStringLiteral("--edge"), QStringLiteral("top"), QStringLiteral("--height"), QStringLiteral("24")});
  if (kind < 97) return toggle(m_busPanel, QStringLiteral("/usr/bin/python3"), {m_panel});
  return m_random.chance(10) ? toggleBus() : QString();
}

QString World::toggle(QProcess& process, const QString& program, const QStringList& arguments) {
  const QString name = program.section(u'/', -1);
  if (process.state() != QProcess::NotRunning) {
    process.kill();
    return QStringLiteral("world end ") + name;
  }
  process.start(program, arguments);
  return QStringLiteral("world start ") + name;
}

QString World::toggleBus() {
  if (m_bus.state() == QProcess::NotRunning) QFile::remove(m_folder + QStringLiteral("/bus"));
  return toggle(m_bus, QStringLiteral("dbus-daemon"),
                {QStringLiteral("--session"), QStringLiteral("--nofork"),
                 QStringLiteral("--address=unix:path=") + m_folder + QStringLiteral("/bus")});
}

QString World::hurtCollector() {
  const std::vector<pid_t> all = collectors();
  if (all.empty()) return {};
  static const std::vector<int> signals{SIGKILL, SIGTERM, SIGSTOP, SIGCONT, SIGCONT, SIGSEGV};
  const int signal = m_random.of(signals);
  kill(m_random.of(all), signal);
  return QStringLiteral("world signal %1").arg(signal);
}

}  // namespace faultline::soak
