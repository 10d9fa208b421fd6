#include "app/tray/frames/game_watch.h"

#include <utility>

#include "app/tray/session/last_line.h"
#include "core/culprits/invented_stacks.h"
#include "core/model/names.h"
#include "core/text/quantity.h"
#include "platform/host/collector_choice.h"
#include "platform/host/processes.h"
#include "platform/host/programs.h"
#include "platform/host/stack_reader.h"

namespace faultline {
namespace {

constexpr qsizetype kReadBytes = 256 << 10;
constexpr qsizetype kKeptErrorBytes = 2000;

WatchCourse::Time now() {
  return std::chrono::steady_clock::now();
}

}  // namespace

GameWatch::GameWatch(WatchedProcess process, const FrameRules& rules, const QString& collectorFolder, QObject* parent)
    : QObject(parent),
      m_process(std::move(process)),
      m_rules(rules),
      m_folder(collectorFolder),
      m_buffer(kReadBytes, Qt::Uninitialized),
      m_course(m_process.pid, {}, now()) {
  openReader(m_process.pid);
  makeSession();
  m_lookAgain.setSingleShot(true);
  connect(&m_lookAgain, &QTimer::timeout, this, [this] {
    if (m_better) launch(*std::exchange(m_better, std::nullopt));
    else if (m_course.waits()) lookFurther();
    else look();
  });
  connect(&m_collector, &QProcess::readyReadStandardOutput, this, &GameWatch::readOutput);
  connect(&m_collector, &QProcess::readyReadStandardError, this,
          [this] { m_errors = (m_errors + m_collector.readAllStandardError()).right(kKeptErrorBytes); });
  connect(&m_collector, &QProcess::finished, this, &GameWatch::processEnded);
  connect(&m_collector, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      setState(State::Failed, tr("The collector cannot be started: %1.").arg(m_collector.errorString()));
  });
}

GameWatch::~GameWatch() {
  kill();
}

void GameWatch::openReader(std::uint32_t pid) {
  m_readerOf = pid;
  m_gameReader = nullptr;
  if (m_process.madeUp) {
    m_readers.push_back(std::make_unique<InventedStacks>());
    return;
  }
  m_whyNoStacks.clear();
  auto reader = openStackReader(pid);
  if (reader) m_gameReader = reader->get();
  m_readers.push_back(reader ? std::move(*reader) : nullptr);
  if (!reader) m_whyNoStacks = QString::fromStdString(reader.error().message);
}

QString GameWatch::whyNoStacks() const {
  return m_gameReader != nullptr ? QString::fromStdString(m_gameReader->trouble()) : m_whyNoStacks;
}

void GameWatch::makeSession() {
  m_session = std::make_unique<GameSession>(m_rules, m_readers.back().get());
  m_sessionBegin = m_history.end();
}

void GameWatch::start(SampleMode stacks) {
  kill();
  m_stacks = stacks;
  m_course = WatchCourse(m_process.pid, {}, now());
  if (m_process.madeUp) launch(watchOwnMarks(m_process.pid));
  else look();
}

// What is gone for good has shown all it had; what cannot be looked at can be watched all the same.
void GameWatch::look() {
  const bool anew = m_state == State::ProgramLeft;
  auto choice = m_course.look(now());
  if (!choice && anew) return setState(State::Exited);
  if (!choice) return launch(watchAtRate(m_process.pid, kAssumedRate, choice.error().message));
  if (*choice) return launch(std::move(**choice));
  if (!anew) setState(State::Starting);
  m_lookAgain.start(std::chrono::ceil<std::chrono::milliseconds>(m_course.pause()));
}

void GameWatch::lookFurther() {
  if (auto other = m_course.lookFurther(now())) return launch(std::move(*other));
  m_lookAgain.start(std::chrono::ceil<std::chrono::milliseconds>(m_course.lookFurtherAt() - now()));
}

void GameWatch::launch(WatchChoice choice) {
  kill();
  if (choice.pid != m_readerOf) openReader(choice.pid);
  makeSession();
  m_game = GameState::Running;
  m_course.begin(std::move(choice));
  const auto collector = m_folder.isEmpty() ? chooseCollector(executableFolder(), grantedCollector())
                                            : chooseCollector(std::filesystem::path(m_folder.toStdU16String()), {});
  if (!collector) return setState(State::Failed, QString::fromStdString(collector.error().message));
  m_grantable = !m_process.madeUp && !collector->enable.empty();
  m_decoder = Decoder();
  m_errors.clear();
  QStringList arguments;
  for (const std::string& argument : watchArguments(m_course.choice(), Nanoseconds(0), m_stacks, m_rules.budget))
    arguments << QString::fromStdString(argument);
  if (m_process.madeUp) arguments << QStringLiteral("--synthetic");
  setState(State::Starting);
  m_collector.start(QString::fromStdU16String(collector->program.u16string()), arguments, QIODevice::ReadOnly);
}

void GameWatch::stop() {
  if (m_state == State::Exited || m_state == State::Failed) return;
  kill();
  setState(State::Failed, tr("Stopped."));
}

// A collector with more rights than ours may not be killed by us, but ends when its reader is gone.
void GameWatch::kill() {
  m_lookAgain.stop();
  m_better.reset();
  if (m_collector.state() == QProcess::NotRunning) return;
  const QSignalBlocker quiet(m_collector);
  m_collector.closeReadChannel(QProcess::StandardOutput);
  m_collector.kill();
  m_collector.waitForFinished(1000);
}

void GameWatch::readOutput() {
  m_collector.setReadChannel(QProcess::StandardOutput);
  while (m_collector.bytesAvailable() > 0) {
    const qint64 count = m_collector.read(m_buffer.data(), m_buffer.size());
    if (count <= 0) break;
    m_decoder.feed(std::as_bytes(std::span(m_buffer.constData(), static_cast<std::size_t>(count))));
    while (m_state != State::Failed) {
      const Result<StreamEvent> event = m_decoder.next();
      if (!event && m_decoder.failed()) {
        kill();
        return setState(State::Failed, QString::fromStdString(event.error().message));
      }
      if (!event) continue;  // damage is passed over
      if (std::holds_alternative<NeedMoreBytes>(*event) || std::holds_alternative<StreamEnd>(*event)) break;
      take(*event);
    }
  }
  Q_EMIT ingested();
}

void GameWatch::take(const StreamEvent& event) {
  if (const auto taken = m_session->take(event); !taken) {
    kill();
    return setState(State::Failed, QString::fromStdString(taken.error().message));
  }
  for (const JudgedFrame& judged : m_session->drain()) keep(judged);
  m_rules = m_session->rules();
  if (const auto* batch = std::get_if<const GameFrameBatch*>(&event)) {
    m_game = (*batch)->state;
    if (m_game == GameState::ProgramLeft || (m_game == GameState::Exited && goesOn()))
      return setState(State::ProgramLeft);
    if (m_game == GameState::Exited) return setState(State::Exited);
  }
  if (m_state == State::Exited || m_state == State::ProgramLeft) return;
  if (const auto* hello = std::get_if<Hello>(&event)) greet(*hello);
  const State state = m_history.end() > m_sessionBegin ? State::Live : State::Waiting;
  if (state != m_state || std::holds_alternative<Hello>(event)) setState(state);
}

void GameWatch::greet(const Hello& hello) {
  if (m_process.madeUp) return;
  m_better = m_course.greeted(hello, now());
  if (m_better) m_lookAgain.start(0);
  else if (m_course.waits())
    m_lookAgain.start(std::chrono::ceil<std::chrono::milliseconds>(m_course.lookFurtherAt() - now()));
  else m_lookAgain.stop();
}

bool GameWatch::goesOn() const {
  return !m_process.madeUp && m_course.goesOn(m_game);
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
  const FrameHistory before = std::exchange(m_history, FrameHistory());
  FrameJudge judge(m_rules);
  m_tally = {};
  m_worst.clear();
  m_history.beginAt(before.begin());
  before.visit(before.begin(), before.end(),
               [&](std::uint64_t, const JudgedFrame& judged) { keep({judged.frame, judge.judge(judged.frame)}); });
  Q_EMIT judgedAnew();
}

bool GameWatch::isOfSession(std::uint64_t place) const {
  return place >= std::max(m_sessionBegin, m_history.begin()) && place < m_history.end();
}

std::span<const FaultSample> GameWatch::samplesAt(std::uint64_t place) const {
  if (!isOfSession(place)) return {};
  return m_session->samplesOf(m_history.at(place).frame.number);
}

CulpritSearch GameWatch::searchAt(std::uint64_t place) {
  if (!isOfSession(place)) return CulpritSearch(m_readers.back().get());
  return m_session->searchFor(m_history.at(place).frame.number, m_readers.back().get());
}

// Before the first Hello it says that this way of marking frames does not work here.
void GameWatch::processEnded() {
  readOutput();
  if (m_state == State::ProgramLeft && goesOn()) {
    m_course.beginAnew(now());
    m_readerOf = 0;  // another program has other files
    return look();
  }
  if (m_state == State::Exited || m_state == State::ProgramLeft || m_state == State::Failed) return;
  QString said = lastLine(m_errors + m_collector.readAllStandardError());
  if (const QString who = QStringLiteral("faultline-collector: "); said.startsWith(who)) said = said.mid(who.size());
  if (said.isEmpty())
    said = m_collector.exitStatus() == QProcess::CrashExit
               ? tr("The collector was killed.")
               : tr("The collector ended with exit code %1.").arg(m_collector.exitCode());
  const WatchChoice& choice = m_course.choice();
  const bool anotherWay = !m_session->watched() && !m_process.madeUp && choice.by != FrameEnd::AssumedRate;
  if (!anotherWay) return setState(State::Failed, said);
  if (m_course.refused(said.toStdString(), now())) look();
  else launch(watchAtRate(choice.pid, kAssumedRate, said.toStdString()));
}

// Also without a change of state: what it says may be another.
void GameWatch::setState(State state, const QString& trouble) {
  m_state = state;
  m_trouble = trouble;
  Q_EMIT stateChanged();
}

QString GameWatch::stateText() const {
  switch (m_state) {
    case State::Starting:
      return tr("Starting the collector…");
    case State::Waiting:
      if (choice().by == FrameEnd::Function) return QString::fromStdString(waitingText(choice()));
      return tr("Waiting for the first frame…");
    case State::Live:
      if (choice().pid == m_process.pid || !game()) return tr("Live");
      return tr("Live, %1 (%2), which it has started")
          .arg(QString::fromStdString(printableName(game()->name)), QString::number(choice().pid));
    case State::Exited:
      return tr("The game has ended.");
    case State::ProgramLeft:
      return m_process.madeUp
                 ? tr("The process has become another program.")
                 : tr("This program is gone: waiting for what it has become, or for the next one that marks frames…");
    case State::Failed:
      break;
  }
  return m_trouble;
}

}  // namespace faultline
