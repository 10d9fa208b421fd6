#include "app/tray/shell/help_pages.h"

#include <QAction>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QMenu>
#include <QMessageBox>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <array>

#include "app/tray/plots/stack.h"
#include "app/tray/widgets/screen_fit.h"
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

struct Line {
  const char* first;
  const char* second;
};
// Keys that are no entry of a menu.
constexpr std::array kKeys{Line{"1 2 3 4 5", "10 s, 1 min, 10 min, 1 h, all"},
                           Line{"← →, Page Up, Page Down", "Pan the plots, a little and by a screen"},
                           Line{"Click on the plots", "Stop at that instant"},
                           Line{"Home", "The oldest sample"},
                           Line{"End, Esc", "Back to live"},
                           Line{"Enter", "Pin a process of the table; show a spike of the list in the plots"}};
constexpr std::array kWords{
    Line{"exact", "The count of the kernel."},
    Line{"≈ estimated", "Derived; the tooltip says how."},
    Line{"– unavailable", "Not measured; the tooltip says why, and what enables it. Never zero."},
    Line{"minor fault", "A page in memory that was not mapped yet."},
    Line{"major fault", "A page read from the disk."},
    Line{"commit", "Memory promised to the process, touched or not."},
    Line{"zeroed", "Memory that the kernel cleared before the process got it."},
    Line{"giving back", "Memory given back to the kernel: unmapped, discarded, left at the end."},
    Line{"fault time", "Time inside page faults: on a processor, waiting for one, or blocked by the disk or a lock."},
    Line{"spike", "A rate that passes the threshold or stands out against the process's recent past."},
    Line{"gap", "Time without a sample: the machine was suspended, or the collector late."}};

QString tableRow(const QString& first, const QString& second) {
  return QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>").arg(first, second);
}

template <std::size_t Count>
QString tableRows(const std::array<Line, Count>& lines) {
  QString out;
  for (const Line& line : lines) out += tableRow(html(line.first), html(line.second));
  return out;
}

QString keys(const QWidget& window) {
  QString out;
  QList<QAction*> entries;
  for (const QMenu* menu : window.findChildren<QMenu*>()) entries += menu->actions();
  for (const QAction* action : entries) {
    if (action->shortcut().isEmpty()) continue;
    QString words = action->text().section(QLatin1Char('\t'), 0, 0).remove(QLatin1Char('&'));
    while (words.endsWith(QStringLiteral("…"))) words.chop(1);
    out += tableRow(action->shortcut().toString(QKeySequence::NativeText).toHtmlEscaped(), words.toHtmlEscaped());
  }
  return out + tableRows(kKeys);
}

template <class Metric, std::size_t Count>
QString rows(const Hello& hello) {
  QString out;
  for (std::size_t i = 0; i < Count; ++i) {
    const auto metric = static_cast<Metric>(i);
    const Quality& quality = hello.quality(metric);
    if (ofNoConcern(quality)) continue;
    out += QStringLiteral("<p><a name=\"%1\"></a><b>%2</b> · %3<br>%4<br><i>%5</i></p>")
               .arg(html(field(metric).name), html(field(metric).title), gradeText(quality.grade),
                    html(field(metric).meaning),
                    html(quality.how) + (quality.enable.empty() ? QString() : toEnable(quality)));
  }
  return out;
}

void openPage(QWidget* window, const Hello& hello, const QString& anchor) {
  auto* dialog = new QDialog(window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(translated("Help"));
  auto* text = new QTextBrowser;
  text->setHtml(helpPage(*window, hello));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
  auto* column = new QVBoxLayout(dialog);
  column->addWidget(text);
  column->addWidget(buttons);
  dialog->resize(sizeOnScreen(*dialog, {640, 640}));
  dialog->show();
  if (!anchor.isEmpty()) text->scrollToAnchor(anchor);
}

}  // namespace

QString helpPage(const QWidget& window, const Hello& hello) {
  return QStringLiteral("<h3>Keys</h3><table>") + keys(window) + QStringLiteral("</table><h3>Words</h3><table>") +
         tableRows(kWords) + QStringLiteral("</table><h3>How the numbers of each process are measured</h3>") +
         rows<ProcessMetric, kProcessMetricCount>(hello) +
         QStringLiteral("<h3>How the numbers of the whole machine are measured</h3>") +
         rows<SystemMetric, kSystemMetricCount>(hello);
}

void openHelp(QWidget* window, const Hello& hello) {
  openPage(window, hello, {});
}

void openHelp(QWidget* window, const Hello& hello, ProcessMetric metric) {
  openPage(window, hello, html(field(metric).name));
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
