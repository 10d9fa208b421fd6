#include "app/tray/frames/words.h"

#include <QFileInfo>
#include <ranges>

#include "app/tray/widgets/utf8.h"
#include "core/delay/text.h"
#include "core/frames/session_numbers.h"
#include "core/model/names.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr std::size_t kMostLines = 5;

QString words(const char* sentence) {
  return GameWatch::tr(sentence);
}

QString detail(const QString& what, const Quality& quality) {
  QString line = words("%1: %2, %3").arg(what, text(gradeName(quality.grade)), text(quality.how));
  if (!quality.enable.empty()) line += QLatin1Char('\n') + words("To enable: %1").arg(text(quality.enable));
  return line;
}

QString qualitySentence(const WatchedGame& game) {
  const auto word = [](const Quality& quality) { return text(gradeName(quality.grade)); };
  return words("faults %1, time in faults %2, zeroed bytes %3")
      .arg(word(game.faults),
           game.nsPerFault && game.faultTime.grade == Grade::Unavailable ? words("estimated") : word(game.faultTime),
           word(game.zeroed));
}

QString qualityDetails(const WatchedGame& game) {
  QStringList lines;
  for (const FrameQuality& row : kFrameQualities) lines << detail(text(row.title), game.*row.quality);
  if (game.delay) lines << detail(words("Delays of faults"), *game.delay);
  if (game.nsPerFault && game.faultTime.grade == Grade::Unavailable)
    lines << words("Time in faults is estimated: %1 for each minor fault, measured when watching began.")
                 .arg(text(formatDuration(*game.nsPerFault)));
  return lines.join(QLatin1Char('\n'));
}

QString deadlineSentence(const FrameTally& tally) {
  if (!tally.deadline) return {};
  return words("due after %1").arg(text(deadlineText(*tally.deadline)));
}

QString lossSentence(const SessionTotals& totals) {
  QStringList parts;
  for (const std::string& loss : lossesOf(totals, &SessionNumber::brief)) parts << text(loss);
  return parts.join(QStringLiteral(", "));
}

}  // namespace

QString windowTitleOf(const GameWatch& watch) {
  const WatchedProcess& process = watch.process();
  if (!watch.recorded()) {
    const auto& game = watch.hello().watched;
    const QString name = game ? text(printableName(game->name)) : process.name;
    // The kernel's name of a program may be only the beginning of the whole one.
    const bool other = game && (game->pid != process.pid || !process.name.startsWith(name));
    return words("Frames of %1 (%2)").arg(other ? name : process.name).arg(other ? game->pid : process.pid);
  }
  const QFileInfo file(process.recording);
  if (!watch.game()) return words("Frames of %1").arg(file.fileName());
  return words("Frames of %1 (%2), recorded until %3: %4")
      .arg(text(printableName(watch.game()->name)))
      .arg(watch.game()->pid)
      .arg(file.lastModified().toString(QStringLiteral("yyyy-MM-dd HH:mm")), file.fileName());
}

QString markSentence(const GameWatch& watch) {
  if (!watch.game()) return {};
  const QString mark = text(printableName(watch.game()->mark));
  if (watch.game()->by == FrameEnd::AssumedRate) return words("Frames of an assumed %1").arg(mark);
  if (watch.game()->by == FrameEnd::Log) return words("Frames by %1").arg(mark);
  if (mark.isEmpty()) return words("Waiting for a mark");
  if (watch.game()->by == FrameEnd::OwnMarks) return words("Frames end with the game's own mark “%1”").arg(mark);
  return words("Frames end with %1").arg(mark);
}

QStringList endsOfFrames(const GameWatch& watch) {
  QStringList ends;
  if (watch.game())
    for (const std::string& mark : watch.game()->marks) ends << text(printableName(mark));
  for (const ProbePoint& point : watch.choice().functions) {
    if (point.calls == ProbeCalls::Lookups) continue;
    const QString name = text(point.name);  // "SDL_GL_SwapWindow (libSDL2-2.0.so.0)"
    const qsizetype file = name.lastIndexOf(QLatin1String(" ("));
    if (file > 0) ends << name.mid(file + 2).chopped(1) + QLatin1Char(':') + name.left(file);
  }
  return ends << QStringLiteral("60 Hz");
}

QString stateLine(const GameWatch& watch) {
  QStringList parts{watch.stateText()};
  if (const auto& game = watch.game())
    parts << markSentence(watch) << deadlineSentence(watch.tally()) << qualitySentence(*game)
          << lossSentence(watch.totals());
  parts.removeAll(QString());
  return parts.join(QStringLiteral(" · "));
}

QString stateDetails(const GameWatch& watch) {
  if (!watch.game()) return stateLine(watch);
  return QStringList{stateLine(watch), text(watch.choice().why), qualityDetails(*watch.game())}.join(
      QStringLiteral("\n\n"));
}

bool needsPermission(const GameWatch& watch) {
  if (!watch.grantable() || !watch.game()) return false;
  const WatchedGame& game = *watch.game();
  if (watch.delay() > Nanoseconds(0) && game.delay && game.delay->grade == Grade::Unavailable) return true;
  const bool noSamples = game.samples.grade == Grade::Unavailable && watch.stacks() != SampleMode::None;
  return noSamples || game.zeroed.grade == Grade::Unavailable || game.faultTime.grade == Grade::Unavailable;
}

QString whyNoCulprits(const GameWatch& watch, std::uint64_t place) {
  const FrameHistory& history = watch.history();
  if (place < history.begin() || place >= history.end()) return words("This frame is no longer kept.");
  if (!history.at(place).flagged())
    return words(
        "Faults did not delay this frame much, so no single faults were kept.\nCtrl+← and Ctrl+→ go to frames hit by "
        "faults.");
  if (watch.game() && watch.game()->samples.grade == Grade::Unavailable) {
    if (watch.stacks() == SampleMode::None)
      return words(
          "Call stacks are switched off. To see the culprits of later frames, choose above which faults to sample.");
    if (needsPermission(watch)) return words("Single faults need a one-time permission: Set up…, below.");
    const Quality& quality = watch.game()->samples;
    QString why = words("Single faults and their call stacks are not measured in this way to watch.");
    if (!quality.how.empty()) why += QStringLiteral("\n\n") + text(quality.how);
    if (!quality.enable.empty()) why += QLatin1Char('\n') + words("To enable: %1").arg(text(quality.enable));
    return why;
  }
  const SampleEvidence& evidence = watch.totals().evidence;
  if (evidence.leftOut > 0)
    return words(
               "The samples of %1 of %2 frames were left out to save memory, or none was due, or watching has been "
               "restarted.")
        .arg(text(formatCount(evidence.leftOut)), text(formatCount(evidence.frames)));
  return words("No samples came for this frame: none was due, or watching has been restarted.");
}

QString culpritLines(const std::vector<std::shared_ptr<const Culprits>>& frames) {
  if (frames.empty()) return {};
  const Culprits sum = sumOf(frames);
  QStringList lines{sum.timed ? words("Where the time in faults of the %1 worst frames went:").arg(frames.size())
                              : words("Where the %1 worst frames faulted:").arg(frames.size())};
  for (const CulpritShare& part : culpritList(sum) | std::views::take(kMostLines))
    lines << words("%1  %2").arg(text(formatPercent(sum.share(part))), text(part.name));
  return lines.join(QLatin1Char('\n'));
}

QString delaySentence(const GameWatch& watch) {
  const GameSession& session = watch.session();
  if (session.delays().totals().frames > 0) return text(delayText(session.delays(), session.paced()));
  const auto& game = watch.game();
  if (watch.delay() == Nanoseconds(0) || !game || !game->delay || game->delay->grade != Grade::Unavailable) return {};
  return words("No fault is delayed: %1").arg(text(game->delay->how));
}

QString summaryLine(const GameWatch& watch, const QString& culprit) {
  const std::string why = culprit.toStdString();
  if (!watch.rules().timesAreMeasured) return QString::fromStdString(assumedSummaryText(watch.tally(), why));
  const auto paid = watch.session().paid();
  return QString::fromStdString(summaryText(watch.tally(), why, paid ? std::optional(paid->share()) : std::nullopt));
}

}  // namespace faultline
