// FrameAnswer: answers a question about the frames of a game. An exporter, so that it gets each frame with its
// culprits as all other documents do.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/frames/figures.h"
#include "core/frames/files/export.h"
#include "core/query/culprit_sum.h"
#include "core/query/question.h"

namespace faultline {

class FrameAnswer final : public FrameExporter {
 public:
  explicit FrameAnswer(const Question& question) : m_question(question), m_culprits(question.by) {}

  void begin(const ExportedGame& game, std::string& out) override;
  void add(const ExportedFrame& exported, std::string& out) override;
  void conclude(std::string_view advice, std::string_view delay) override;

  // Whole after conclude(). Error: there is no such frame, or none in the time asked for.
  [[nodiscard]] Result<nlohmann::ordered_json> json(const std::string& remark) const;

 private:
  struct Row {
    JudgedFrame judged;
    nlohmann::ordered_json json;
  };

  [[nodiscard]] bool asked(const GameFrame& frame) const;
  void addRow(const ExportedFrame& exported);
  [[nodiscard]] nlohmann::ordered_json rowsJson() const;
  [[nodiscard]] nlohmann::ordered_json summary() const;
  [[nodiscard]] Result<void> someFrame() const;

  Question m_question;
  std::optional<WatchedGame> m_watched;
  std::optional<MonotonicTime> m_first;  // start of the recording's first frame
  std::optional<std::uint64_t> m_least;  // numbers of its frames
  std::uint64_t m_most = 0;
  FrameSum m_sum;  // of the frames asked for, as the following
  std::uint64_t m_flagged = 0;
  SessionTotals m_totals;
  std::vector<Row> m_rows;  // worst first
  CulpritSum m_culprits;
  std::string m_advice;
  std::string m_delay;
};

}  // namespace faultline
