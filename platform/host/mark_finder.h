// MarkFinder: searches the files mapped by a game for its own marks, for known functions that present frames, or for a
// named function. Only reads, and needs no privilege; the process must belong to the caller.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/marks/name.h"
#include "core/model/watch_request.h"

namespace faultline {

struct FoundMarks {
  bool own = false;                     // the game has called faultline_frame()
  bool ownExpected = false;             // the program contains faultline_frame(), called or not
  std::vector<ProbePoint> functions{};  // in order of preference; the game may never call some or all of them
  std::string obstacle{};               // why a file could not be searched, as a sentence; empty if all were

  bool operator==(const FoundMarks&) const = default;
  [[nodiscard]] bool nothing() const { return !own && functions.empty(); }
};

// Why a function was not found.
struct NotFound {
  std::string message;   // a sentence with the remedy
  bool mayCome = false;  // the game may still load a library with the function

  bool operator==(const NotFound&) const = default;
};

class MarkFinder {
 public:
  MarkFinder();
  ~MarkFinder();
  MarkFinder(MarkFinder&&) noexcept;
  MarkFinder& operator=(MarkFinder&&) noexcept;

  // May be repeated while a game starts: each file is read once. Error: the process is gone, or not the caller's.
  [[nodiscard]] Result<FoundMarks> look(std::uint32_t pid);
  [[nodiscard]] tl::expected<ProbePoint, NotFound> find(std::uint32_t pid, const FunctionName& wanted);

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace faultline
