#include "core/join/times_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <vector>

#include "core/join/presentmon_csv.h"
#include "core/text/table.h"
#include "core/text/utf16.h"
#include "core/text/utf8.h"

namespace faultline {
namespace {

using CaptureJson = nlohmann::json;

constexpr std::string_view kSummary = "is a summary. Give the log with a row per frame.";

struct Other {
  std::string_view sign;
  std::string_view text;  // after the file's name
};

// By the ending of the name, in small letters.
constexpr std::array kEndings{
    Other{".etl", "is a trace of Windows. Make a CSV of it: PresentMon --etl_file TRACE --output_file TIMES.csv."},
    Other{".hml",
          "is MSI Afterburner's log, which has a row per period and not per frame. Log frames by "
          "PresentMon, CapFrameX or FrameView."},
    Other{".nsys-rep", "is a report of Nsight Systems. Log frames by PresentMon or FrameView at the same time."},
    Other{".qdrep", "is a report of Nsight Systems. Log frames by PresentMon or FrameView at the same time."},
    Other{".ngfx-gputrace", "is a trace of Nsight Graphics. Log frames by PresentMon or FrameView at the same time."},
    Other{".gpa_frame", "is a frame of Intel GPA. Log frames by PresentMon at the same time."},
    Other{".gpa_stream", "is a stream of Intel GPA. Log frames by PresentMon at the same time."},
    Other{".rgp", "is a profile of Radeon GPU Profiler. Log frames by PresentMon at the same time."},
    Other{".utrace",
          "is a trace of Unreal Insights. Give the CSV that the console command \"csvprofile start\" writes."},
    Other{".csv.bin", "is Unreal's profile in binary form. Make a CSV of it by CsvConvert of Unreal's CsvTools."},
    Other{".data", "is a profile of Unity. Let the game mark its frames: resources/integrations/unity."},
    Other{".raw", "is a profile of Unity. Let the game mark its frames: resources/integrations/unity."},
};

// By the first bytes.
constexpr std::array kBeginnings{
    Other{"FAULTLINE\n", "is a recording of Faultline: the other tool's TIMES come first, and RECORDING second."},
    Other{"frame,start_ns,", "has Faultline's frames: the other tool's TIMES come first, and RECORDING second."},
    Other{"\x1F\x8B", "is compressed. Unpack it first (gzip -d)."},
    Other{"PK\x03\x04", "is an archive. Unpack it first (unzip)."},
    Other{"Frames, Time (ms), Min, Max, Avg", "is Fraps' summary. Give its frametimes.csv."},
    Other{"FPS\n", "has Fraps' frames per second. Give its frametimes.csv."},
    Other{"FPS\r\n", "has Fraps' frames per second. Give its frametimes.csv."},
    Other{"0.1% Min FPS,", kSummary},
};

std::optional<std::string> otherKind(std::string_view fileName, std::string_view bytes) {
  std::string name(fileName);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const Other& other : kEndings)
    if (name.ends_with(other.sign)) return std::string(other.text);
  for (const Other& other : kBeginnings)
    if (bytes.starts_with(other.sign)) return std::string(other.text);
  if (bytes.substr(0, 512).find('\0') != std::string_view::npos) return "is no text. Give a CSV with a row per frame.";
  const std::string_view line = bytes.substr(0, bytes.find('\n'));
  if (line.find("Hardware monitoring log") != std::string_view::npos) return std::string(kEndings[1].text);
  if (std::ranges::count(line, ';') > std::ranges::count(line, ','))
    return "has semicolons between its columns, as a spreadsheet may write them. Give the CSV that the tool wrote.";
  return std::nullopt;
}

// The rows of a run: a column for each array that is as long as the frames' times.
void appendRun(const CaptureJson& data, std::string_view program, std::size_t number, std::vector<std::string>& names,
               std::string& rows) {
  const CaptureJson& times = data["TimeInSeconds"];
  if (names.empty())
    for (const auto& [name, values] : data.items())
      if (values.is_array() && values.size() == times.size()) names.push_back(name);
  for (std::size_t i = 0; i < times.size(); ++i) {
    rows += csvField(validUtf8(program)) + "," + std::to_string(number);
    for (const std::string& name : names) {
      const auto column = data.find(name);
      const bool has = column != data.end() && column->is_array() && i < column->size() && (*column)[i].is_primitive();
      rows += "," + (has ? csvField((*column)[i].dump(-1, ' ', false, CaptureJson::error_handler_t::replace))
                         : std::string());
    }
    rows += "\n";
  }
}

bool isZeros(const CaptureJson& values) {
  return std::ranges::all_of(values,
                             [](const CaptureJson& value) { return value.is_number() && value.get<double>() == 0; });
}

Result<std::string> capFrameX(std::string_view text) {
  CaptureJson all = CaptureJson::parse(text, nullptr, false);
  if (all.is_discarded()) return fail("is damaged or cut off, or is no JSON of CapFrameX.");
  std::string program;
  if (const auto info = all.find("Info"); info != all.end() && info->is_object())
    if (const auto name = info->find("ProcessName"); name != info->end() && name->is_string())
      program = name->get<std::string>();
  std::vector<std::string> names;
  std::string rows;
  const auto runs = all.is_object() ? all.find("Runs") : all.end();
  for (std::size_t i = 0; runs != all.end() && runs->is_array() && i < runs->size(); ++i) {
    CaptureJson& run = (*runs)[i];
    if (!run.is_object() || !run["CaptureData"].is_object()) continue;
    CaptureJson& data = run["CaptureData"];
    if (data["QPCTime"].is_array() && isZeros(data["QPCTime"])) data.erase("QPCTime");  // newer versions know none
    if (data["TimeInSeconds"].is_array()) appendRun(data, program, i + 1, names, rows);
  }
  if (rows.empty()) return fail("is JSON, but no capture of CapFrameX with frames.");
  std::string head = "Application," + std::string(kCapFrameXRun);
  for (const std::string& name : names) head += "," + csvField(name);
  return head + "\n" + rows;
}

}  // namespace

std::string_view timesTools() {
  return "PresentMon, OCAT, CapFrameX, FrameView, MangoHud, Fraps (frametimes) and Unreal's CSV profiler";
}

Result<std::string> timesText(std::string_view fileName, std::string bytes) {
  if (bytes.starts_with("\xFF\xFE")) {
    std::string text;
    appendUtf16(std::as_bytes(std::span(bytes).subspan(2)), text);
    bytes = std::move(text);
  }
  if (const auto other = otherKind(fileName, bytes)) return fail(*other);
  const std::size_t first = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first != std::string::npos && (bytes[first] == '{' || bytes[first] == '['))
    return capFrameX(std::string_view(bytes).substr(first));
  return bytes;
}

}  // namespace faultline
