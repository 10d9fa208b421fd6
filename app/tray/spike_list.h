// SpikeList: the spikes so far, newest first; says what a spike is while there is none. It can be cleared, and for some
// seconds that can be undone; nothing else forgets a spike.
#pragma once

#include <QTimer>
#include <QWidget>

#include "core/monitor/monitor.h"

class QLabel;
class QListView;
class QToolButton;

namespace faultline {

class SpikeDelegate;
class SpikeModel;

class SpikeList : public QWidget {
  Q_OBJECT
 public:
  explicit SpikeList(const Monitor& monitor, QWidget* parent = nullptr);

  void setReplay(bool replay);
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
  void clear();
  void undoClear();
  void showWhatThereIs();
  void applyTheme();

  SpikeModel* m_model;
  SpikeDelegate* m_delegate;
  QListView* m_view;
  QLabel* m_empty;
  QToolButton* m_clear;
  QToolButton* m_undo;
  QTimer m_undoTimer;
};

inline constexpr int kUndoShowsMs = 15'000;

}  // namespace faultline
