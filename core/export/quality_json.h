// The quality of a number in JSON, the same in all documents: {"grade", "how", "enable"}.
#pragma once

#include <nlohmann/json.hpp>

#include "core/model/names.h"
#include "core/model/quality.h"
#include "core/text/utf8.h"

namespace faultline {

[[nodiscard]] inline nlohmann::ordered_json qualityJson(const Quality& quality) {
  return {{"grade", gradeName(quality.grade)}, {"how", validUtf8(quality.how)}, {"enable", validUtf8(quality.enable)}};
}

}  // namespace faultline
