#include "app/tray/frames/game_watch.h"

#include <utility>

#include "core/culprits/synthetic_stacks.h"
#include "core/text/quantity.h"
#include "platform/host/stack_reader.h"

namespace faultline {
namespace {

// Recorded samples have no memory of the game, so that many more of them have room.
constexpr std::size_t kRecordedBytes = 4 * GameSession::kSampleBytes;

}  // namespace

GameWatch::GameWatch(WatchedProcess process, const FrameRules& rules, const QString& collectorFolder, QObject* parent)
    : QObject(parent),
      m_process(std::move(process)),
      m_rules(rules),
      m_collector(
          collectorFolder, [this] { beginChoice(); }, [this](const StreamEvent& event) { return take(event); }, this) {
  m_choice.pid = m_process.pid;
  openReader(m_process.pid);
  makeSession();
  connect(&m_collector, &GameProcess::advanced, this, &GameWatch::onAdvance);
}

GameWatch::~GameWatch() = default;

void GameWatch::openReader(std::uint32_t pid) {
  m_readerOf = pid;
  m_gameReader = nullptr;
  m_reader.reset();
  if (recorded()) return;  // its samples have their call stacks
  if (m_process.synthetic) {
    m_reader = std::make_shared<SyntheticStacks>();
    return;
  }
  m_whyNoStacks.clear();
  auto reader = openStackReader(pid, m_budget);
  if (!reader) {
    m_whyNoStacks = QString::fromStdString(reader.error().message);
    return;
  }
  m_gameReader = reader->get();
  m_reader = std::move(*reader);
}

QString GameWatch::whyNoStacks() const {
  return m_gameReader != nullptr ? QString::fromStdString(m_gameReader->trouble()) : m_whyNoStacks;
}

// No more frames come that could tell more about the first ones.
void GameWatch::judgeRest() {
  m_session->finish();
  for (const JudgedFrame& judged : m_session->drain()) keep(judged);
}

void GameWatch::makeSession() {
  if (m_session) judgeRest();
  m_session = std::make_unique<GameSession>(m_rules, m_reader.get(),
                                            recorded() ? kRecordedBytes : GameSession::kSampleBytes, m_session.get());
  m_sessionBegin = m_history.end();
}

void GameWatch::start(SampleMode stacks) {
  m_stacks = stacks;
  if (recorded()) return replay();
  m_collector.start({.pid = m_process.pid,
                     .wishes = m_wishes,
                     .samples = stacks,
                     .budget = m_rules.budget,
                     .delay = m_delay,
                     .mayAssume = true,
                     .synthetic = m_process.synthetic});
}

void GameWatch::replay() {
  if (m_replay) return;
  m_replay = std::make_unique<ReplaySource>();
  const auto takeNext = [this](const StreamEvent& event) {
    if (m_whyNotRead.isEmpty())
      if (const auto taken = take(event); !taken) m_whyNotRead = QString::fromStdString(taken.error().message);
    Q_EMIT ingested();
  };
  connect(m_replay.get(), &ReplaySource::hello, this, [takeNext](const Hello& hello) { takeNext(hello); });
  connect(m_replay.get(), &ReplaySource::ofGame, this, takeNext);
  const auto finish = [this](const QString& trouble) {
    judgeRest();
    if (m_whyNotRead.isEmpty()) m_whyNotRead = trouble;
    m_state = m_history.empty() ? State::Failed : State::Exited;
    Q_EMIT stateChanged();
  };
  connect(m_replay.get(), &ReplaySource::finished, this, [this, finish] { finish(m_replay->trouble()); });
  if (const auto opened = m_replay->open(m_process.recording); !opened)
    finish(QString::fromStdString(opened.error().message));
}

QString GameWatch::replayText() const {
  if (m_state == State::Starting)
    return tr("Reading the recording: %1 %").arg(static_cast<int>(m_replay->progress() * 100));
  if (m_state == State::Failed && m_whyNotRead.isEmpty()) return tr("The recording holds no frame.");
  return m_whyNotRead.isEmpty() ? tr("A recording") : tr("A recording: %1").arg(m_whyNotRead);
}

void GameWatch::watchBy(const MarkWishes& wishes) {
  m_wishes = wishes;
  start(m_stacks);
}

void GameWatch::delayBy(Nanoseconds delay) {
  m_delay = delay;
  start(m_stacks);
}

void GameWatch::stop() {
  if (!recorded()) m_collector.stop(tr("Stopped."));
}

void GameWatch::beginChoice() {
  m_choice = m_collector.client()->choice();
  const auto before = m_reader;  // the session uses it to the end
  if (m_choice.pid != m_readerOf || m_state == State::ProgramLeft) openReader(m_choice.pid);
  makeSession();
}

Result<void> GameWatch::take(const StreamEvent& event) {
  if (const auto taken = m_session->take(event); !taken) return taken;
  if (const auto* const hello = std::get_if<Hello>(&event)) m_hello = *hello;
  m_rules = m_session->rules();
  if (m_session->judgedAnew()) judgeAnew();
  for (const JudgedFrame& judged : m_session->drain()) keep(judged);  // those that the history has already are refused
  Q_EMIT received(event);
  return {};
}

void GameWatch::onAdvance() {
  m_choice = m_collector.client()->choice();
  if (m_collector.client()->state() == GameClient::State::Failed) judgeRest();
  const State state = presentState();
  const bool changed = std::exchange(m_state, state) != state;
  Q_EMIT ingested();
  if (changed || state == State::Waiting) Q_EMIT stateChanged();  // the text of a wait may have changed
}

GameWatch::State GameWatch::presentState() const {
  switch (m_collector.client()->state()) {
    case GameClient::State::Looking:
    case GameClient::State::Starting:
      return State::Starting;
    case GameClient::State::Waiting:
      return State::Waiting;
    case GameClient::State::Watching:
      return m_history.end() > m_sessionBegin ? State::Live : State::Waiting;
    case GameClient::State::ProgramLeft:
      return State::ProgramLeft;
    case GameClient::State::Exited:
      return State::Exited;
    case GameClient::State::Failed:
      break;
  }
  return State::Failed;
}

void GameWatch::keep(const JudgedFrame& judged) {
  if (!m_history.add(judged)) return;
  m_tally.add(judged.frame, judged.verdict);
  m_worst.add(m_history.end() - 1, judged);
  m_worst.forgetBefore(m_history.begin());
}

void GameWatch::setBudget(Nanoseconds budget) {
  if (budget == m_rules.budget) return;
  m_rules.budget = budget;
  m_session->setBudget(budget);
  judgeAnew();
}

void GameWatch::judgeAnew() {
  const FrameHistory before = std::exchange(m_history, FrameHistory());
  FrameJudge judge(m_rules);
  m_tally = {};
  m_worst.clear();
  m_history.beginAt(before.begin());
  before.visit(before.begin(), before.end(), [&](std::uint64_t, const JudgedFrame& judged) {
    judge.take(judged.frame, [this](const JudgedFrame& anew) { keep(anew); });
  });
  judge.finish([this](const JudgedFrame& anew) { keep(anew); });
  Q_EMIT judgedAnew();
}

bool GameWatch::isOfSession(std::uint64_t place) const {
  return place >= std::max(m_sessionBegin, m_history.begin()) && place < m_history.end();
}

std::vector<FaultSample> GameWatch::samplesAt(std::uint64_t place) const {
  if (!isOfSession(place)) return {};
  return m_session->samplesOf(m_history.at(place).frame.number);
}

std::size_t GameWatch::sampleCountAt(std::uint64_t place) const {
  return isOfSession(place) ? m_session->sampleCountOf(m_history.at(place).frame.number) : 0;
}

CulpritSearch GameWatch::searchAt(std::uint64_t place) {
  if (!isOfSession(place)) return CulpritSearch(m_reader.get());
  return m_session->searchFor(m_history.at(place), m_reader.get());
}

QString GameWatch::stateText() const {
  if (m_replay) return replayText();
  switch (m_state) {
    case State::Starting:
      return tr("Starting the collector…");
    case State::Waiting:
      if (choice().by == FrameEnd::Function) return QString::fromStdString(waitingText(choice()));
      return tr("Waiting for the first frame…");
    case State::Live:
      if (choice().pid == m_process.pid || !game()) return tr("Live");
      return tr("Live, started program %1 (%2)")
          .arg(QString::fromStdString(printableName(game()->name)), QString::number(choice().pid));
    case State::Exited:
      return tr("The game has ended.");
    case State::ProgramLeft:
      return m_process.synthetic
                 ? tr("The process has become another program.")
                 : tr("The program has left: waiting for its successor, or for the next program that marks frames…");
    case State::Failed:
      break;
  }
  return QString::fromStdString(m_collector.client()->why());
}

}  // namespace faultline
