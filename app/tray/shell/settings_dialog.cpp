#include "app/tray/shell/settings_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QEvent>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <vector>

#include "app/tray/session/recent_saver.h"
#include "app/tray/widgets/calm_box.h"
#include "app/tray/widgets/count_box.h"
#include "app/tray/widgets/screen_fit.h"
#include "app/tray/widgets/theme.h"
#include "core/model/cost_words.h"
#include "platform/host/keys/hot_key.h"

namespace faultline {

namespace {

constexpr double kMiB = 1 << 20;
constexpr double kMs = 1e6;  // in ns
constexpr int kCharactersPerLine = 56;
const QString kQuiet = QStringLiteral("explanation");

// Adds a sentence below the control; screen readers get the sentence as the control's description.
void explain(QFormLayout& form, QWidget& control, const QString& sentence) {
  auto* label = new QLabel(sentence);
  label->setWordWrap(true);
  label->setFixedWidth(label->fontMetrics().horizontalAdvance(QLatin1Char('0')) * kCharactersPerLine);
  label->setMinimumHeight(label->heightForWidth(label->width()));  // else a form layout cuts the last line
  label->setObjectName(kQuiet);
  control.setToolTip(sentence);
  control.setAccessibleDescription(sentence);
  form.addRow(QString(), label);
}

void addHeading(QFormLayout& form, const QString& title) {
  auto* label = new QLabel(title);
  QFont font = label->font();
  font.setBold(true);
  label->setFont(font);
  form.addRow(label);
}

CountBox* spinBox(int least, int most, int step, const QString& suffix) {
  auto* box = new CountBox;
  box->setRange(least, most);
  box->setSingleStep(step);
  box->setSuffix(suffix);
  return box;
}

int clampToInt(double value) {
  return static_cast<int>(std::min(value, 1e9));
}

}  // namespace

SettingsDialog::SettingsDialog(SettingsStore& store, bool hasTray, QWidget* parent)
    : QDialog(parent), m_store(store), m_told(new QLabel) {
  setWindowTitle(tr("Settings"));
  setLayout(new QVBoxLayout);
  auto* page = new QWidget;
  auto* form = new QFormLayout(page);
  form->setRowWrapPolicy(QFormLayout::DontWrapRows);
  form->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
  addMeasuring(*form);
  addSpikes(*form);
  addLook(*form);
  addStarting(*form, hasTray);
  m_told->setWordWrap(true);
  m_told->setObjectName(QStringLiteral("told"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close | QDialogButtonBox::RestoreDefaults);
  // Return ends typing, and presses no button.
  for (QAbstractButton* button : buttons->buttons()) static_cast<QPushButton*>(button)->setAutoDefault(false);
  layOut(*page, *buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this,
          &SettingsDialog::restoreDefaults);

  // The default order leads to the box's first button and skips the button created before it.
  setTabOrder(buttons->button(QDialogButtonBox::RestoreDefaults), buttons->button(QDialogButtonBox::Close));
  applyTheme();
  for (CountBox* box : countBoxes()) tellRange(*box);
  tellRange(*m_factor);

  show(store.get());
  connect(&store, &SettingsStore::changed, this, &SettingsDialog::show);
  for (QWidget* each : inputs()) {
    if (auto* box = qobject_cast<QSpinBox*>(each))
      connect(box, &QSpinBox::valueChanged, this, &SettingsDialog::applyChange);
    else if (auto* factor = qobject_cast<QDoubleSpinBox*>(each))
      connect(factor, &QDoubleSpinBox::valueChanged, this, &SettingsDialog::applyChange);
    else if (auto* check = qobject_cast<QCheckBox*>(each))
      connect(check, &QCheckBox::toggled, this, &SettingsDialog::applyChange);
    else if (auto* choice = qobject_cast<QComboBox*>(each))
      connect(choice, &QComboBox::currentIndexChanged, this, &SettingsDialog::applyChange);
  }
}

// A box with the focus emits its value while the dialog deletes the box.
SettingsDialog::~SettingsDialog() {
  for (QWidget* child : findChildren<QWidget*>()) child->disconnect(this);
}

std::array<CountBox*, 7> SettingsDialog::countBoxes() const {
  return {m_interval, m_minor, m_major, m_zeroed, m_faultTime, m_teardown, m_least};
}

std::vector<QWidget*> SettingsDialog::inputs() const {
  std::vector<QWidget*> all{m_factor,     m_faster, m_timeFaults, m_keepPast, m_saveKey, m_notify,
                            m_saveSpikes, m_login,  m_hidden,     m_look,     m_ink};
  for (CountBox* box : countBoxes()) all.push_back(box);
  return all;
}

// On a low screen the page scrolls, and the buttons stay.
void SettingsDialog::layOut(QWidget& page, QWidget& buttons) {
  auto* scroll = scrolled(page);
  scroll->setFocusPolicy(Qt::NoFocus);
  const QSize wanted = page.sizeHint();
  scroll->setMinimumWidth(wanted.width() + scroll->verticalScrollBar()->sizeHint().width());
  layout()->addWidget(scroll);
  layout()->addWidget(m_told);
  layout()->addWidget(&buttons);
  const QMargins margins = layout()->contentsMargins();
  const int others = buttons.sizeHint().height() + m_told->sizeHint().height() + 2 * layout()->spacing();
  resize(sizeOnScreen(*this, {minimumSizeHint().width(), wanted.height() + others + margins.top() + margins.bottom()}));
  for (QWidget* box : page.findChildren<QAbstractSpinBox*>()) box->installEventFilter(this);
}

// The wheel scrolls the page, and changes a number only in the box with the focus.
bool SettingsDialog::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::Wheel || static_cast<QWidget*>(watched)->hasFocus())
    return QDialog::eventFilter(watched, event);
  event->ignore();
  return true;
}

template <class Box>
void SettingsDialog::tellRange(Box& box) {
  const QString words = tr("From %1.").arg(box.rangeText());
  box.setToolTip(box.toolTip() + QLatin1Char(' ') + words);
  box.setAccessibleDescription(box.toolTip());
  box.setFocusPolicy(Qt::StrongFocus);
  box.onCorrected([this](const QString& sentence) { m_told->setText(sentence); });
}

void SettingsDialog::applyTheme() {
  QPalette quiet = palette();
  quiet.setColor(QPalette::WindowText, themeFor(quiet).dimInk);
  for (QLabel* label : findChildren<QLabel*>(kQuiet)) label->setPalette(quiet);
  for (QCheckBox* box : findChildren<QCheckBox*>()) box->setPalette(boxPalette(palette()));
  QPalette told = palette();
  told.setColor(QPalette::WindowText, themeFor(told).spike);
  m_told->setPalette(told);
}

void SettingsDialog::changeEvent(QEvent* event) {
  QDialog::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) applyTheme();
}

void SettingsDialog::addMeasuring(QFormLayout& form) {
  addHeading(form, tr("Measuring"));
  m_interval =
      spinBox(static_cast<int>(kShortestInterval.count()), static_cast<int>(kLongestInterval.count()), 100, tr(" ms"));
  form.addRow(tr("&Every"), m_interval);
  explain(
      form, *m_interval,
      tr("Length of each measurement. Shorter measurements show shorter bursts and cost more: half the length about "
         "doubles Faultline's own CPU time, which the window shows."));
  m_faster = new QCheckBox(tr("&Faster while a spike runs or a game is watched"));
  form.addRow(QString(), m_faster);
  explain(form, *m_faster,
          tr("Up to every 50 ms, for at most 2 % of a core over a minute; the line at the bottom tells."));
  m_timeFaults = new QCheckBox(tr("&Time page faults"));
  form.addRow(QString(), m_timeFaults);
  explain(form, *m_timeFaults,
          tr("Only while the window is shown or a recording runs, and only with the one-time permission. Timing makes "
             "each fault of every process %1 longer, depending on the processor.")
              .arg(QString(QLatin1StringView(kTimingCost)).replace(u' ', QChar::Nbsp)));
  m_keepPast = new QCheckBox(tr("&Keep the last hour on disk"));
  form.addRow(QString(), m_keepPast);
  explain(form, *m_keepPast,
          tr("The File menu then opens it after a crash or a restart of the machine. 4 to 14 MB an hour, at most 64 "
             "MB, and 128 MB of the frames of games, in files that only you can read. Off: they are removed."));
  m_saveKey = new QCheckBox(tr("Save what &just happened by a key of all programs"));
  form.addRow(QString(), m_saveKey);
  const QString key = QString::fromUtf8(hotKeyName().data(), static_cast<qsizetype>(hotKeyName().size()));
  const QString which = key.isEmpty() ? tr("The desktop asks which key, where it lends keys to programs.")
                                      : tr("The key is %1, unless another program has it.").arg(key);
  explain(form, *m_saveKey,
          which + QLatin1Char(' ') +
              tr("Pressed in a game, too, it saves the last 10 minutes in %1.")
                  .arg(QDir::toNativeSeparators(ownDataFolder())));
}

void SettingsDialog::addSpikes(QFormLayout& form) {
  addHeading(form, tr("Spikes"));
  m_minor = spinBox(1, 1'000'000'000, 1000, tr(" minor faults/s"));
  form.addRow(tr("Always a spike a&bove"), m_minor);
  m_major = spinBox(1, 1'000'000'000, 10, tr(" major faults/s"));
  m_zeroed = spinBox(1, 1'000'000, 10, tr(" MiB/s zeroed"));
  m_faultTime = spinBox(1, 1'000'000, 10, tr(" ms/s in page faults"));
  m_teardown = spinBox(1, 1'000'000, 10, tr(" ms/s giving memory back"));
  form.addRow(tr("Or &above"), m_major);
  for (CountBox* box : {m_zeroed, m_faultTime, m_teardown}) form.addRow(QString(), box);
  explain(form, *m_minor,
          tr("A process above one of these is a spike, unless it starts as usual or always has such a rate. Zeroed "
             "memory and times count where they are measured."));
  for (CountBox* box : {m_major, m_zeroed, m_faultTime, m_teardown}) {
    box->setToolTip(m_minor->toolTip());
    box->setAccessibleDescription(m_minor->toolTip());
  }
  m_factor = new FactorBox;
  m_factor->setRange(1, 1000);
  m_factor->setDecimals(1);
  m_factor->setSuffix(tr(" times"));
  form.addRow(tr("Or this many times its &usual rate"), m_factor);
  explain(form, *m_factor, tr("Below those rates, a process must exceed its own last minute by this factor."));
  m_least = spinBox(1, 1'000'000'000, 100, tr(" faults"));
  form.addRow(tr("But at &least"), m_least);
  explain(form, *m_least, tr("A burst of fewer faults is not a spike."));
  m_notify = new QCheckBox(tr("&Notify me of spikes"));
  form.addRow(QString(), m_notify);
  explain(form, *m_notify, tr("A desktop notification with the process and the amount, at most one per minute."));
  m_saveSpikes = new QCheckBox(tr("&Save a recording of each spike"));
  form.addRow(QString(), m_saveSpikes);
  const SpikeLimits limits;
  explain(form, *m_saveSpikes,
          tr("From half a minute before to half a minute after, in %1. At most %2 files and %3 MB a day; the newest %4 "
             "stay.")
              .arg(QDir::toNativeSeparators(ownDataFolder()))
              .arg(limits.files)
              .arg(limits.bytes >> 20)
              .arg(limits.kept));
}

void SettingsDialog::addLook(QFormLayout& form) {
  addHeading(form, tr("Look"));
  m_look = new CalmBox;
  m_look->addItems({tr("As the desktop"), tr("Light"), tr("Dark")});
  form.addRow(tr("&Colours"), m_look);
  explain(form, *m_look, tr("Of all windows of Faultline, at once."));
}

void SettingsDialog::addStarting(QFormLayout& form, bool hasTray) {
  addHeading(form, tr("Starting, and the tray"));
  m_login = new QCheckBox(tr("Start when I log &in"));
  form.addRow(QString(), m_login);
  explain(form, *m_login, tr("Faultline then starts in the tray, without its window."));
  m_hidden = new QCheckBox(tr("Start &hidden"));
  form.addRow(QString(), m_hidden);
  explain(form, *m_hidden,
          hasTray ? tr("Shows only the tray icon; click the icon for the window.")
                  : tr("Has no effect here: this desktop has no tray, and a hidden window could not be brought back."));
  m_ink = new CalmBox;
  m_ink->addItems({tr("Fits any panel (with a halo)"), tr("Dark, for a light panel"), tr("Light, for a dark panel")});
  form.addRow(tr("Tray icon &colour"), m_ink);
  explain(form, *m_ink, tr("Programs cannot find out how bright the panel of the desktop is."));
  m_hidden->setEnabled(hasTray);
  m_ink->setEnabled(hasTray);
}

void SettingsDialog::show(const Settings& settings) {
  std::vector<QSignalBlocker> quiet;  // each signal would store what the boxes after it have from before
  for (QWidget* box : inputs()) quiet.emplace_back(box);
  m_interval->setValue(static_cast<int>(settings.interval.count()));
  m_faster->setChecked(settings.faster);
  m_timeFaults->setChecked(settings.timeFaults);
  m_minor->setValue(clampToInt(settings.spikes.minorPerSecond));
  m_major->setValue(clampToInt(settings.spikes.majorPerSecond));
  m_zeroed->setValue(clampToInt(settings.spikes.zeroedPerSecond / kMiB));
  m_faultTime->setValue(clampToInt(settings.spikes.faultNsPerSecond / kMs));
  m_teardown->setValue(clampToInt(settings.spikes.teardownNsPerSecond / kMs));
  m_factor->setValue(settings.spikes.factor);
  m_least->setValue(clampToInt(static_cast<double>(settings.spikes.leastFaults)));
  m_notify->setChecked(settings.notifySpikes);
  m_saveSpikes->setChecked(settings.saveSpikes);
  m_keepPast->setChecked(settings.keepPast);
  m_saveKey->setChecked(settings.saveKey);
  m_login->setChecked(settings.startAtLogin);
  m_hidden->setChecked(settings.startHidden);
  m_look->setCurrentIndex(static_cast<int>(settings.look));
  m_ink->setCurrentIndex(static_cast<int>(settings.panelInk));
}

void SettingsDialog::applyChange() {
  Settings settings = m_store.get();
  settings.interval = std::chrono::milliseconds(m_interval->value());
  settings.faster = m_faster->isChecked();
  settings.timeFaults = m_timeFaults->isChecked();
  settings.spikes.minorPerSecond = m_minor->value();
  settings.spikes.majorPerSecond = m_major->value();
  settings.spikes.zeroedPerSecond = m_zeroed->value() * kMiB;
  settings.spikes.faultNsPerSecond = m_faultTime->value() * kMs;
  settings.spikes.teardownNsPerSecond = m_teardown->value() * kMs;
  settings.spikes.factor = m_factor->value();
  settings.spikes.leastFaults = static_cast<std::uint64_t>(m_least->value());
  settings.notifySpikes = m_notify->isChecked();
  settings.saveSpikes = m_saveSpikes->isChecked();
  settings.keepPast = m_keepPast->isChecked();
  settings.saveKey = m_saveKey->isChecked();
  settings.startAtLogin = m_login->isChecked();
  settings.startHidden = m_hidden->isChecked();
  settings.look = static_cast<Look>(m_look->currentIndex());
  settings.panelInk = static_cast<PanelInk>(m_ink->currentIndex());
  m_store.set(settings);
}

void SettingsDialog::restoreDefaults() {
  show(Settings());
  applyChange();
}

}  // namespace faultline
