#include "app/tray/time/range_bar.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <algorithm>

#include "core/text/quantity.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

constexpr Nanoseconds kScrollStep = 100ms;  // one unit of the scroll bar: an int then holds six years

constexpr int kMostOfName = 220;  // in pixels

constexpr int kSteps = 100;  // the handle moves only by such a step when history grows

int units(Nanoseconds t) {
  return static_cast<int>(std::min<Nanoseconds::rep>(t / kScrollStep, 2'000'000'000));
}

}  // namespace

RangeBar::RangeBar(TimeView& view, const std::vector<std::chrono::seconds>& ranges, QWidget* parent)
    : QWidget(parent),
      m_view(view),
      m_place(new QScrollBar(Qt::Horizontal)),
      m_back(new QToolButton),
      m_live(new QToolButton) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(6, 2, 6, 2);
  row->setSpacing(2);
  for (const std::chrono::seconds range : ranges) addRange(range);
  addRange(tr("all"), tr("Show all of history (%1)").arg(ranges.size() + 1), 0s);
  row->addSpacing(8);
  m_place->setAccessibleName(tr("Place in history"));
  row->addWidget(m_place, 1);
  row->addSpacing(8);
  m_back->setAutoRaise(true);
  m_back->setToolTip(tr("Show this machine again, which has been measured meanwhile"));
  m_back->hide();
  row->addWidget(m_back);
  m_live->setAutoRaise(true);
  m_live->setCheckable(true);
  row->addWidget(m_live);

  connect(m_place, &QScrollBar::valueChanged, this, &RangeBar::scrolled);
  connect(m_live, &QToolButton::clicked, &m_view, &TimeView::goLive);
  connect(m_back, &QToolButton::clicked, this, &RangeBar::backRequested);
  connect(&m_view, &TimeView::changed, this, &RangeBar::showView);
  showView();
}

void RangeBar::setEnded(bool ended) {
  m_ended = ended;
  nameLive();
}

void RangeBar::nameLive() {
  m_live->setText(m_ended ? tr("▸▏ end") : m_view.live() ? tr("● live") : tr("● back to live"));
  m_live->setToolTip(m_ended ? tr("Go to the end (End)") : tr("Follow new data (End)"));
}

void RangeBar::setViewed(const QString& file) {
  m_back->setVisible(!file.isEmpty());
  const QString name = QFontMetrics(font()).elidedText(file, Qt::ElideMiddle, kMostOfName);
  m_back->setText(tr("viewing %1 · back to this machine").arg(QString(name).replace(u'&', u"&&"_s)));
}

void RangeBar::addRange(std::chrono::seconds span) {
  const auto count = span.count();
  const auto number = [](auto value) { return QString::fromStdString(formatCount(static_cast<std::uint64_t>(value))); };
  const QString text = count < 60     ? tr("%1 s").arg(number(count))
                       : count < 3600 ? tr("%1 min").arg(number(count / 60))
                                      : tr("%1 h").arg(number(count / 3600));
  addRange(text, tr("Show %1 (%2)").arg(text).arg(m_ranges.buttons().size() + 1), span);
}

void RangeBar::addRange(const QString& text, const QString& tip, Nanoseconds span) {
  auto* button = new QToolButton;
  button->setText(text);
  button->setToolTip(tip);
  button->setAutoRaise(true);
  button->setCheckable(true);
  button->setProperty("span", QVariant::fromValue<qlonglong>(span.count()));
  button->setShortcut(QKeySequence(QString::number(m_ranges.buttons().size() + 1)));
  m_ranges.addButton(button);
  layout()->addWidget(button);
  connect(button, &QToolButton::clicked, &m_view, [this, span] {
    if (span == Nanoseconds(0)) m_view.showAll();
    else m_view.setSpan(span);
    showView();
  });
}

void RangeBar::showView() {
  m_ranges.setExclusive(false);
  for (QAbstractButton* button : m_ranges.buttons()) {
    const Nanoseconds span(button->property("span").toLongLong());
    button->setChecked(span == Nanoseconds(0) ? m_view.showsAll() : !m_view.showsAll() && span == m_view.chosenSpan());
  }
  m_ranges.setExclusive(true);
  m_live->setChecked(m_view.live());
  nameLive();
  showPlace();
}

void RangeBar::showPlace() {
  const QSignalBlocker quiet(m_place);
  const Nanoseconds length = m_view.newest() - m_view.oldest();
  const int slack = units(std::max(length - m_view.span(), Nanoseconds(0)));
  const int page = slack == 0 ? 1 : std::max(units(m_view.span()), 1);  // without slack no page changes the handle
  const bool asBefore = page == m_place->pageStep() && m_place->value() == m_place->maximum() && slack > 0 &&
                        std::abs(slack - m_place->maximum()) < (page + slack) / kSteps;
  if (m_view.live() && asBefore) return;
  m_place->setPageStep(page);
  m_place->setSingleStep(std::max(page / 10, 1));
  m_place->setRange(0, slack);
  m_place->setValue(m_view.live() ? m_place->maximum() : units(m_view.from() - m_view.oldest()));
  m_place->setEnabled(m_place->maximum() > 0);
}

void RangeBar::scrolled(int value) {
  if (value >= m_place->maximum()) return m_view.goLive();
  m_view.goTo(m_view.oldest() + value * kScrollStep + m_view.span() / 2);
}

}  // namespace faultline
