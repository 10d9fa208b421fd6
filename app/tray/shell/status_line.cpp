#include "app/tray/shell/status_line.h"

#include "app/tray/widgets/theme.h"
#include "core/model/names.h"
#include "core/text/quantity.h"
#include "platform/host/elevated.h"

namespace faultline {
namespace {

constexpr int kSayMs = 8000;
constexpr int kProgressSteps = 1000;

// Missed samples are counted even if there are none.
QString lossSentence(const SystemValues& system) {
  QString text;
  const auto tell = [&](SystemMetric metric, const QString& words, std::uint64_t least) {
    if (const auto count = system.get(metric); count && *count >= least)
      text += QStringLiteral(" · ") + words.arg(QString::fromStdString(formatCount(*count)));
  };
  tell(SystemMetric::MissedDeadlines, StatusLine::tr("%1 missed"), 0);
  tell(SystemMetric::DroppedSnapshots, StatusLine::tr("%1 dropped"), 1);
  tell(SystemMetric::LostExits, StatusLine::tr("%1 short-lived processes not counted in full"), 1);
  tell(SystemMetric::SkippedRuns, StatusLine::tr("up to %1 events not seen"), 1);
  tell(SystemMetric::ProcessesLeftOut, StatusLine::tr("%1 processes left out"), 1);
  return text;
}

}  // namespace

QString qualitySentence(const Hello& hello) {
  const auto word = [](const Quality& quality) {
    const std::string_view name = gradeName(quality.grade);
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
  };
  const Quality& pages = hello.quality(ProcessMetric::ZeroedBytes);
  const Quality& threads = hello.quality(SystemMetric::ZeroThreadTime);
  const bool byThreads = pages.grade == Grade::Unavailable && threads.grade != Grade::Unavailable;
  const QString words = byThreads ? StatusLine::tr("faults %1, zeroing threads %2, fault time %3")
                                  : StatusLine::tr("faults %1, zeroing %2, fault time %3");
  return words.arg(word(hello.quality(ProcessMetric::MinorFaults)), word(byThreads ? threads : pages),
                   word(hello.quality(ProcessMetric::FaultTime)));
}

StatusLine::StatusLine(QWidget* parent)
    : QStatusBar(parent),
      m_state(new LineLabel),
      m_grant(addButton(canElevate() ? tr("Measure zeroing too…") : tr("Needs a one-time permission · Set up…"))),
      m_progress(new QProgressBar),
      m_cancel(addButton(tr("Stop loading"))),
      m_followed(addButton({})),
      m_recording(new QLabel) {
  m_state->setContentsMargins(8, 0, 8, 0);
  m_progress->setRange(0, kProgressSteps);
  m_progress->setTextVisible(false);
  m_progress->setMaximumWidth(220);
  m_progress->setAccessibleName(tr("Loading the recording"));
  m_followed->setToolTip(tr("Show the whole machine again (Esc)"));
  addWidget(m_state, 1);
  for (QWidget* each :
       {static_cast<QWidget*>(m_grant), static_cast<QWidget*>(m_progress), static_cast<QWidget*>(m_cancel),
        static_cast<QWidget*>(m_followed), static_cast<QWidget*>(m_recording)})
    addPermanentWidget(each);
  m_grant->hide();
  m_followed->hide();
  // Of itself a status bar hides only what is on screen already, and a message may come before the window.
  connect(this, &QStatusBar::messageChanged, m_state,
          [this](const QString& said) { m_state->setVisible(said.isEmpty()); });
  connect(m_grant, &QToolButton::clicked, this, &StatusLine::grantRequested);
  connect(m_cancel, &QToolButton::clicked, this, &StatusLine::cancelRequested);
  connect(m_followed, &QToolButton::clicked, this, &StatusLine::unfollowRequested);
}

QToolButton* StatusLine::addButton(const QString& text) {
  auto* button = new QToolButton;
  button->setText(text);
  button->setAutoRaise(true);
  return button;
}

void StatusLine::say(const QString& sentence) {
  showMessage(sentence, kSayMs);
}

void StatusLine::showState(const Session& session) {
  QString text = session.stateText();
  if (session.state() == Session::State::Live)
    text += QStringLiteral(" · ") + qualitySentence(session.monitor().hello()) +
            lossSentence(session.monitor().shown().system);
  m_state->setLine(text);
  const bool loading = session.state() == Session::State::Loading;
  m_progress->setVisible(loading);
  m_cancel->setVisible(loading);
  if (loading) m_progress->setValue(static_cast<int>(session.loadingProgress() * kProgressSteps));
}

void StatusLine::showRecording(const Session& session) {
  m_recording->setVisible(session.recording());
  if (!session.recording()) return;
  const QString size = QString::fromStdString(formatBytes(session.recordedBytes()));
  m_recording->setText(tr("<span style='color:%1'>●</span> recording, %2").arg(themeFor(palette()).spike.name(), size));
  m_recording->setToolTip(session.recordingFile());
}

void StatusLine::offerGrant(bool offered, const QString& why) {
  m_grant->setVisible(offered);
  m_grant->setToolTip(canElevate()
                          ? tr("Windows asks for permission. The collector alone gets an administrator's rights, "
                               "and gives them up before it measures.")
                          : why);
}

void StatusLine::showFollowed(const QString& name) {
  m_followed->setVisible(!name.isEmpty());
  QString words = name;
  words.replace(QLatin1Char('&'), QLatin1String("&&"));  // a single & would make a shortcut
  m_followed->setText(tr("Following only %1 ✕").arg(words));
}

}  // namespace faultline
