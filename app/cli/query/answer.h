// Answers a question of a recording or of the running machine.
#pragma once

#include <filesystem>
#include <string>

#include "app/cli/stream/common_options.h"
#include "core/base/result.h"
#include "core/query/question.h"

namespace faultline {

struct Answer {
  std::string json;    // an object, without a line's end
  std::string remark;  // a sentence about damage of the recording; empty: it is whole
};

// `file`: that question.file names; "-" is standard input; empty: the running machine, for question.measure. One sweep
// or piece of the recording is in memory at a time, beside the sums.
[[nodiscard]] Result<Answer> answer(const Question& question, const std::filesystem::path& file,
                                    const CommonOptions& common);

}  // namespace faultline
