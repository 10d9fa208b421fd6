// NumberStyle: digits and decimal point of numbers shown to the user. Set once, before the first number is shown. The
// default is the style of quantity.h. Numbers for machines (number.h) are not affected.
#pragma once

#include <array>
#include <string>

namespace faultline {

struct NumberStyle {
  std::string before = {};  // a direction mark for right-to-left scripts: number and unit read left to right
  std::string decimalPoint = ".";
  std::array<std::string, 10> digits{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};

  bool operator==(const NumberStyle&) const = default;
};

void setNumberStyle(NumberStyle style);

// `number`, a number with its unit from quantity.h, in the style that is set.
[[nodiscard]] std::string styled(std::string number);

}  // namespace faultline
