#include "app/tray/beside/differences.h"

#include <QDialogButtonBox>
#include <QVBoxLayout>

#include "app/tray/widgets/screen_fit.h"

namespace faultline {

DifferencesDialog::DifferencesDialog(QWidget* parent) : QDialog(parent), m_words(new QPlainTextEdit) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Where two recordings differ"));
  m_words->setReadOnly(true);
  m_words->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  auto* column = new QVBoxLayout(this);
  column->addWidget(m_words);
  column->addWidget(buttons);
  resize(sizeOnScreen(*this, {620, 420}));
}

// Keeps the user's place and selection while nothing changes.
void DifferencesDialog::tell(const QString& words) {
  if (words != this->words()) m_words->setPlainText(words);
}

}  // namespace faultline
