// SpikeDelegate: a spike in three short lines, with a diamond that is filled while the spike goes on.
#pragma once

#include <QStyledItemDelegate>

#include "app/tray/theme.h"

namespace faultline {

class SpikeDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void setPalette(const QPalette& palette);
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  Theme m_theme;
};

}  // namespace faultline
