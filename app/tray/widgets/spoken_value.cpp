#include "app/tray/widgets/spoken_value.h"

#include <QAccessibleWidget>
#include <QCoreApplication>
#include <QLabel>

namespace faultline {
namespace {

class Interface : public QAccessibleWidget {
 public:
  Interface(QWidget& widget, const SpokenValue& value)
      : QAccessibleWidget(&widget,
                          qobject_cast<QLabel*>(&widget) != nullptr ? QAccessible::StaticText : QAccessible::Chart),
        m_value(value) {}

  [[nodiscard]] QString text(QAccessible::Text which) const override {
    if (which == QAccessible::Value) return m_value.spoken();
    const QString text = QAccessibleWidget::text(which);
    return which == QAccessible::Name ? text + QStringLiteral(": ") + m_value.spoken() : text;
  }

 private:
  const SpokenValue& m_value;  // the same object as the widget
};

QAccessibleInterface* interfaceOf(const QString&, QObject* object) {
  auto* widget = qobject_cast<QWidget*>(object);
  const auto* value = dynamic_cast<const SpokenValue*>(object);
  return widget != nullptr && value != nullptr ? new Interface(*widget, *value) : nullptr;
}

}  // namespace

SpokenValue::SpokenValue() {
  QAccessible::installFactory(interfaceOf);  // the first time
}

void SpokenValue::tellChange(QWidget& widget) {
  QAccessibleEvent changed(&widget, QAccessible::NameChanged);
  QAccessible::updateAccessibility(&changed);
}

QString spokenCell(const QString& shown) {
  if (shown == QStringLiteral("·")) return QStringLiteral("0");
  return shown == QStringLiteral("–") ? QCoreApplication::translate("SpokenValue", "not available") : shown;
}

}  // namespace faultline
