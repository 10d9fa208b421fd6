// FrameControls: the summary of a game's frames, and the choices of budget, call stacks, the end of a frame, and
// delays.
#pragma once

#include <QLabel>
#include <QToolButton>
#include <QWidget>
#include <optional>
#include <vector>

#include "core/base/units.h"
#include "core/watch/mark_search.h"

class QComboBox;
class QHBoxLayout;

namespace faultline {

// Reads the first number of "16.7 ms, 60 Hz", "5" or "5 ms". Absent if no budget can have that length.
[[nodiscard]] std::optional<Nanoseconds> parseBudget(const QString& text);

// Reads "render" (a mark of the game's own), "libSDL2:SDL_GL_SwapWindow" or "60 Hz"; else, as for empty text, the best
// end of a frame.
[[nodiscard]] MarkWishes parseFrameEnd(const QString& text);

class FrameControls : public QWidget {
  Q_OBJECT
 public:
  explicit FrameControls(SampleMode stacks, QWidget* parent = nullptr);

  void hideLive();  // the choices that a recording does not leave
  void showSummary(const QString& summary);
  void showBudget(Nanoseconds budget);
  void offerEnds(const QStringList& ends);  // texts for parseFrameEnd()
  [[nodiscard]] QString summary() const { return m_summaryText; }

 Q_SIGNALS:
  void copyRequested();
  void budgetTyped(const QString& text);
  void endTyped(const QString& text);
  void stacksChosen(faultline::SampleMode stacks);
  void delayChosen(qint64 nanoseconds);  // of each page fault; 0: none

 private:
  QWidget* addLabelled(QHBoxLayout& row, const QString& words, QWidget* box);  // gives the label
  void buildEnds();
  void buildBudget();
  void buildStacks(SampleMode stacks);
  void buildDelays();

  QLabel* m_summary;
  QString m_summaryText;
  QToolButton* m_copy;
  QComboBox* m_budget;
  QComboBox* m_stacks;
  QComboBox* m_ends;
  QComboBox* m_delays;
  std::vector<QWidget*> m_live;  // the choices that a recording does not leave, with their labels
  QString m_end;                 // the last that was chosen
};

}  // namespace faultline
