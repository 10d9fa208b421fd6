// GainChart: what each remedy of a trial saves, as a bar with the interval of its median.
#pragma once

#include <QWidget>

#include "app/tray/trial/try_run.h"
#include "app/tray/widgets/spoken_value.h"

namespace faultline {

class GainChart : public QWidget, public SpokenValue {
  Q_OBJECT
 public:
  explicit GainChart(QWidget* parent = nullptr);

  void show(std::vector<TryResult::Gain> gains);  // hides without any
  [[nodiscard]] QString spoken() const override;  // a sentence for each
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<TryResult::Gain> m_gains;
};

}  // namespace faultline
