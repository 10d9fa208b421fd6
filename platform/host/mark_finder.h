// MarkFinder: what can end a game's frames, looked for in what its process has mapped: the game's own marks, functions
// that usually do it, or one that a person named. Needs no privilege, and reads only; the process must be the caller's.
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
  bool own = false;                     // it calls faultline_frame()
  bool ownExpected = false;             // its program holds that call, but has not come to it yet
  std::vector<ProbePoint> functions{};  // the preferred ones first; none of them need ever be called
  std::string obstacle{};               // a sentence, if there would be more functions but for it

  bool operator==(const FoundMarks&) const = default;
  [[nodiscard]] bool nothing() const { return !own && functions.empty(); }
};

// Why a function was not found, as a sentence that says what else can be done; `mayCome`: with a library that the game
// has not mapped yet.
struct NotFound {
  std::string message;
  bool mayCome = false;

  bool operator==(const NotFound&) const = default;
};

class MarkFinder {
 public:
  MarkFinder();
  ~MarkFinder();
  MarkFinder(MarkFinder&&) noexcept;
  MarkFinder& operator=(MarkFinder&&) noexcept;

  // Again and again, while a game starts: it reads each file once.
  [[nodiscard]] Result<FoundMarks> look(std::uint32_t pid);
  [[nodiscard]] tl::expected<ProbePoint, NotFound> find(std::uint32_t pid, const FunctionName& wanted);

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace faultline
