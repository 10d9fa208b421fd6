// CellDelegate: paints a cell of text, and caches the shapes of texts: the style's delegate measures and shapes every
// text at each repaint, which is too slow for a table that changes twice per second.
#pragma once

#include <QHash>
#include <QStaticText>
#include <QStyledItemDelegate>
#include <optional>

#include "app/tray/widgets/theme.h"

namespace faultline {

class CellDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void setTheme(const Theme& theme) { m_theme = theme; }
  void setFont(const QFont& font);
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 protected:
  [[nodiscard]] const Theme& theme() const { return m_theme; }
  [[nodiscard]] std::optional<QColor> pinColour(const QModelIndex& index) const;

 private:
  [[nodiscard]] const QStaticText& shaped(const QString& text) const;
  [[nodiscard]] QColor ink(const QModelIndex& index) const;

  Theme m_theme;
  QFont m_font;
  mutable QHash<QString, QStaticText> m_texts;  // shaped texts
};

}  // namespace faultline
