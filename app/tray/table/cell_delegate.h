// CellDelegate: paints a cell of text, which the style's delegate would measure and shape at each repaint: too slow for
// a table that changes twice per second.
#pragma once

#include <QStyledItemDelegate>
#include <optional>

#include "app/tray/widgets/shaped_texts.h"
#include "app/tray/widgets/theme.h"

namespace faultline {

class CellDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void setTheme(const Theme& theme) { m_theme = theme; }
  void setFont(const QFont& font) { m_texts.setFont(font); }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 protected:
  [[nodiscard]] const Theme& theme() const { return m_theme; }
  [[nodiscard]] std::optional<QColor> pinColour(const QModelIndex& index) const;

 private:
  [[nodiscard]] QColor ink(const QModelIndex& index) const;

  Theme m_theme;
  mutable ShapedTexts m_texts;
};

}  // namespace faultline
