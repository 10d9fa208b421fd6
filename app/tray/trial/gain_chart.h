// GainChart: the share that each of several changes saves, as a bar with its interval: of the remedies of a trial, or
// of the costs of a second run.
#pragma once

#include <QWidget>

#include "app/tray/trial/try_run.h"
#include "app/tray/widgets/spoken_value.h"

namespace faultline {

// "12 %", "1.2 %", "-3.0 %"
[[nodiscard]] QString percentOf(double share);

class GainChart : public QWidget, public SpokenValue {
  Q_OBJECT
 public:
  struct Words {
    QString title;
    QString axis;                       // "← loses · saves →"
    QString spoken;                     // "%1 saves %2 (%3 to %4)"
    QString (*amount)(double saved){};  // "12 %", "12 % less"
  };
  explicit GainChart(Words words, QWidget* parent = nullptr);

  void show(std::vector<TryResult::Gain> gains);  // hides without any
  [[nodiscard]] QString spoken() const override;  // a sentence for each
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Words m_words;
  std::vector<TryResult::Gain> m_gains;
};

}  // namespace faultline
