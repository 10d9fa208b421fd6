// LineLabel: one line, shortened if room is scarce; its tooltip and screen readers then have the whole line.
#pragma once

#include <QLabel>

namespace faultline {

class LineLabel : public QLabel {
  Q_OBJECT

 public:
  explicit LineLabel(QWidget* parent = nullptr);

  void setLine(const QString& line);
  [[nodiscard]] const QString& line() const { return m_line; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit();

  QString m_line;
};

}  // namespace faultline
