// SpokenValue: a widget whose value a screen reader says after its name. Without this class the screen reader says only
// the accessible name.
#pragma once

#include <QString>

class QWidget;

namespace faultline {

class SpokenValue {
 public:
  SpokenValue();
  SpokenValue(const SpokenValue&) = delete;
  SpokenValue& operator=(const SpokenValue&) = delete;
  virtual ~SpokenValue() = default;

  [[nodiscard]] virtual QString spoken() const = 0;

 protected:
  static void tellChange(QWidget& widget);  // notifies screen readers
};

// The text of a cell, with signs in words: "·" is zero, "–" is not available.
[[nodiscard]] QString spokenCell(const QString& shown);

}  // namespace faultline
