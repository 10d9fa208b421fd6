// SpokenValue: a widget whose value a screen reader says behind its name. Without it there is the name alone, as Qt
// takes an accessible name for all that is to be said.
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
  static void tellChange(QWidget& widget);  // to whoever listens
};

// What a cell shows, in words where it is a sign: "·" is zero, "–" is not available.
[[nodiscard]] QString spokenCell(const QString& shown);

}  // namespace faultline
