#include "tests/soak/hands.h"

#include <QAccessible>
#include <QApplication>
#include <QDropEvent>
#include <QFileDialog>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPointer>
#include <QStyleFactory>
#include <QTest>
#include <QUrl>
#include <QWheelEvent>
#include <QWindow>

namespace faultline::soak {
namespace {

constexpr int kQuitsRarely = 30;  // one of so many chances

QString nameOf(const QWidget& widget) {
  return QString::fromLatin1(widget.metaObject()->className()).section(QStringLiteral("::"), -1) + u'/' +
         QString::fromLatin1(widget.window()->metaObject()->className()).section(QStringLiteral("::"), -1);
}

// A dialog for files could rename and delete them: it gets answers only.
bool asksForFile(const QWidget& widget) {
  for (const QWidget* each = &widget; each != nullptr; each = each->parentWidget())
    if (qobject_cast<const QFileDialog*>(each) != nullptr) return true;
  return false;
}

bool blocked(const QWidget& window) {
  for (const QWidget* dialog : window.findChildren<QWidget*>())
    if (dialog->isWindow() && dialog->isModal() && dialog->isVisible()) return true;
  return false;
}

// QTest::keyClick() goes on with a window that the key of a modifier, or another act meanwhile, has closed.
void clickKey(const QPointer<QWindow>& window, Qt::Key key, Qt::KeyboardModifiers modifiers, const QString& text) {
  for (const bool press : {true, false})
    if (window) QTest::simulateEvent(window, press, key, modifiers, text, false);
}

void collectActions(QMenu& menu, QList<QAction*>& into) {
  Q_EMIT menu.aboutToShow();
  for (QAction* action : menu.actions()) {
    if (action->menu() != nullptr) collectActions(*action->menu(), into);
    else if (action->isEnabled() && action->isVisible() && !action->isSeparator()) into << action;
  }
}

}  // namespace

QString Hands::act() {
  QWidget* const target = window();
  if (target == nullptr) return triggerTray();
  if (asksForFile(*target))
    return m_random.chance(30) ? answer(*target) : m_random.chance(50) ? triggerTray() : QString();
  const int kind = m_random.below(100);
  if (kind < 12) return triggerAction(*target);
  if (kind < 15) return triggerTray();
  if (kind < 37) return pressKey(*target);
  if (kind < 41) return typeText(*target);
  if (kind < 66) return click(*target);
  if (kind < 72) return drag(*target);
  if (kind < 80) return hover(*target);
  if (kind < 87) return wheel(*target);
  if (kind < 94) return changeWindow(*target);
  if (kind < 95) return changeLook();
  if (kind < 97) return dropFile(*target);
  return speak(*target);
}

// An open menu gets most of what is done, as on a desktop, where it takes all clicks.
QWidget* Hands::window() {
  if (QWidget* const menu = QApplication::activePopupWidget(); menu != nullptr && m_random.chance(80)) return menu;
  QWidgetList shown;
  for (QWidget* window : QApplication::topLevelWidgets())
    if (window->isVisible() && window->windowHandle() != nullptr && window->width() > 0 && window->height() > 0)
      shown << window;
  return shown.isEmpty() ? nullptr : m_random.of(shown);
}

QWidget* Hands::part(QWidget& window) {
  QWidgetList parts{&window};
  for (QWidget* part : window.findChildren<QWidget*>())
    if (part->isVisible() && part->window() == &window && part->width() > 0 && part->height() > 0) parts << part;
  return m_random.of(parts);
}

QPoint Hands::pointIn(const QWidget& widget, const QWidget& window) {
  const QPoint inside(m_random.below(widget.width()), m_random.below(widget.height()));
  const QPoint point = widget.mapTo(&window, inside);
  return {qBound(0, point.x(), window.width() - 1), qBound(0, point.y(), window.height() - 1)};
}

QString Hands::triggerAction(QWidget& window) {
  if (blocked(window)) return {};
  QList<QAction*> actions;
  for (const QMenuBar* bar : window.findChildren<QMenuBar*>())
    for (const QAction* menu : bar->actions())
      if (menu->menu() != nullptr) collectActions(*menu->menu(), actions);
  if (actions.isEmpty()) return {};
  QAction* const action = m_random.of(actions);
  if (action->text().contains(QStringLiteral("Quit")) && m_random.below(kQuitsRarely) != 0) return {};
  const QString done = QStringLiteral("action ") + action->text().section(u'\t', 0, 0);
  action->trigger();
  return done;
}

// The icon's menu is a window of its own that a panel shows; a modal dialog does not keep a panel from it.
QString Hands::triggerTray() {
  for (QWidget* window : QApplication::topLevelWidgets()) {
    auto* const menu = qobject_cast<QMenu*>(window);
    if (menu == nullptr || menu->parentWidget() != nullptr) continue;
    QList<QAction*> actions;
    collectActions(*menu, actions);
    if (actions.isEmpty() || !actions.last()->text().contains(QStringLiteral("Quit"))) continue;
    QAction* const action = m_random.of(actions);
    if (action == actions.last() && m_random.below(kQuitsRarely) != 0) return {};
    action->trigger();
    return QStringLiteral("tray ") + action->text();
  }
  return {};
}

QString Hands::pressKey(QWidget& window) {
  static const QList<Qt::Key> keys{
      Qt::Key_Up,    Qt::Key_Down,  Qt::Key_Left,    Qt::Key_Right,    Qt::Key_Home,   Qt::Key_End,    Qt::Key_PageUp,
      Qt::Key_Tab,   Qt::Key_Tab,   Qt::Key_Backtab, Qt::Key_Space,    Qt::Key_Return, Qt::Key_Escape, Qt::Key_PageDown,
      Qt::Key_Plus,  Qt::Key_Minus, Qt::Key_Delete,  Qt::Key_Insert,   Qt::Key_Menu,   Qt::Key_F,      Qt::Key_R,
      Qt::Key_S,     Qt::Key_P,     Qt::Key_C,       Qt::Key_W,        Qt::Key_A,      Qt::Key_Z,      Qt::Key_1,
      Qt::Key_Comma, Qt::Key_F1,    Qt::Key_F10,     Qt::Key_Backspace};
  static const QList<Qt::KeyboardModifiers> modifiers{
      Qt::NoModifier,      Qt::NoModifier,    Qt::NoModifier,  Qt::NoModifier,
      Qt::ControlModifier, Qt::ShiftModifier, Qt::AltModifier, Qt::ControlModifier | Qt::ShiftModifier};
  const Qt::Key key = m_random.of(keys);
  const Qt::KeyboardModifiers modifier = m_random.of(modifiers);
  const QString done = QStringLiteral("key ") + QKeySequence(key | modifier).toString() + u' ' + nameOf(window);
  const char ascii = QTest::keyToAscii(key);
  clickKey(window.windowHandle(), key, modifier, ascii == 0 ? QString() : QString(QChar::fromLatin1(ascii)));
  return done;
}

QString Hands::typeText(QWidget& window) {
  static const QStringList texts{QStringLiteral("worker"),       QStringLiteral("0"),   QStringLiteral("16.7"),
                                 QStringLiteral("-1"),           QStringLiteral("1e9"), QStringLiteral("(["),
                                 QStringLiteral("calls render"), QString(3000, u'9')};
  const QString text = m_random.of(texts).left(m_random.chance(90) ? 20 : 3000);
  const QPointer<QWindow> handle = window.windowHandle();
  const QString done = QStringLiteral("text ") + text.left(20) + u' ' + nameOf(window);
  for (const QChar letter : text) clickKey(handle, QTest::asciiToKey(letter.toLatin1()), {}, letter);
  return done;
}

QString Hands::click(QWidget& window) {
  QWidget* const at = part(window);
  static const QList<Qt::MouseButton> buttons{Qt::LeftButton, Qt::LeftButton, Qt::LeftButton, Qt::RightButton,
                                              Qt::MiddleButton};
  static const QList<Qt::KeyboardModifiers> modifiers{Qt::NoModifier, Qt::NoModifier, Qt::NoModifier,
                                                      Qt::ControlModifier, Qt::ShiftModifier};
  const QPoint point = pointIn(*at, window);
  const Qt::MouseButton button = m_random.of(buttons);
  const QString done = QStringLiteral("click %1 at %2,%3 ").arg(button).arg(point.x()).arg(point.y()) + nameOf(*at);
  const Qt::KeyboardModifiers modifier = m_random.of(modifiers);
  if (m_random.chance(15)) QTest::mouseDClick(window.windowHandle(), button, modifier, point);
  else QTest::mouseClick(window.windowHandle(), button, modifier, point);
  return done;
}

QString Hands::drag(QWidget& window) {
  QWidget* const from = part(window);
  const QString done = QStringLiteral("drag ") + nameOf(*from);
  const QPoint start = pointIn(*from, window);
  const QPoint end = m_random.chance(50) ? pointIn(*from, window) : pointIn(window, window);
  const QPointer<QWindow> handle = window.windowHandle();
  QTest::mousePress(handle, Qt::LeftButton, {}, start);
  for (int step = 1; step <= 5 && handle; ++step) QTest::mouseMove(handle, start + (end - start) * step / 5);
  if (handle) QTest::mouseRelease(handle, Qt::LeftButton, {}, end);
  return done;
}

QString Hands::hover(QWidget& window) {
  QWidget* const at = part(window);
  const QString done = QStringLiteral("hover ") + nameOf(*at);
  const QPoint point = pointIn(*at, window);
  QTest::mouseMove(window.windowHandle(), point);
  if (m_random.chance(20)) {  // as the style does after a while
    QHelpEvent help(QEvent::ToolTip, at->mapFrom(&window, point), window.mapToGlobal(point));
    QApplication::sendEvent(at, &help);
  }
  return done;
}

QString Hands::wheel(QWidget& window) {
  QWidget* const at = part(window);
  const QString done = QStringLiteral("wheel ") + nameOf(*at);
  const QPoint point = pointIn(*at, window);
  const QPoint turn = m_random.chance(80) ? QPoint(0, m_random.chance(50) ? 120 : -120) : QPoint(120, 0);
  QWheelEvent event(point, window.mapToGlobal(point), {}, turn, {},
                    m_random.chance(30) ? Qt::ControlModifier : Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(window.windowHandle(), &event);
  return done;
}

QString Hands::changeWindow(QWidget& window) {
  if (window.windowType() == Qt::Popup || window.windowType() == Qt::ToolTip) {
    window.close();
    return QStringLiteral("window close ") + nameOf(window);
  }
  switch (m_random.below(8)) {
    case 0:
      window.showMaximized();
      return QStringLiteral("window maximize");
    case 1:
      window.showMinimized();
      return QStringLiteral("window minimize");
    case 2:
    case 3:
      window.showNormal();
      return QStringLiteral("window restore");
    case 4:
      window.raise();
      window.activateWindow();
      return QStringLiteral("window activate");
    case 5:
      if (blocked(window) || m_random.chance(50)) return {};
      window.close();
      return QStringLiteral("window close ") + nameOf(window);
    default:
      window.resize(100 + m_random.below(1300), 80 + m_random.below(900));
      return QStringLiteral("window resize");
  }
}

QString Hands::changeLook() {
  const bool dark = m_random.chance(50);
  QPalette palette = dark ? QPalette(QColor(40, 40, 44)) : QPalette(QColor(239, 239, 239));
  QApplication::setPalette(palette);
  QFont font = QApplication::font();
  font.setPointSize(7 + m_random.below(10));
  QApplication::setFont(font);
  return QStringLiteral("look %1 %2 pt")
      .arg(dark ? QStringLiteral("dark") : QStringLiteral("light"))
      .arg(font.pointSize());
}

QString Hands::dropFile(QWidget& window) {
  if (!window.acceptDrops() || blocked(window) || m_files.isEmpty()) return {};
  const QString file = m_random.of(m_files);
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(file)});
  QDragEnterEvent enter({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&window, &enter);
  QDropEvent drop({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  if (enter.isAccepted()) QApplication::sendEvent(&window, &drop);
  return QStringLiteral("drop ") + file.section(u'/', -1);
}

// As a screen reader asks.
QString Hands::speak(QWidget& window) {
  QWidget* const asked = part(window);
  if (QAccessibleInterface* const told = QAccessible::queryAccessibleInterface(asked)) {
    (void)told->text(QAccessible::Name);
    (void)told->state();
    for (int i = 0; i < std::min(told->childCount(), 20); ++i)
      if (QAccessibleInterface* const child = told->child(i)) (void)child->text(QAccessible::Name);
  }
  return QStringLiteral("speak ") + nameOf(*asked);
}

QString Hands::answer(QWidget& window) {
  auto* const dialog = qobject_cast<QFileDialog*>(&window);
  if (dialog == nullptr) return {};
  if (m_random.chance(25)) {
    dialog->reject();
    return QStringLiteral("answer cancel");
  }
  QString file = m_folder + QStringLiteral("/saved%1.%2")
                                .arg(m_saved++ % 20)
                                .arg(m_random.chance(80) ? QStringLiteral("png") : QStringLiteral("svg"));
  if (m_random.chance(10)) file = QStringLiteral("/nowhere/at/all");
  if (dialog->acceptMode() == QFileDialog::AcceptOpen && !m_files.isEmpty()) file = m_random.of(m_files);
  dialog->selectFile(file);
  QMetaObject::invokeMethod(dialog, "accept");
  return QStringLiteral("answer ") + file.section(u'/', -1);
}

}  // namespace faultline::soak
