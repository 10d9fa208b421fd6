// WorstFrames: the late or costly frames for a table, worst first, at most `most`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/frames/tally.h"

namespace faultline {

class WorstFrames {
 public:
  struct Row {
    std::uint64_t place = 0;  // in the FrameHistory
    JudgedFrame judged;
  };

  explicit WorstFrames(std::size_t most) : m_most(most) {}

  void add(std::uint64_t place, const JudgedFrame& judged);
  void forgetBefore(std::uint64_t place);  // drops frames that the history has dropped
  void clear() { m_rows.clear(); }

  [[nodiscard]] const std::vector<Row>& rows() const { return m_rows; }

 private:
  std::size_t m_most;
  std::vector<Row> m_rows;
};

}  // namespace faultline
