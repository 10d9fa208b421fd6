// JSON Schema of the answers: each member with its type and meaning. Those of metrics follow the tables of fields.
#pragma once

#include <nlohmann/json.hpp>

#include "core/query/question.h"

namespace faultline {

[[nodiscard]] nlohmann::ordered_json answerSchema(const QuestionKind& kind);
// {"schema", "questions": {NAME: {"about", "arguments": schema, "answer": schema}}}
[[nodiscard]] nlohmann::ordered_json questionSchemas();

}  // namespace faultline
