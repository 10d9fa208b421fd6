// MarkSource: the seam between a watch and the operating system. Real implementation: platform/host/mark_finder.h.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/marks/name.h"
#include "core/model/watch_request.h"

namespace faultline {

struct FoundMarks {
  bool own = false;                              // the process calls faultline_frame()
  bool ownExpected = false;                      // its program contains that call, but has not reached it yet
  std::vector<ProbePoint> functions{};           // in order of preference; the game need not call any of them
  std::map<std::string, std::uint64_t> files{};  // of its code: path, and a number that another file there has not
  std::string presentMon{};                      // path of that program, if it can tell the frames of any game here
  std::string obstacle{};                        // a sentence if an obstacle hides further functions

  bool operator==(const FoundMarks&) const = default;
  [[nodiscard]] bool nothing() const { return !own && !calls(); }
  [[nodiscard]] bool calls() const { return !functions.empty() || !presentMon.empty(); }
};

// Why a function was not found, as a sentence with a remedy; `mayCome`: a library that the game maps later may hold it.
struct NotFound {
  std::string message;
  bool mayCome = false;

  bool operator==(const NotFound&) const = default;
};

class MarkSource {
 public:
  MarkSource() = default;
  virtual ~MarkSource() = default;
  MarkSource(const MarkSource&) = delete;
  MarkSource& operator=(const MarkSource&) = delete;

  [[nodiscard]] virtual Result<FoundMarks> look(std::uint32_t pid) = 0;
  [[nodiscard]] virtual Result<ProbePoint, NotFound> find(std::uint32_t pid, const FunctionName& wanted) = 0;
  // Children, their children, and so on.
  [[nodiscard]] virtual std::vector<std::uint32_t> descendants(std::uint32_t pid) = 0;
  [[nodiscard]] virtual std::string nameOf(std::uint32_t pid) = 0;  // printable: "game (4711)"
};

}  // namespace faultline
