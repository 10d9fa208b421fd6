#include "app/tray/session/recent_actions.h"

#include <QDateTime>
#include <memory>
#include <utility>

namespace faultline {

using namespace std::chrono_literals;

RecentActions::RecentActions(const Session& session, QWidget& window, TellSaved tell)
    : m_session(session), m_window(window), m_tell(std::move(tell)) {
  m_openEarlier.setVisible(false);
  m_openFrames.setTitle(tr("Open the frames of earlier &games"));
  m_openFrames.menuAction()->setVisible(false);
  connect(&m_openEarlier, &QAction::triggered, this, [this] { Q_EMIT opened(m_earlier); });
}

void RecentActions::addFileActions(QMenu& menu) {
  QMenu* recent = menu.addMenu(tr("Save &what just happened"));
  recent->addAction(tr("The last &minute…"), this, [this] { save(1min); });
  recent->addAction(tr("The last &10 minutes…"), QKeySequence(tr("Ctrl+Shift+R")), this, [this] { save(10min); });
  recent->addAction(tr("The last &hour…"), this, [this] { save(1h); });
  menu.addAction(&m_openEarlier);
  menu.addMenu(&m_openFrames);
}

// Of the time of the call: more comes while the user chooses a file.
void RecentActions::save(Nanoseconds time) {
  const RecentRecording& recent = m_session.recent();
  if (!recent.newest()) return m_tell(fail(tr("Nothing has been measured yet.").toStdString()));
  const MonotonicTime from = *recent.newest() - time;
  const auto reader = std::make_shared<RecentReader>(recent.since(from));
  const auto next = [reader](std::string& out) { return reader->next(out) ? Piece::More : Piece::Last; };
  askForFile(&m_window,
             {tr("Save what just happened"), QStringLiteral("faultline"), QStringLiteral(".faultline"),
              tr("Faultline recordings (*.faultline)")},
             [this, from, next](const QString& file) {
               saveInTurns(this, file, true, next, m_tell);
               Q_EMIT saving(from, file);
             });
}

QString RecentActions::offer(const std::optional<EarlierPast>& past, const std::vector<EarlierFrames>& frames) {
  const QString hour = offerHour(past);
  const QString games = offerFrames(frames);
  return hour.isEmpty() || games.isEmpty() ? hour + games : hour + u' ' + games;
}

QString RecentActions::offerFrames(const std::vector<EarlierFrames>& frames) {
  QStringList files;
  for (const EarlierFrames& each : frames) files << each.file;
  if (std::exchange(m_frames, files) == files) return {};
  m_openFrames.menuAction()->setVisible(!frames.empty());
  m_openFrames.clear();
  const auto at = [](const QDateTime& time) {
    const bool today = time.date() == QDate::currentDate();
    return time.toString(today ? QStringLiteral("HH:mm") : QStringLiteral("yyyy-MM-dd HH:mm"));
  };
  for (const EarlierFrames& each : frames)
    m_openFrames.addAction(
        tr("Frames of %1 until %2").arg(QString(each.game).replace(u'&', QStringLiteral("&&")), at(each.until)), this,
        [this, file = each.file] { Q_EMIT opened(file); });
  if (frames.empty()) return {};
  return tr("The frames of %1 until %2 are in the menu File.").arg(frames[0].game, at(frames[0].until));
}

QString RecentActions::offerHour(const std::optional<EarlierPast>& past) {
  const QString file = past ? past->file : QString();
  if (std::exchange(m_earlier, file) == file) return {};
  m_openEarlier.setVisible(past.has_value());
  if (!past) return {};
  const auto at = [](const QDateTime& time) { return time.toString(QStringLiteral("yyyy-MM-dd HH:mm")); };
  if (past->restarted) {
    m_openEarlier.setText(tr("Open the hour be&fore the restart of %1").arg(at(*past->restarted)));
    return tr("The machine was restarted at %1. The hour before is in the menu File.").arg(at(*past->restarted));
  }
  m_openEarlier.setText(tr("Open the hour be&fore %1").arg(at(past->until)));
  return tr("The hour before %1, when Faultline ended, is in the menu File.").arg(at(past->until));
}

}  // namespace faultline
