// faultline-cli query: answer a question about a recording or the running machine, as one JSON object.
#include <algorithm>
#include <array>

#include "app/cli/commands/command.h"
#include "app/cli/query/answer.h"
#include "app/cli/text/exit_code.h"
#include "app/cli/text/say.h"
#include "core/base/file_name.h"
#include "core/query/question.h"
#include "core/query/schema.h"
#include "core/query/sums.h"
#include "platform/host/standard_output.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

std::string queryFooter() {
  std::string text = "Questions:\n";
  for (const QuestionKind& kind : kQuestions)
    text += "  " + std::string(kind.name) + std::string(11 - kind.name.size(), ' ') + std::string(kind.words) + "\n";
  return text +
         "\n"
         "FILE is a recording of 'record', or for frames, frame and culprits of 'frames --record'; without FILE, the\n"
         "running machine is measured; for frames and culprits, a game that runs is watched (-p). The answer is one\n"
         "JSON object: its units, the quality of each number (exact, estimated or unavailable, how, and what would\n"
         "enable it), and at most --top rows of each list. A number that is not known is null, never 0. A truncated\n"
         "or damaged recording is read as far as possible, with exit code 3 and a remark in the answer. Every answer\n"
         "is the same as that of 'faultline-cli mcp'.\n"
         "\n"
         "Examples:\n"
         "  faultline-cli query summary build.faultline\n"
         "  faultline-cli query processes build.faultline --by program --top 3\n"
         "  faultline-cli query spikes build.faultline --to 20s\n"
         "  faultline-cli query frame game.faultline --frame 50\n"
         "  faultline-cli query culprits game.faultline --by mapping | jq .culprits\n"
         "  faultline-cli query frames -p 4711 -d 10s";
}

// Options that the question does not take are refused, not ignored.
struct TakenOption {
  Takes what;
  CLI::Option* option;
};

void checkTaken(const QuestionKind& kind, const std::vector<TakenOption>& options, bool file) {
  for (const TakenOption& taken : options)
    if (taken.option->count() > 0 && !kind.may(taken.what))
      throw CLI::ValidationError(taken.option->get_name() + " does not apply to " + std::string(kind.name) + ".");
  const auto measured = std::ranges::find(options, Takes::Measure, &TakenOption::what);
  if (file && measured->option->count() > 0)
    throw CLI::ValidationError("--duration is for the running machine, not for a recording.");
}

int runQuery(const CommonOptions& common, const Question& question) {
  const auto answered = answer(question, pathFromUtf8(question.file), common);
  if (!answered) return failed(answered.error());
  StandardOutput out;
  if (const auto written = out.write(answered->json + "\n"); !written) return failedWrite(out, written.error());
  if (answered->remark.empty()) return ExitCode::kOk;
  complain(answered->remark);
  return ExitCode::kIncomplete;
}

int printSchemas() {
  StandardOutput out;
  const auto written = out.write(questionSchemas().dump(2) + "\n");
  return written ? ExitCode::kOk : failedWrite(out, written.error());
}

std::vector<std::string> names(bool by) {
  std::vector<std::string> all;
  for (const QuestionKind& kind : kQuestions) {
    if (!by) all.emplace_back(kind.name);
    for (const std::string_view name : kind.by)
      if (by && !name.empty()) all.emplace_back(name);
  }
  return all;
}

std::string listed(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
  return list;
}

std::vector<TakenOption> addQuestionOptions(CLI::App& app, const std::shared_ptr<Question>& question) {
  std::vector<TakenOption> options;
  const auto add = [&](Takes what, CLI::Option* option) { options.push_back({what, option}); };
  add(Takes::Top, app.add_option("-n,--top", question->top, "The most rows of each list (default 10)")
                      ->check(CLI::Range(std::size_t{1}, kMostRows))
                      ->type_name("N"));
  add(Takes::By, app.add_option("--by", question->by, "What to sum processes or culprits by")
                     ->check(CLI::IsMember(names(true)))
                     ->type_name("WHAT"));
  add(Takes::Pid, app.add_option("-p,--pid", question->pid, "The process of a game that runs")
                      ->check(CLI::Range(1U, 1U << 30U))
                      ->type_name("PID"));
  std::vector<std::string> metrics;
  for (const std::string_view name : summedNames()) metrics.emplace_back(name);
  add(Takes::Metric,
      app.add_option("--metric", question->metric, "The number to rank processes by; default minor_faults")
          ->check(CLI::IsMember(metrics))
          ->type_name("METRIC"));
  add(Takes::Frame, app.add_option("--frame", question->frame, "The number of a frame")->type_name("N"));
  add(Takes::From,
      addDuration(app, "--from", question->from, 0ns, 1000h, "Begin at this time since the start of the recording"));
  add(Takes::To,
      addDuration(app, "--to", question->to, 0ns, 1000h, "End at this time since the start of the recording"));
  add(Takes::Budget, addDuration(app, "--budget", question->budget, 100us, 10s,
                                 "The longest frame in time (default: the game's own cadence, or 16.7ms)"));
  add(Takes::Measure, addDuration(app, "-d,--duration", question->measure, kShortestMeasurement, kLongestMeasurement,
                                  "Measure the running machine for so long (default 2s)"));
  return options;
}

}  // namespace

void addQuery(Commands& commands) {
  auto question = std::make_shared<Question>();
  auto schema = std::make_shared<bool>(false);
  CLI::App* app = commands.app.add_subcommand("query", "Answer a question about a recording, as JSON");
  app->footer(queryFooter());
  CLI::Option* asked =
      app->add_option_function<std::string>(
             "QUESTION", [question](const std::string& name) { question->ask = questionNamed(name)->ask; },
             "What to ask, see below")
          ->check(CLI::IsMember(names(false)))
          ->type_name("");
  app->add_option("FILE", question->file, "The recording; - is standard input (default: the running machine)");
  const auto options = addQuestionOptions(*app, question);
  app->add_flag("--schema", *schema, "Print the JSON Schema of all questions and answers");
  app->callback([&commands, question, options, schema, asked] {
    if (*schema) {
      commands.run = printSchemas;
      return;
    }
    if (asked->count() == 0) throw CLI::ValidationError("Name a question: " + listed(names(false)) + ".");
    checkTaken(kindOf(question->ask), options, !question->file.empty());
    if (const auto checked = checkQuestion(*question); !checked) throw CLI::ValidationError(checked.error().message);
    commands.run = [&commands, question] { return runQuery(*commands.common, *question); };
  });
}

}  // namespace faultline
