// Beside: a second recording beside the one on show. Aligns both on the time axis of the first, gives the plots the
// second one's lines, and has the actions and the bar for it. Ends when the first recording is left.
#pragma once

#include <QAction>
#include <QMenu>
#include <QPointer>
#include <QTimer>
#include <memory>
#include <optional>
#include <string>

#include "app/tray/beside/bar.h"
#include "app/tray/beside/differences.h"
#include "app/tray/beside/second.h"
#include "app/tray/plots/stack.h"
#include "app/tray/session/close_up.h"
#include "app/tray/session/session.h"
#include "app/tray/time/view.h"

namespace faultline {

class Beside : public QObject {
  Q_OBJECT
 public:
  Beside(const Session& session, PlotStack& plots, TimeView& view, QWidget& window);

  void addFileActions(QMenu& menu);
  void addViewActions(QMenu& menu);
  [[nodiscard]] BesideBar* bar() { return m_bar; }

  void open(const QString& file) { open(file, m_session.viewedPath()); }
  void open(const QString& file, const QString& first);  // as soon as that file is on show
  void leave();
  void setSubject(std::optional<ProcessKey> key);  // whose program the sums and an alignment are of
  void align(Alignment by);                        // and undoes all moves
  void move(int steps);                            // of a hundredth of the visible range; positive: to the right
  // Gives the view the time of both recordings, or of what is shown alone.
  void setData();
  [[nodiscard]] bool shown() const { return m_second && m_second->monitor().snapshots() > 0; }
  [[nodiscard]] bool read() const { return shown() && m_second->read(); }
  [[nodiscard]] Nanoseconds shift() const { return m_base + m_moved; }

 Q_SIGNALS:
  void changed();  // while the second recording is read
  void failed(const QString& sentence);

 private:
  void sessionChanged();
  void ask();
  void secondChanged();
  void secondFailed(const QString& why);
  [[nodiscard]] std::optional<Nanoseconds> shiftBy(Alignment by) const;
  void show();
  [[nodiscard]] QString words() const;
  [[nodiscard]] BothRuns inView() const;
  void tellSums();
  void tellDifferences();
  void showDifferences();

  const Session& m_session;
  PlotStack& m_plots;
  TimeView& m_view;
  QWidget& m_window;
  BesideBar* m_bar;
  QAction m_open;
  QMenu* m_menu;
  QString m_waiting;   // the file of which open() was asked
  QString m_waitsFor;  // the file that must be on show first
  QString m_first;     // the file on show
  std::unique_ptr<SecondRecording> m_second;
  CloseUp m_closeUp;  // of the second
  TwoNames m_names;
  Alignment m_alignment = Alignment::Start;
  bool m_chosen = false;  // by the user, the alignment
  bool m_placed = false;  // the view, where the first ends
  std::string m_program;  // of the alignment
  Nanoseconds m_base{0};
  Nanoseconds m_moved{0};
  std::optional<ProcessKey> m_subject;
  QTimer m_sumsSoon;
  QTimer m_differencesSoon;
  QPointer<DifferencesDialog> m_differences;
};

}  // namespace faultline
