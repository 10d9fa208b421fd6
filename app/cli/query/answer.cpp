#include "app/cli/query/answer.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <iostream>
#include <memory>
#include <utility>

#include "app/cli/frames/polled_game.h"
#include "app/cli/frames/watch.h"
#include "app/cli/stream/calibrated.h"
#include "app/cli/stream/collector.h"
#include "app/cli/text/say.h"
#include "core/base/file_name.h"
#include "core/query/frames.h"
#include "core/query/sweeps.h"
#include "core/recording/recording.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
using Json = nlohmann::ordered_json;

constexpr Nanoseconds kSweepEvery = 500ms;
constexpr std::uint64_t kForRates = 2;  // sweeps

std::string textOf(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

constexpr Nanoseconds kFramesPatience = 30s;  // for the last frames of a game
constexpr Nanoseconds kLookPatience = 20s;    // for the first collector of a game

// A game's frames, and the answer that they make.
struct AskedFrames {
  explicit AskedFrames(const Question& question)
      : AskedFrames(FrameRules{.budget = question.budget}, std::make_unique<FrameAnswer>(question)) {}
  AskedFrames(const AskedFrames&) = delete;
  AskedFrames& operator=(const AskedFrames&) = delete;

  std::string noText;  // FrameAnswer writes none
  const FrameAnswer* answer;
  FrameWatch watch;

 private:
  AskedFrames(const FrameRules& rules, std::unique_ptr<FrameAnswer> writer)
      : answer(writer.get()), watch(rules, filesOf(noText, std::move(writer))) {}

  static FrameFiles filesOf(std::string& text, std::unique_ptr<FrameAnswer> writer) {
    FrameFiles files;
    files.openText(text, std::move(writer));
    return files;
  }
};

// Reads a recording to its end. Of one that holds sweeps and the frames of a game, one after the other, takes what the
// question is about; a summary is of what comes first.
class AskedRecording {
 public:
  AskedRecording(const Question& question, RecordingFile file) : m_question(question), m_file(std::move(file)) {
    if (question.ask != Ask::Summary) m_game = ofFrames(question.ask);
  }

  Result<Answer> read() {
    while (!m_ended) readOne();
    if (m_frames)
      if (const auto finished = m_frames->watch.finish(); !finished) return tl::unexpected(finished.error());
    if (!m_frames && !m_sweeps) return fail(whyNone());
    const bool both = m_others && m_remark.empty();
    const std::string remark = both ? "The file holds " + nameOf(!*m_game) + ", too." : m_remark;
    const auto json = m_frames ? m_frames->answer->json(remark) : m_sweeps->json(remark, m_file.lost());
    if (!json) return tl::unexpected(json.error());
    return Answer{textOf(*json), m_remark};
  }

 private:
  static std::string nameOf(bool game) { return game ? "the frames of a game" : "sweeps of processes"; }

  std::string whyNone() const {
    if (m_others)
      return m_question.file + " holds " + nameOf(!*m_game) +
             (*m_game ? ": ask summary, processes or spikes." : ": ask summary, frames, frame or culprits.");
    return m_remark.empty() ? m_question.file + " holds neither sweeps of processes nor frames of a game." : m_remark;
  }

  void readOne() {
    const auto event = m_file.next();
    if (!event) return end(event.error().message);
    if (std::holds_alternative<RecordingEnd>(*event)) return end(m_file.remark());
    if (std::holds_alternative<StillReading>(*event)) return;
    const auto* const hello = std::get_if<Hello>(&*event);
    const auto* const snapshot = std::get_if<const Snapshot*>(&*event);
    const bool game = hello != nullptr ? hello->watched.has_value() : snapshot == nullptr;
    if (!m_game) m_game = game;
    if (game != *m_game) m_others = true;
    else if (game) takeFrames(*event, hello != nullptr);
    else takeSweeps(hello, snapshot);
  }

  // Without a Hello, which is damaged then, the frames are of no known game.
  void takeFrames(const RecordingEvent& event, bool begins) {
    if (!m_frames && !begins) return;
    if (!m_frames) {
      m_frames = std::make_unique<AskedFrames>(m_question);
      m_frames->watch.replay(pathFromUtf8(m_question.file), Nanoseconds::min(), Nanoseconds::max());
    }
    if (const auto taken = m_frames->watch.take(streamEvent(event)); !taken) end(taken.error().message);
  }

  void takeSweeps(const Hello* hello, const Snapshot* const* snapshot) {
    if (!m_sweeps) m_sweeps = std::make_unique<SweepAnswer>(m_question);
    if (hello != nullptr) m_sweeps->monitor().ingest(*hello);
    if (snapshot != nullptr) m_sweeps->take(**snapshot);
  }

  void end(std::string remark) {
    m_remark = std::move(remark);
    m_ended = true;
  }

  const Question& m_question;
  RecordingFile m_file;
  std::optional<bool> m_game;  // the question is about frames
  bool m_others = false;       // the file has the other kind
  std::unique_ptr<SweepAnswer> m_sweeps;
  std::unique_ptr<AskedFrames> m_frames;
  std::string m_remark;
  bool m_ended = false;
};

Result<void> measure(CollectorStream& stream, const Question& question, const CommonOptions& common,
                     SweepAnswer& sweeps) {
  std::optional<MonotonicTime> first;
  for (std::uint64_t count = 0;;) {
    const auto event = stream.waitForEvent();
    if (!event) return tl::unexpected(event.error());
    if (const auto* hello = std::get_if<Hello>(&*event)) {
      ingestCalibrated(sweeps.monitor(), *hello, common);
    } else if (const auto* snapshot = std::get_if<const Snapshot*>(&*event)) {
      const MonotonicTime time = (*snapshot)->time;
      if (!first) first = time;
      sweeps.take(**snapshot);
      if (++count >= kForRates && time - *first >= question.measure) return {};
    } else {
      return tl::unexpected(stream.whyEnded());
    }
  }
}

Result<Answer> answerNow(const Question& question, const CommonOptions& common) {
  auto stream = CollectorStream::startWithServices(common, {.interval = std::min(kSweepEvery, question.measure)});
  if (!stream) return tl::unexpected(stream.error());
  SweepAnswer sweeps(question);
  const auto measured = measure(*stream, question, common, sweeps);
  for (const std::string& line : stream->complaints()) say(line);
  if (!measured) return tl::unexpected(measured.error());
  const auto json = sweeps.json({}, 0);
  if (!json) return tl::unexpected(json.error());
  return Answer{textOf(*json), {}};
}

// Watches a game for the time that is asked for.
Result<Answer> answerGame(const Question& question, const CommonOptions& common) {
  using Steady = std::chrono::steady_clock;
  AskedFrames frames(question);
  PolledGame game(common, {.pid = question.pid, .budget = question.budget, .synthetic = common.synthetic},
                  [](const std::string& sentence) { say(sentence); });
  const auto take = [&](const StreamEvent& event) { return frames.watch.take(event); };
  bool stopped = false;
  auto until = Steady::now() + kLookPatience;
  for (bool begun = false; !game.ended();) {
    if (game.begun() && !stopped && !std::exchange(begun, true)) until = *game.begun() + question.measure;
    const bool due = Steady::now() >= until;
    if (due && stopped) return fail("The collector does not end. Check it with 'faultline-cli doctor'.");
    if (due) {
      game.stop();
      stopped = true;
      until = Steady::now() + kFramesPatience;
    }
    const Nanoseconds left = std::max<Nanoseconds>(until - Steady::now(), 0ns);
    static_cast<void>(waitAny(std::array{game.ready()}, std::min(left, game.quiet(Steady::now()).value_or(left))));
    if (const auto done = game.step(Steady::now(), take); !done) return tl::unexpected(done.error());
  }
  if (const auto finished = frames.watch.finish(); !finished) return tl::unexpected(finished.error());
  const auto json = frames.answer->json({});
  if (!json) return tl::unexpected(json.error());
  return Answer{textOf(*json), {}};
}

}  // namespace

Result<Answer> answer(const Question& question, const std::filesystem::path& file, const CommonOptions& common) {
  if (const auto checked = checkQuestion(question); !checked) return tl::unexpected(checked.error());
  if (file.empty()) return question.pid != 0 ? answerGame(question, common) : answerNow(question, common);
  if (file == "-") return AskedRecording(question, RecordingFile::read(*std::cin.rdbuf(), "standard input")).read();
  auto recording = RecordingFile::open(file);
  if (!recording) return tl::unexpected(recording.error());
  return AskedRecording(question, std::move(*recording)).read();
}

}  // namespace faultline
