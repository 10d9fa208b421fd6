// ShareList: the culprits of faults as short lists with a bar for each share: lines, threads, memory, kinds.
#pragma once

#include <QTreeWidget>

#include "core/culprits/culprits.h"

namespace faultline {

class ShareList : public QTreeWidget {
  Q_OBJECT
 public:
  explicit ShareList(QWidget* parent = nullptr);

  void setCulprits(const Culprits& culprits);

 protected:
  void drawRow(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void addGroup(const QString& title, const QString& meaning, const std::vector<CulpritShare>& shares,
                const Culprits& culprits);
  void applyTheme();
};

}  // namespace faultline
