#include "app/tray/frames/files.h"

#include <QCoreApplication>
#include <utility>

#include "app/tray/frames/advice.h"
#include "core/advice/text.h"
#include "core/delay/text.h"

namespace faultline {
namespace {

QString tr(const char* words) {
  return QCoreApplication::translate("FrameFiles", words);
}

std::string document(const ExportFormat<FrameExporter>& format, const GameWatch& watch, CulpritFinder& finder,
                     std::uint64_t end) {
  std::string out;
  const auto frames = format.make();
  frames->begin({*watch.game(), FAULTLINE_VERSION, watch.rules().budget}, out);
  watch.history().visit(0, end, [&](std::uint64_t place, const JudgedFrame& judged) {
    const std::string culprit = judged.flagged() ? finder.textNow(place) : std::string();
    const auto culprits = finder.found(place);
    frames->add({judged.frame, judged.verdict, culprit, culprits.get(), watch.totals()}, out);
  });
  const auto advice = adviceOn(watch, finder);
  frames->conclude(advice ? adviceJson(*advice) : std::string(),
                   delayJson(watch.session().delays(), watch.session().paced()));
  frames->end(out);
  return out;
}

}  // namespace

void saveFrames(QWidget* window, const ExportFormat<FrameExporter>& format, const GameWatch& watch,
                CulpritFinder& finder, TellSaved tell) {
  if (!watch.game()) return tell(tr("There are no frames yet."));
  const QString ending = QString::fromUtf8(format.ending);
  const QString kinds = QStringLiteral("%1 (*%2)").arg(QString::fromUtf8(format.words), ending);
  saveAs(
      window, {tr("Save frames"), QStringLiteral("faultline-frames"), ending, kinds},
      [&format, &watch, &finder, end = watch.history().end()](const QString& file) {
        return saveBytes(file, document(format, watch, finder, end));
      },
      std::move(tell));
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
