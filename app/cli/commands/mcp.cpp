// faultline-cli mcp: the questions of `query` as read-only tools of an assistant, over standard input and output.
#include "core/query/mcp.h"

#include <iostream>

#include "app/cli/commands/command.h"
#include "app/cli/query/allowed_files.h"
#include "app/cli/query/answer.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "platform/host/standard_output.h"

namespace faultline {
namespace {

constexpr const char* kMcpFooter =
    "Speaks the Model Context Protocol: an editor or assistant starts the command, writes one JSON-RPC message a\n"
    "line to standard input, and reads answers from standard output, until standard input ends. Each question of\n"
    "'faultline-cli query' is a tool. All tools only read. They read the files that are named here, those below the\n"
    "folders that are named here, and the running machine, whose processes they name and whose games they watch; no\n"
    "other file, whatever the assistant asks for.\n"
    "\n"
    "Examples:\n"
    "  faultline-cli mcp\n"
    "  faultline-cli mcp game.faultline build.faultline";

Result<std::string> answerTool(const Question& question, const AllowedFiles& files, const CommonOptions& common) {
  std::filesystem::path file;
  if (!question.file.empty()) {
    auto found = files.find(question.file);
    if (!found) return tl::unexpected(found.error());
    file = std::move(*found);
  }
  auto answered = answer(question, file, common);
  if (!answered) return tl::unexpected(answered.error());
  return std::move(answered->json);
}

int runMcp(const CommonOptions& common, const std::vector<std::string>& names) {
  const auto files = AllowedFiles::of(names);
  if (!files) return failed(files.error());
  McpServer server({.answer = [&](const Question& question) { return answerTool(question, *files, common); },
                    .recordings = [&] { return files->list(); }},
                   FAULTLINE_VERSION);
  StandardOutput out;
  while (const auto line = readMcpLine(*std::cin.rdbuf())) {
    const std::string reply = server.take(*line);
    if (reply.empty()) continue;
    if (const auto written = out.writeUnescaped(reply + "\n"); !written) return failedWrite(out, written.error());
  }
  return ExitCode::kOk;
}

}  // namespace

void addMcp(Commands& commands) {
  auto names = std::make_shared<std::vector<std::string>>();
  CLI::App* app = commands.app.add_subcommand("mcp", "Let an assistant ask recordings, and this machine");
  app->footer(kMcpFooter);
  app->add_option("FILE", *names, "Recordings that may be asked, and folders of such");
  app->callback([&commands, names] { commands.run = [&commands, names] { return runMcp(*commands.common, *names); }; });
}

}  // namespace faultline
