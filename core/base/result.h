// Result<T>: an expected failure as a value. The message is a full sentence for the user and names the next step.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace faultline {

struct Error {
  std::string message;

  bool operator==(const Error&) const = default;
};

template <class T, class E = Error>
using Result = tl::expected<T, E>;

[[nodiscard]] inline tl::unexpected<Error> fail(std::string message) {
  return tl::unexpected<Error>(Error{std::move(message)});
}

}  // namespace faultline
