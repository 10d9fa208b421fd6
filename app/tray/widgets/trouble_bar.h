// TroubleBar: shows errors at the top of the window until the user closes it.
#pragma once

#include <QLabel>
#include <QWidget>

namespace faultline {

class TroubleBar : public QWidget {
  Q_OBJECT
 public:
  explicit TroubleBar(QWidget* parent = nullptr);

  void tell(const QString& sentence);  // appended to sentences still shown
  [[nodiscard]] QString text() const { return m_text->text(); }
  void dismiss();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void applyTheme();

  QLabel* m_text;
};

}  // namespace faultline
