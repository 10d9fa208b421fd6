// LowerPane: the table of processes below the plots, or the lab in place of both.
#pragma once

#include <QAction>
#include <QStackedWidget>

#include "app/tray/lab/page.h"
#include "app/tray/session/session.h"
#include "app/tray/table/table.h"

namespace faultline {

class LowerPane : public QStackedWidget {
  Q_OBJECT
 public:
  LowerPane(Session& session, ProcessTable& table, QWidget* parent = nullptr);

  LabPage& showLab(const QString& savedResult = {});  // with that result, where there is one
  void focusFilter();                                 // of the processes
  [[nodiscard]] QAction* labAction() { return &m_labShown; }

 Q_SIGNALS:
  void labShown(bool shown);
  void told(const faultline::Result<QString>& sentence);
  // The process of an experiment that has begun; none when the run has ended.
  void followRequested(std::optional<faultline::ProcessKey> key);

 private:
  LabPage& lab();  // made when it is first shown
  void choose(bool labShown);
  void observe();

  Session& m_session;
  ProcessTable& m_table;
  LabPage* m_lab = nullptr;
  QAction m_labShown;
};

}  // namespace faultline
