// BesideBar: names two recordings that are shown beside each other, tells how they are aligned and what the visible
// range cost in each, and has what changes that.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QWidget>

#include "app/tray/beside/words.h"
#include "app/tray/widgets/line_label.h"
#include "app/tray/widgets/plain_text.h"

namespace faultline {

class BesideBar : public QWidget {
  Q_OBJECT
 public:
  explicit BesideBar(QWidget* parent = nullptr);

  void tell(const QString& sentence) { m_words->setLine(sentence); }
  void tellSums(const QString& sums) { m_sums->setText(wholeNumbers(sums)); }
  [[nodiscard]] QString words() const { return m_words->line(); }
  [[nodiscard]] QString sums() const { return m_sums->text(); }
  void showAlignment(Alignment alignment, const QString& program);

 Q_SIGNALS:
  void aligned(faultline::Alignment by);  // by the user's hand
  void moved(int steps);                  // of the second recording: to the right
  void differencesRequested();
  void leaveRequested();

 private:
  LineLabel* m_words;
  QComboBox* m_align;
  QLabel* m_sums;
};

}  // namespace faultline
