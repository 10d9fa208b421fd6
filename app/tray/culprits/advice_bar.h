// AdviceBar: the advice on the worst frames in a sentence, and a button that tries it. Hidden without advice.
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QWidget>
#include <optional>

#include "core/advice/advice.h"

namespace faultline {

class AdviceBar : public QWidget {
  Q_OBJECT
 public:
  explicit AdviceBar(QWidget* parent = nullptr);

  void show(const std::optional<Advice>& advice);
  [[nodiscard]] const std::optional<Advice>& advice() const { return m_advice; }
  [[nodiscard]] QString text() const { return m_text->text(); }

 Q_SIGNALS:
  void tryRequested();

 private:
  std::optional<Advice> m_advice;
  QLabel* m_text;
  QPushButton* m_try;
};

}  // namespace faultline
