#include "app/cli/usage/suggestion.h"

#include <algorithm>

namespace faultline {

std::size_t distance(std::string_view word, std::string_view other) {
  std::vector<std::vector<std::size_t>> d(word.size() + 1, std::vector<std::size_t>(other.size() + 1));
  for (std::size_t i = 0; i <= word.size(); ++i) {
    for (std::size_t j = 0; j <= other.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const bool same = word[i - 1] == other[j - 1];
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && word[i - 1] == other[j - 2] && word[i - 2] == other[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[word.size()][other.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  constexpr std::size_t kLongest = 40;  // no name is as long
  const auto letters = word.size() - std::min(word.find_first_not_of('-'), word.size());
  if (letters < 3 || word.size() > kLongest) return {};
  std::string best;
  std::size_t least = (letters + 2) / 3 + 1;
  for (const std::string& name : names) {
    const std::size_t away = distance(word, name);
    if (away >= least) continue;
    least = away;
    best = name;
  }
  return best;
}

}  // namespace faultline
