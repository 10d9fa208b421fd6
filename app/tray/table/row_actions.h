// RowActions: the actions for the selected rows of the table, for menus and keys.
#pragma once

#include <QObject>
#include <QString>
#include <vector>

#include "core/model/snapshot.h"

class QMenu;
class QTableView;

namespace faultline {

class Monitor;
class Pins;
class ProcessFilter;
class ProcessModel;
struct ProcessEntry;

class RowActions : public QObject {
  Q_OBJECT
 public:
  RowActions(const Monitor& monitor, Pins& pins, const ProcessModel& model, const ProcessFilter& rows,
             const QTableView& view, QObject* parent);

  // `whyNoFrames`: why none of the processes shown can be watched, as a sentence; else empty. Synthetic processes
  // belong to no user.
  void setSource(const QString& whyNoFrames, bool synthetic);
  void fillMenu(QMenu& menu);  // greyed while nothing is selected
  void pin();                  // unpins if all are pinned
  void copyCsv() const;

  [[nodiscard]] std::vector<ProcessKey> selected() const;
  [[nodiscard]] QString whyNoFrames(const ProcessEntry& entry) const;  // a sentence; empty: it can be watched
  [[nodiscard]] bool mayTry(const ProcessKey& key) const;              // it lives here, and its command line is known
  void tryRemedies(const ProcessKey& key) const;                       // shows the command line that does

 Q_SIGNALS:
  void followRequested(const faultline::ProcessKey& key);
  void framesRequested(const faultline::ProcessKey& key, const QString& name);

 private:
  [[nodiscard]] bool allPinned(const std::vector<ProcessKey>& keys) const;
  void addFramesAction(QMenu& menu, const ProcessEntry& entry);
  void copyNames() const;

  const Monitor& m_monitor;
  Pins& m_pins;
  const ProcessModel& m_model;
  const ProcessFilter& m_rows;
  const QTableView& m_view;
  QString m_whyNoFrames;  // empty also for synthetic processes
  bool m_synthetic = false;
};

}  // namespace faultline
