// NumberStyle: how numbers for people look to the person who reads them. Set once, before the first number is shown;
// where nobody sets it, as in a terminal, they are as quantity.h says. Numbers for machines (number.h) know nothing of
// it.
#pragma once

#include <array>
#include <string>

namespace faultline {

struct NumberStyle {
  std::string before = {};  // an invisible mark, where letters run from right to left: the number and its unit do not
  std::string decimalPoint = ".";
  std::array<std::string, 10> digits{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};

  bool operator==(const NumberStyle&) const = default;
};

void setNumberStyle(NumberStyle style);

// A number with its unit, as quantity.h makes it, in that style.
[[nodiscard]] std::string styled(std::string number);

}  // namespace faultline
