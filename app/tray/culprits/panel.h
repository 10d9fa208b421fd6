// CulpritPanel: the culprits of a frame's faults: lists of shares beside a flame graph; or why they are not known.
// Below them the advice on the worst frames.
#pragma once

#include <QLabel>
#include <QSplitter>
#include <memory>

#include "app/tray/culprits/advice_bar.h"
#include "app/tray/culprits/flame_graph.h"
#include "app/tray/culprits/share_list.h"
#include "app/tray/ledger/parts_bar.h"

namespace faultline {

class CulpritPanel : public QWidget {
  Q_OBJECT
 public:
  explicit CulpritPanel(QWidget* parent = nullptr);

  // Of the frame that is shown; without parts none.
  void setParts(std::vector<Part> parts) { m_parts->setParts(std::move(parts)); }
  // `whyNoStacks`: shown if there are no call stacks.
  void show(const QString& frame, std::shared_ptr<const Culprits> culprits, const QString& whyNoStacks = {});
  void showWhyNot(const QString& frame, const QString& why);
  void advise(const std::optional<Advice>& advice) { m_advice->show(advice); }

  [[nodiscard]] QString title() const { return m_title->text(); }
  [[nodiscard]] QString whyNot() const { return m_whyNot->isHidden() ? QString() : m_whyNot->text(); }
  [[nodiscard]] const std::shared_ptr<const Culprits>& culprits() const { return m_culprits; }
  [[nodiscard]] const std::optional<Advice>& advice() const { return m_advice->advice(); }

 Q_SIGNALS:
  void tryRequested();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void applyTheme();

  std::shared_ptr<const Culprits> m_culprits;
  QLabel* m_title;
  PartsBar* m_parts;
  QLabel* m_whyNot;
  QSplitter* m_content;
  ShareList* m_shares;
  FlameGraph* m_flames;
  QLabel* m_noStacks;
  AdviceBar* m_advice;
};

}  // namespace faultline
