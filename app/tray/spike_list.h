// SpikeList: the spikes so far, newest first; says what a spike is while there is none.
#pragma once

#include <QWidget>

#include "core/monitor/monitor.h"

class QLabel;
class QListView;

namespace faultline {

class SpikeDelegate;
class SpikeModel;

class SpikeList : public QWidget {
  Q_OBJECT
 public:
  explicit SpikeList(const Monitor& monitor, QWidget* parent = nullptr);

  void refresh();  // after each ingest, and when shown again; does nothing while hidden

 Q_SIGNALS:
  void activated(const faultline::Spike& spike);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void activate(const QModelIndex& index);
  void copySelection();
  void applyTheme();

  SpikeModel* m_model;
  SpikeDelegate* m_delegate;
  QListView* m_view;
  QLabel* m_empty;
};

}  // namespace faultline
