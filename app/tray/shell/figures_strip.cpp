#include "app/tray/shell/figures_strip.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>
#include <utility>

#include "app/tray/widgets/spoken_value.h"
#include "app/tray/widgets/theme.h"
#include "app/tray/widgets/utf8.h"
#include "core/history/background_zeroing.h"
#include "core/text/fault_parts.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

QString withReason(const QString& meaning, const Quality& quality) {
  QString tip = meaning;
  if (!quality.how.empty()) tip += QStringLiteral("\n\n") + text(quality.how);
  if (!quality.enable.empty()) tip += QStringLiteral("\n") + text(quality.enable);
  return tip;
}

template <class Metric>
QString meaning(Metric metric) {
  return QString::fromUtf8(field(metric).meaning.data(), static_cast<qsizetype>(field(metric).meaning.size()));
}

QString duration(double ns) {
  return ns == 0 ? QStringLiteral("0 ms") : text(formatDuration(ns));
}

QString bytesText(double bytes) {
  return text(formatBytes(static_cast<std::uint64_t>(bytes)));
}

QString marked(const Quality& quality, const QString& value) {
  return quality.grade == Grade::Estimated ? QStringLiteral("≈ ") + value : value;
}

QString leftZeroed(const Moment& now) {
  const auto left = now.system.get(SystemMetric::ZeroedListBytes);
  if (!left) return {};
  if (*left == 0) return FiguresStrip::tr("\n\nNo zeroed page is left: each fault zeroes its page itself.");
  return FiguresStrip::tr("\n\n%1 are zeroed in advance.").arg(text(formatBytes(*left)));
}

QString backgroundWords(const Monitor& monitor) {
  QString words;
  if (const auto cycles = cyclesPerZeroedPage(monitor.history(), monitor.hello()))
    words +=
        FiguresStrip::tr("\n\n≈ %1 cycles for each page zeroed in the last minute.").arg(text(formatRate(*cycles)));
  if (const auto most = timeOfCycles(monitor.shown(), SystemMetric::SystemProcessCycles))
    words += FiguresStrip::tr("\n\nAll threads of the process System: ≈ %1 per second, an upper bound.")
                 .arg(duration(*most));
  return words;
}

}  // namespace

class FiguresStrip::Value final : public QLabel, public SpokenValue {
 public:
  [[nodiscard]] QString spoken() const override { return spokenCell(text()); }
  void setNow(const QString& text) {
    setText(text);
    tellChange(*this);
  }
};

// A caption that shrinks in a narrow window.
class FiguresStrip::Caption final : public QLabel {
 public:
  using QLabel::QLabel;
  [[nodiscard]] QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* /*event*/) override {
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(rect(), static_cast<int>(Qt::AlignVCenter | Qt::AlignLeading),
                     fontMetrics().elidedText(text(), Qt::ElideRight, width()));
  }
};

FiguresStrip::FiguresStrip(const Monitor& monitor, QWidget* parent) : QWidget(parent), m_monitor(monitor) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 8, 12, 6);
  row->setSpacing(24);
  m_minor = addFigure(tr("minor faults/s"), QStringLiteral("888 k"));
  m_major = addFigure(tr("major faults/s"), QStringLiteral("88.8 k"));
  m_unattributed = addFigure(tr("unattributed/s"), QStringLiteral("88.8 k"));
  m_faultTime = addFigure(tr("in page faults/s"), QStringLiteral("≈ 888 ms"));
  m_zeroed = addFigure(tr("zeroed/s"), QStringLiteral("≈ 888 MiB"));
  m_commit = addFigure(tr("commit"), QStringLiteral("88.8 of 88.8 GiB"));
  row->addStretch(1);
  m_cpu = addFigure(tr("Faultline's own CPU"), QStringLiteral("8.88 %"));
  applyTheme();
  refresh(std::nullopt);
}

FiguresStrip::Figure FiguresStrip::addFigure(const QString& caption, const QString& widest) {
  auto* box = new QVBoxLayout;
  box->setSpacing(0);
  Figure figure{new Value, new Caption(caption)};
  QFont big = font();
  big.setPointSizeF(big.pointSizeF() * 1.5);
  figure.value->setFont(big);
  figure.value->setTextFormat(Qt::PlainText);
  figure.value->setText(widest);
  figure.value->setFixedSize(figure.value->sizeHint());
  figure.value->setAccessibleName(caption);
  box->addWidget(figure.value);
  box->addWidget(figure.caption);
  static_cast<QHBoxLayout*>(layout())->addLayout(box);
  return figure;
}

// A label of fixed size takes a new text without a new layout; its width only grows.
void FiguresStrip::setText(Value& label, const QString& text) {
  label.setNow(text);
  if (const int wanted = label.sizeHint().width(); wanted > label.width()) label.setFixedWidth(wanted);
}

void FiguresStrip::show(const Figure& figure, const std::optional<QString>& value, const QString& tip) {
  const QString text = value.value_or(QString::fromUtf8(kUnavailable.data(), kUnavailable.size()));
  if (figure.value->text() != text) setText(*figure.value, text);
  QPalette ink = palette();
  if (!value) ink.setColor(QPalette::WindowText, themeFor(ink).dimInk);
  if (figure.value->palette() != ink) figure.value->setPalette(ink);
  if (figure.value->toolTip() == tip) return;
  figure.value->setToolTip(tip);
  figure.caption->setToolTip(tip);
}

void FiguresStrip::rename(const Figure& figure, const QString& caption) {
  if (figure.caption->text() == caption) return;
  figure.caption->setText(caption);
  figure.value->setAccessibleName(caption);
}

void FiguresStrip::refresh(std::optional<double> ownCpu) {
  m_ownCpu = ownCpu;
  showFaults();
  showUnattributed();
  showFaultTime();
  showZeroing();
  showCommit();
  showCpu();
}

void FiguresStrip::showInstant(std::optional<MonotonicTime> instant) {
  if (std::exchange(m_instant, instant) != instant) refresh(m_ownCpu);
}

std::optional<double> FiguresStrip::rate(ProcessMetric metric) const {
  const Moment& now = m_monitor.shown();
  if (!m_instant) return now.perSecond(now.processTotal.get(metric));
  const std::optional<float> past = m_monitor.history().totalAt(metric, *m_instant);
  return past ? std::optional(static_cast<double>(*past)) : std::nullopt;
}

void FiguresStrip::showFaults() {
  const Moment& now = m_monitor.shown();
  const auto shown = [&](const Figure& figure, ProcessMetric metric, SystemMetric whole) {
    const std::optional<double> each = rate(metric);
    QString tip = withReason(meaning(metric), m_monitor.hello().quality(metric));
    if (const auto all = now.perSecond(now.systemDeltas.get(whole)); all && !m_instant)
      tip += tr("\n\nThis is the sum over all processes that Faultline saw, without Faultline itself. The kernel "
                "counted %1 %2 "
                "per second on the whole machine.")
                 .arg(text(formatRate(*all)),
                      whole == SystemMetric::Faults ? tr("faults (minor and major)") : tr("faults"));
    show(figure, each ? std::optional(text(formatRate(*each))) : std::nullopt, tip);
  };
  shown(m_minor, ProcessMetric::MinorFaults, SystemMetric::Faults);
  shown(m_major, ProcessMetric::MajorFaults, SystemMetric::MajorFaults);
}

// Shown only if processes may end unseen, and of the newest sample alone: history does not keep the number.
void FiguresStrip::showUnattributed() {
  const Moment& now = m_monitor.shown();
  const bool unseen = now.processTotal.has(ProcessMetric::ChildMinorFaults) && !m_instant;
  m_unattributed.value->setVisible(unseen);
  m_unattributed.caption->setVisible(unseen);
  const std::optional<double> rate = now.perSecond(now.unattributed());
  show(m_unattributed, rate ? std::optional(text(formatRate(*rate))) : std::nullopt,
       tr("Page faults of processes that began and ended between two samples: the kernel's count for the whole machine "
          "minus the sum over all processes that Faultline saw. A family's total includes them after the parent has "
          "waited for them. With the one-time permission every process is seen."));
}

// The sum over all processes may exceed a second per second.
void FiguresStrip::showFaultTime() {
  const Moment& now = m_monitor.shown();
  const Quality& quality = m_monitor.hello().quality(ProcessMetric::FaultTime);
  if (const Quality& zeroing = m_monitor.hello().quality(SystemMetric::ZeroThreadTime);
      quality.grade != Grade::Exact && zeroing.grade != Grade::Unavailable) {
    const auto spent = m_instant ? std::nullopt : zeroThreadTime(now);
    rename(m_faultTime, tr("zeroing threads/s"));
    return show(m_faultTime, spent ? std::optional(marked(zeroing, duration(*spent))) : std::nullopt,
                withReason(meaning(SystemMetric::ZeroThreadTime) + backgroundWords(m_monitor), zeroing));
  }
  rename(m_faultTime, tr("in page faults/s"));
  const auto time = rate(ProcessMetric::FaultTime);
  QString tip = tr("Time that all processes together spend inside page faults, including waits for the disk.");
  if (time) {
    tip = tr("%1 That is %2 of one core").arg(tip, text(formatPercent(*time / 1e9)));
    const auto major = rate(ProcessMetric::MajorFaultTime);
    tip += major ? tr(", %1 of it in major faults.").arg(duration(*major)) : QStringLiteral(".");
    FaultPartTimes parts;
    for (std::size_t part = 0; part < parts.size(); ++part) parts[part] = rate(kFaultParts[part]);
    if (const std::string told = faultPartsText(parts); !told.empty()) tip += tr("\nPer second: %1.").arg(text(told));
  } else if (quality.grade != Grade::Unavailable) {
    tip += tr(
        "\n\nNot measured at this moment. Faults are timed while a window shows them, beginning with the next sample.");
  }
  show(m_faultTime, time ? std::optional(marked(quality, duration(*time))) : std::nullopt, withReason(tip, quality));
}

void FiguresStrip::showZeroing() {
  const Moment& now = m_monitor.shown();
  const Quality& quality = m_monitor.hello().quality(ProcessMetric::ZeroedBytes);
  if (const Quality& asked = m_monitor.hello().quality(SystemMetric::DemandZeroFaults);
      quality.grade == Grade::Unavailable && asked.grade != Grade::Unavailable) {
    const auto asking = m_instant ? std::nullopt : askedForZeroed(now, m_monitor.hello());
    rename(m_zeroed, tr("asked for zeroed/s"));
    return show(m_zeroed, asking ? std::optional(bytesText(*asking)) : std::nullopt,
                withReason(meaning(SystemMetric::DemandZeroFaults) + leftZeroed(now), asked));
  }
  rename(m_zeroed, tr("zeroed/s"));
  std::optional<QString> value;
  if (const auto bytes = rate(ProcessMetric::ZeroedBytes)) value = marked(quality, bytesText(*bytes));
  QString tip = meaning(ProcessMetric::ZeroedBytes);
  if (const auto time = rate(ProcessMetric::ZeroingTime))
    tip += tr(" Clearing it takes about %1 per second.").arg(duration(*time));
  show(m_zeroed, value, withReason(tip, quality));
}

void FiguresStrip::showCommit() {
  const SystemValues& system = m_monitor.shown().system;
  auto committed = system.get(SystemMetric::CommittedBytes);
  if (m_instant) {
    const auto past = m_monitor.history().totalAt(ProcessMetric::CommitBytes, *m_instant);
    committed = past ? std::optional(static_cast<std::uint64_t>(*past)) : std::nullopt;
  }
  const auto limit = system.get(SystemMetric::CommitLimitBytes);
  std::optional<QString> value;
  if (committed)
    value = limit ? tr("%1 of %2").arg(text(formatBytes(*committed)), text(formatBytes(*limit)))
                  : text(formatBytes(*committed));
  show(m_commit, value,
       withReason(
           tr("Memory promised to all processes, and the limit under strict accounting. Linux usually allows more "
              "than this limit."),
           m_monitor.hello().quality(SystemMetric::CommittedBytes)));
}

// Always of the present: this program costs now what it costs.
void FiguresStrip::showCpu() {
  const std::optional<double> collector = m_monitor.collectorCpuShare();
  std::optional<QString> value;
  if (m_ownCpu) value = text(formatPercent(*m_ownCpu + collector.value_or(0)));
  const auto part = [](std::optional<double> share) {
    return share ? text(formatPercent(*share)) : QStringLiteral("–");
  };
  show(m_cpu, value,
       tr("Share of one core at present: collector %1, this window %2.").arg(part(collector), part(m_ownCpu)));
}

void FiguresStrip::applyTheme() {
  const Theme theme = themeFor(palette());
  QPalette dim = palette();
  dim.setColor(QPalette::WindowText, theme.dimInk);
  for (const Figure& figure : {m_minor, m_major, m_unattributed, m_faultTime, m_zeroed, m_commit, m_cpu})
    figure.caption->setPalette(dim);
}

void FiguresStrip::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && m_cpu.caption != nullptr) applyTheme();
}

}  // namespace faultline
