#include "app/tray/trial/try_run.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include "app/tray/trial/program.h"

namespace faultline {
namespace {

constexpr int kPatienceMs = 3000;

}  // namespace

std::optional<TryResult> readTryResult(const QByteArray& json) {
  const QJsonObject report = QJsonDocument::fromJson(json).object().value(QStringLiteral("try")).toObject();
  if (report.isEmpty()) return std::nullopt;
  TryResult result{.markdown = report.value(QStringLiteral("markdown")).toString(),
                   .advice = report.value(QStringLiteral("advice")).toString(),
                   .gains = {}};
  for (const auto& each : report.value(QStringLiteral("remedies")).toArray()) {
    const QJsonObject remedy = each.toObject();
    const QJsonObject gain = remedy.value(QStringLiteral("gain")).toObject();
    if (gain.isEmpty()) continue;
    const auto of = [&gain](const char* name) { return gain.value(QLatin1StringView(name)).toDouble(); };
    result.gains.push_back({remedy.value(QStringLiteral("name")).toString(),
                            {.median = of("median"), .low = of("low"), .high = of("high")}});
  }
  return result;
}

QString commandForWindow(const QString& typed) {
  static const QRegularExpression form(QStringLiteral("^((?:\\S*faultline-cli|'[^']*faultline-cli') +try) (.*)$"),
                                       QRegularExpression::DotMatchesEverythingOption);
  const auto match = form.match(typed.simplified());
  if (!match.hasMatch()) return {};
  return QStringLiteral("exec %1 --format json --ends-with %2 %3")
      .arg(match.captured(1), QString::number(QCoreApplication::applicationPid()), match.captured(2));
}

TryRun::TryRun(QObject* parent) : QObject(parent) {
  m_process.setReadChannel(QProcess::StandardError);
  connect(&m_process, &QProcess::readyReadStandardError, this, &TryRun::readLines);
  connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
    readLines();
    Q_EMIT ended(m_process.readAllStandardOutput(), status == QProcess::CrashExit ? -1 : code);
  });
  connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    Q_EMIT said(m_process.errorString());
    Q_EMIT ended({}, -1);
  });
}

TryRun::~TryRun() {
  m_process.disconnect(this);
  endGently(m_process, kPatienceMs);
}

bool TryRun::start(const QString& typed) {
  const QString command = commandForWindow(typed);
  if (command.isEmpty() || running()) return false;
  m_clock.invalidate();
  m_process.start(QStringLiteral("sh"), {QStringLiteral("-c"), command}, QIODevice::ReadOnly);
  return true;
}

void TryRun::cancel() {
  if (running()) m_process.terminate();
}

void TryRun::readLines() {
  while (m_process.canReadLine()) takeLine(m_process.readLine().chopped(1));
}

void TryRun::takeLine(const QByteArray& line) {
  const auto progress = parseTrialProgress({line.constData(), static_cast<std::size_t>(line.size())});
  if (!progress) return Q_EMIT said(QString::fromUtf8(line));
  if (!m_clock.isValid()) m_clock.start();
  const auto over = static_cast<qint64>(progress->run - 1);
  const auto left = static_cast<qint64>(progress->runs) - over;
  Q_EMIT progressed(*progress, over > 0 ? m_clock.nsecsElapsed() / over * left : 0);
}

}  // namespace faultline
