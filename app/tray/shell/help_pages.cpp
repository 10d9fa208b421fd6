#include "app/tray/shell/help_pages.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QMessageBox>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "app/tray/plots/stack.h"
#include "core/model/names.h"

namespace faultline {
namespace {

QString translated(const char* words) {
  return QCoreApplication::translate("HelpPages", words);
}

QString html(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).toHtmlEscaped();
}

QString gradeText(Grade grade) {
  const QString name = html(gradeName(grade));
  return grade == Grade::Exact ? name : html(gradeMark(grade)) + QLatin1Char(' ') + name;
}

QString toEnable(const Quality& quality) {
  return QStringLiteral("<br>To enable: ") + html(quality.enable);
}

template <class Metric, std::size_t Count>
QString rows(const Hello& hello) {
  QString out;
  for (std::size_t i = 0; i < Count; ++i) {
    const auto metric = static_cast<Metric>(i);
    const Quality& quality = hello.quality(metric);
    if (ofNoConcern(quality)) continue;
    out += QStringLiteral("<p><b>%1</b> · %2<br>%3<br><i>%4</i></p>")
               .arg(html(field(metric).title), gradeText(quality.grade), html(field(metric).meaning),
                    html(quality.how) + (quality.enable.empty() ? QString() : toEnable(quality)));
  }
  return out;
}

}  // namespace

QString qualityPage(const Hello& hello) {
  return QStringLiteral("<h3>Of each process</h3>") + rows<ProcessMetric, kProcessMetricCount>(hello) +
         QStringLiteral("<h3>Of the whole machine</h3>") + rows<SystemMetric, kSystemMetricCount>(hello);
}

void openQualityPage(QWidget* parent, const Hello& hello) {
  auto* dialog = new QDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(translated("How the numbers are measured"));
  auto* text = new QTextBrowser;
  text->setHtml(qualityPage(hello));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
  auto* column = new QVBoxLayout(dialog);
  column->addWidget(text);
  column->addWidget(buttons);
  dialog->resize(640, 560);
  dialog->show();
}

void openAbout(QWidget* parent) {
  auto* box = new QMessageBox(
      QMessageBox::NoIcon, translated("About Faultline"),
      translated("<b>Faultline %1</b><p>A real-time zero-page and page-fault monitor.</p><p>Free software under "
                 "the GNU General Public License, version 3 or later. Uses Qt %2 and QCustomPlot %3.</p>")
          .arg(QStringLiteral(FAULTLINE_VERSION), QString::fromLatin1(qVersion()),
               QStringLiteral(QCUSTOMPLOT_VERSION_STR)),
      QMessageBox::Close, parent);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setModal(false);
  box->show();
}

}  // namespace faultline
