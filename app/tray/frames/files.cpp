#include "app/tray/frames/files.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QSaveFile>
#include <QTimer>
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "app/tray/frames/advice.h"
#include "core/advice/text.h"
#include "core/delay/text.h"

namespace faultline {
namespace {

QString tr(const char* words) {
  return QCoreApplication::translate("FrameFiles", words);
}

constexpr qint64 kWriteNs = 8'000'000;
constexpr int kAskAgainMs = 20;        // between two looks for culprits that are still searched
constexpr qint64 kCulpritsMs = 1'000;  // longest wait for those of a frame

// Writes in short turns of the event loop, so that a long game does not stop the window. Deletes itself at the end.
class FrameSave : public QObject {
 public:
  // `game`: the watched one may have gone while the user chose the file.
  FrameSave(QWidget* window, const ExportFormat<FrameExporter>& format, const GameWatch& watch, CulpritFinder& finder,
            WatchedGame game, std::uint64_t end, QString file, TellSaved tell)
      : QObject(window),
        m_format(format),
        m_watch(watch),
        m_finder(finder),
        m_game(std::move(game)),
        m_end(end),
        m_name(std::move(file)),
        m_tell(std::move(tell)) {
    connect(&m_timer, &QTimer::timeout, this, &FrameSave::turn);
    connect(&watch, &GameWatch::judgedAnew, this, &FrameSave::begin);  // a file has verdicts of one budget
    begin();
  }

 private:
  void begin() {
    m_file.emplace(m_name);
    m_piece.clear();
    m_place = m_watch.history().begin();
    m_frames = m_format.make();
    m_frames->begin({m_game, FAULTLINE_VERSION, m_watch.rules().budget}, m_piece);
    if (m_file->open(QIODevice::WriteOnly)) m_timer.start(0);
    else finish(false);
  }

  void turn() {
    QElapsedTimer spent;
    spent.start();
    m_timer.setInterval(0);
    m_place = std::max(m_place, m_watch.history().begin());  // a game that goes on drops its oldest frames
    while (m_place < m_end && m_timer.interval() == 0 && spent.nsecsElapsed() < kWriteNs) addFrame();
    if (m_place >= m_end) conclude();
    const auto size = static_cast<qint64>(m_piece.size());
    const bool written = m_file->write(m_piece.data(), size) == size;
    m_piece.clear();
    if (!written || m_place >= m_end) finish(written && m_file->commit());
  }

  void addFrame() {
    const JudgedFrame judged = m_watch.history().at(m_place);
    const auto culprit = judged.flagged() ? culpritText() : std::string();
    if (!culprit) return m_timer.setInterval(kAskAgainMs);
    const auto culprits = m_finder.found(m_place);
    m_frames->add({judged.frame, judged.verdict, *culprit, culprits.get(), m_watch.totals()}, m_piece);
    ++m_place;
  }

  std::optional<std::string> culpritText() {
    auto text = m_finder.text(m_place);
    if (text) m_waits.invalidate();
    else if (!m_waits.isValid()) m_waits.start();
    else if (m_waits.elapsed() > kCulpritsMs)
      return faultline::tr("Call stacks are still being read. Export again later.").toStdString();
    return text;
  }

  void conclude() {
    const auto advice = adviceOn(m_watch, m_finder);
    m_frames->conclude(advice ? adviceJson(*advice) : std::string(),
                       delayJson(m_watch.session().delays(), m_watch.session().paced()));
    m_frames->end(m_piece);
  }

  void finish(bool saved) {
    m_timer.stop();
    m_tell(saved ? savedSentence(m_name) : Result<QString>(cannotSave(m_name, *m_file)));
    m_watch.disconnect(this);
    deleteLater();
  }

  const ExportFormat<FrameExporter>& m_format;
  const GameWatch& m_watch;
  CulpritFinder& m_finder;
  WatchedGame m_game;
  std::uint64_t m_end;
  QString m_name;
  TellSaved m_tell;
  std::optional<QSaveFile> m_file;
  std::unique_ptr<FrameExporter> m_frames;
  std::string m_piece;
  std::uint64_t m_place = 0;
  QElapsedTimer m_waits;  // valid: for the culprits of the frame at m_place
  QTimer m_timer;
};

}  // namespace

void saveFrames(QWidget* window, const ExportFormat<FrameExporter>& format, const GameWatch& watch,
                CulpritFinder& finder, TellSaved tell) {
  if (!watch.game()) return tell(tr("There are no frames yet."));
  const QString ending = QString::fromUtf8(format.ending);
  const QString kinds = QStringLiteral("%1 (*%2)").arg(QString::fromUtf8(format.words), ending);
  askForFile(window, {tr("Save frames"), QStringLiteral("faultline-frames"), ending, kinds},
             [=, &format, &watch, &finder, game = *watch.game(), end = watch.history().end()](const QString& file) {
               new FrameSave(window, format, watch, finder, game, end, file, tell);
             });
}

void saveStacks(QWidget* window, const Culprits* culprits, TellSaved tell) {
  if (culprits == nullptr || !culprits->stacks)
    return tell(tr("No call stacks are shown: select a frame that has call stacks."));
  saveAs(
      window,
      {tr("Save folded stacks"), QStringLiteral("faultline-frames"), QStringLiteral(".folded"),
       tr("Folded stacks (*.folded *.txt)")},
      [folded = foldedText(culprits->tree)](const QString& file) { return saveBytes(file, folded); }, std::move(tell));
}

}  // namespace faultline
