// PartsBar: a whole as a stacked bar of its parts, above a legend of their names and amounts. Parts of 0 are left out.
#pragma once

#include <QWidget>
#include <vector>

#include "app/tray/widgets/spoken_value.h"
#include "app/tray/widgets/theme.h"

namespace faultline {

enum class PartInk : std::uint8_t { Computing, OnProcessor, Blocked, GivingBack, Waiting, Others, Nobody };

struct Part {
  QString name;
  double amount = 0;  // all in one unit
  QString text;       // the amount for people
  PartInk ink = PartInk::Computing;

  bool operator==(const Part&) const = default;
};

class PartsBar : public QWidget, public SpokenValue {
  Q_OBJECT
 public:
  explicit PartsBar(QWidget* parent = nullptr);

  void setParts(std::vector<Part> parts);  // hidden if all are 0
  [[nodiscard]] const std::vector<Part>& parts() const { return m_parts; }
  [[nodiscard]] QString spoken() const override;  // "2.00 ms computing, 1.00 ms giving memory back"
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  [[nodiscard]] std::vector<QRect> legend(int width) const;  // a place for each part

  std::vector<Part> m_parts;
};

}  // namespace faultline
