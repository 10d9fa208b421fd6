// TableHeader: titles over columns, without boxes: dim, but the sorted column in full ink with an arrow. Its menu shows
// and hides columns that have a title.
#pragma once

#include <QHeaderView>

#include "app/tray/widgets/theme.h"

class QMenu;

namespace faultline {

class TableHeader : public QHeaderView {
  Q_OBJECT
 public:
  enum Role { GroupRole = Qt::UserRole + 200 };  // of the model's headers: title of a submenu for the column

  explicit TableHeader(QWidget* parent = nullptr);

  void setTheme(const Theme& theme);
  void fillMenu(QMenu& menu);  // anew: an entry per column, checked if shown; submenus come last

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void paintSection(QPainter* painter, const QRect& rect, int section) const override;

 private:
  void paintArrow(QPainter* painter, const QPointF& centre) const;

  Theme m_theme;
};

}  // namespace faultline
