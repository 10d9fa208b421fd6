#include "app/tray/frames/files.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QTemporaryDir>
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "app/tray/frames/advice.h"
#include "app/tray/frames/words.h"
#include "app/tray/trial/compare_dialog.h"
#include "core/advice/text.h"
#include "core/delay/text.h"
#include "core/frames/files/formats.h"

namespace faultline {
namespace {

QString fileWords(const char* words) {
  return QCoreApplication::translate("FrameFiles", words);
}

constexpr qint64 kCulpritsMs = 1'000;  // longest wait for those of a frame

class FrameDocument {
 public:
  // `game`: the watched one may have gone while the user chose the file.
  FrameDocument(const ExportFormat<FrameExporter>& format, const GameWatch& watch, CulpritFinder& finder,
                WatchedGame game, std::uint64_t end)
      : m_format(format), m_watch(watch), m_finder(finder), m_game(std::move(game)), m_end(end) {}

  Piece next(std::string& out) {
    if (m_frames && m_budget != m_watch.rules().budget) {  // a file has verdicts of one budget
      m_frames.reset();
      return Piece::Anew;
    }
    if (!m_frames) begin(out);
    m_place = std::max(m_place, m_watch.history().begin());  // a game that goes on drops its oldest frames
    if (m_place >= m_end) {
      conclude(out);
      return Piece::Last;
    }
    const JudgedFrame judged = m_watch.history().at(m_place);
    const auto culprit = judged.flagged() ? culpritText() : std::string();
    if (!culprit) return Piece::Later;
    const auto culprits = m_finder.found(m_place);
    m_frames->add({judged.frame, judged.verdict, *culprit, culprits.get(), m_watch.totals()}, out);
    ++m_place;
    return Piece::More;
  }

 private:
  void begin(std::string& out) {
    m_budget = m_watch.rules().budget;
    m_place = 0;
    m_frames = m_format.make();
    m_frames->begin({m_game, FAULTLINE_VERSION, m_budget, {}, m_watch.session().pageBytes()}, out);
  }

  std::optional<std::string> culpritText() {
    auto text = m_finder.text(m_place);
    if (text) m_waits.invalidate();
    else if (!m_waits.isValid()) m_waits.start();
    else if (m_waits.elapsed() > kCulpritsMs)
      return fileWords("Call stacks are still being read. Export again later.").toStdString();
    return text;
  }

  void conclude(std::string& out) {
    const auto advice = adviceOn(m_watch, m_finder);
    m_frames->conclude(advice ? adviceJson(*advice) : std::string(),
                       delayJson(m_watch.session().delays(), m_watch.session().paced()));
    m_frames->end(out);
  }

  const ExportFormat<FrameExporter>& m_format;
  const GameWatch& m_watch;
  CulpritFinder& m_finder;
  WatchedGame m_game;
  std::uint64_t m_end;
  Nanoseconds m_budget{0};
  std::unique_ptr<FrameExporter> m_frames;
  std::uint64_t m_place = 0;
  QElapsedTimer m_waits;  // valid: for the culprits of the frame at m_place
};

NextPiece documentOf(const ExportFormat<FrameExporter>& format, const GameWatch& watch, CulpritFinder& finder) {
  const auto document = std::make_shared<FrameDocument>(format, watch, finder, *watch.game(), watch.history().end());
  return [document](std::string& out) { return document->next(out); };
}

void openComparison(QWidget* window, const GameWatch& watch, const QString& before, const QString& after,
                    std::shared_ptr<QTemporaryDir> folder = nullptr) {
  auto* const dialog = new CompareDialog({QFileInfo(before).fileName(), before}, {windowTitleOf(watch), after},
                                         watch.rules().budget, window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  QObject::connect(dialog, &QObject::destroyed, [kept = std::move(folder)] {});  // which goes with the dialog
  dialog->show();
}

}  // namespace

void saveFrames(QWidget* window, const ExportFormat<FrameExporter>& format, const GameWatch& watch,
                CulpritFinder& finder, TellSaved tell) {
  if (!watch.game()) return tell(fileWords("There are no frames yet."));
  const QString ending = QString::fromUtf8(format.ending);
  const QString kinds = QStringLiteral("%1 (*%2)").arg(QString::fromUtf8(format.words), ending);
  saveInTurnsAs(window, {fileWords("Save frames"), QStringLiteral("faultline-frames"), ending, kinds},
                documentOf(format, watch, finder), std::move(tell));
}

void compareFrames(QWidget* window, const GameWatch& watch, CulpritFinder& finder, TellSaved tell) {
  if (!watch.game()) return tell(fileWords("There are no frames yet."));
  const auto compare = [window, &watch, &finder, tell = std::move(tell)](const QString& before) {
    if (watch.recorded()) return openComparison(window, watch, before, watch.process().recording);
    auto folder = std::make_shared<QTemporaryDir>();
    const QString own = folder->filePath(QStringLiteral("frames.csv"));
    saveInTurns(window, own, true, documentOf(kFrameFormats[0], watch, finder),
                [window, &watch, before, own, folder, tell](const Result<QString>& saved) {
                  if (!saved) return tell(saved);
                  openComparison(window, watch, before, own, folder);
                });
  };
  askForSavedFile(window, fileWords("Compare with an earlier run"), fileWords("Frames of a game (*.faultline *.csv)"),
                  compare);
}

void saveStacks(QWidget* window, const Culprits* culprits, TellSaved tell) {
  if (culprits == nullptr || !culprits->stacks)
    return tell(fileWords("No call stacks are shown: select a frame that has call stacks."));
  saveAs(
      window,
      {fileWords("Save folded stacks"), QStringLiteral("faultline-frames"), QStringLiteral(".folded"),
       fileWords("Folded stacks (*.folded *.txt)")},
      [folded = foldedText(culprits->tree)](const QString& file) { return saveBytes(file, folded); }, std::move(tell));
}

}  // namespace faultline
