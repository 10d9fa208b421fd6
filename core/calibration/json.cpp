#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/calibration/calibration.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

Json priceJson(const Price& price) {
  return {{"median_ns", price.median}, {"low_ns", price.low}, {"high_ns", price.high}};
}

Price readPrice(const Json& json) {
  Price price{.median = json.at("median_ns"), .low = json.at("low_ns"), .high = json.at("high_ns")};
  for (const double ns : {price.median, price.low, price.high})
    if (!std::isfinite(ns) || ns < 0) throw Json::other_error::create(500, "a price is no time", nullptr);
  return price;
}

Json calibrationJson(const Calibration& calibration) {
  return {{"when_ns", calibration.when.sinceEpoch.count()},
          {"version", calibration.version},
          {"system", calibration.place.system},
          {"processor", calibration.place.processor},
          {"processors", calibration.place.processors},
          {"settings", calibration.place.settings},
          {"load", calibration.load ? Json(*calibration.load) : Json(nullptr)},
          {"touch", priceJson(calibration.touch)},
          {"touch_large", calibration.large ? priceJson(*calibration.large) : Json(nullptr)},
          {"release", priceJson(calibration.release)}};
}

Calibration readCalibration(const Json& json) {
  Calibration calibration{.when = WallTime{Nanoseconds(json.at("when_ns").get<std::int64_t>())},
                          .version = json.at("version"),
                          .place = {.system = json.at("system"),
                                    .processor = json.at("processor"),
                                    .processors = json.at("processors"),
                                    .settings = json.at("settings")},
                          .load = std::nullopt,
                          .touch = readPrice(json.at("touch")),
                          .large = std::nullopt,
                          .release = readPrice(json.at("release"))};
  if (!json.at("load").is_null()) calibration.load = json.at("load").get<double>();
  if (!json.at("touch_large").is_null()) calibration.large = readPrice(json.at("touch_large"));
  return calibration;
}

}  // namespace

std::string calibrationsJson(std::span<const Calibration> calibrations) {
  Json all = Json::array();
  for (const Calibration& each : calibrations) all.push_back(calibrationJson(each));
  return Json{{"calibrations", std::move(all)}}.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<std::vector<Calibration>> parseCalibrations(std::string_view document) {
  try {
    std::vector<Calibration> calibrations;
    const Json all = Json::parse(document);
    for (const Json& each : all.at("calibrations")) calibrations.push_back(readCalibration(each));
    return calibrations;
  } catch (const Json::exception& error) {
    return fail(fmt::format("This is no calibration: {}.", error.what()));
  }
}

}  // namespace faultline
