// SpikeList: the spikes so far, newest first, with repeated spikes in one row; explains spikes while there are none.
// Can be filtered and cleared; clearing can be undone for some seconds.
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
  void refresh();              // after each ingest, and when shown again; no effect while hidden
  void fillMenu(QMenu& menu);  // actions for the current spike, and for all

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
  void fillGroup(QMenu& menu, int row);
  [[nodiscard]] bool hasProcess(const QModelIndex& index) const;
  void applyTheme();

  Pins& m_pins;
  SpikeMutes& m_mutes;
  SpikeModel* m_model;
  SpikeDelegate* m_delegate;
  QLineEdit* m_filter;
  QListView* m_view;
  QLabel* m_empty;
  QLabel* m_dropped;  // number of spikes that are no longer listed
  QToolButton* m_clear;
  QToolButton* m_undo;
  QToolButton* m_muted;  // number of muted programs; a click lists them again
  QTimer m_undoTimer;
};

inline constexpr int kUndoShowsMs = 15'000;

}  // namespace faultline
