// SpikeList: the spikes so far, newest first, repeated ones together; says what a spike is while there is none. It can
// be filtered and cleared, and for some seconds that can be undone; nothing else forgets a spike.
#pragma once

#include <QTimer>
#include <QWidget>

#include "core/monitor/monitor.h"

class QLabel;
class QLineEdit;
class QListView;
class QMenu;
class QToolButton;

namespace faultline {

class Pins;
class SpikeDelegate;
class SpikeModel;
class SpikeMutes;

class SpikeList : public QWidget {
  Q_OBJECT
 public:
  SpikeList(const Monitor& monitor, Pins& pins, SpikeMutes& mutes, QWidget* parent = nullptr);

  void setReplay(bool replay);
  void refresh();              // after each ingest, and when shown again; does nothing while hidden
  void fillMenu(QMenu& menu);  // what can be done with the current spike, and with all

 Q_SIGNALS:
  void activated(const faultline::Spike& spike);
  void processRequested(const faultline::ProcessKey& key);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void activate(const QModelIndex& index);
  void copySelection();
  void unmute();
  void clear();
  void undoClear();
  void showWhatThereIs();
  void applyTheme();

  Pins& m_pins;
  SpikeMutes& m_mutes;
  SpikeModel* m_model;
  SpikeDelegate* m_delegate;
  QLineEdit* m_filter;
  QListView* m_view;
  QLabel* m_empty;
  QLabel* m_dropped;  // how many spikes the list no longer has
  QToolButton* m_clear;
  QToolButton* m_undo;
  QToolButton* m_muted;  // how many programs are, and the way back
  QTimer m_undoTimer;
};

inline constexpr int kUndoShowsMs = 15'000;

}  // namespace faultline
