// SpikeDelegate: paints a spike as three short lines, with a diamond that is filled while the spike continues.
#pragma once

#include <QStyledItemDelegate>

#include "app/tray/widgets/theme.h"

namespace faultline {

class SpikeDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void setPalette(const QPalette& palette);
  void setReplay(bool replay) { m_replay = replay; }  // an open spike at the end of a recording is not live
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  Theme m_theme;
  bool m_replay = false;
};

}  // namespace faultline
