// McpServer: the Model Context Protocol (JSON-RPC 2.0, a message in a line) with a read-only tool for each question, so
// that an assistant can ask. Pure: takes a line, gives a line.
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <streambuf>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/query/question.h"

namespace faultline {

inline constexpr std::size_t kLongestMessage = std::size_t{1} << 20U;  // bytes of a line
inline constexpr std::size_t kDeepestMessage = 64;                     // objects and arrays in each other

struct McpLine {
  std::string text;  // without the line's end; empty if it is too long
  bool tooLong = false;
};
// Skips the rest of a line that is longer. Absent: the input has ended.
[[nodiscard]] std::optional<McpLine> readMcpLine(std::streambuf& in, std::size_t longest = kLongestMessage);

class McpServer {
 public:
  struct Sources {
    std::function<Result<std::string>(const Question&)> answer;  // JSON, an object
    std::function<nlohmann::ordered_json()> recordings;          // that may be asked
  };

  McpServer(Sources sources, std::string version) : m_sources(std::move(sources)), m_version(std::move(version)) {}

  // The answer, without a line's end; empty: none is due, as to a notification.
  [[nodiscard]] std::string take(const McpLine& line);

 private:
  using Json = nlohmann::ordered_json;

  [[nodiscard]] Json call(std::string_view method, const nlohmann::json& params, const Json& id);
  [[nodiscard]] Json initialized(const nlohmann::json& params, const Json& id);
  [[nodiscard]] Json tools() const;
  [[nodiscard]] Json called(const nlohmann::json& params, const Json& id) const;
  [[nodiscard]] Json content(const Result<std::string>& answer) const;

  Sources m_sources;
  std::string m_version;      // of the program
  bool m_structured = false;  // the client reads structuredContent and output schemas
};

}  // namespace faultline
