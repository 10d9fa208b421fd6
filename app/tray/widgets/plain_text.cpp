#include "app/tray/widgets/plain_text.h"

#include <QRegularExpression>
#include <QTextDocument>

#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr qsizetype kMostShown = 40;

}  // namespace

QString plainToolTip(QString text) {
  static const QRegularExpression kLongWord(QStringLiteral("(\\S{80})(?=\\S)"));
  text.replace(kLongWord, QStringLiteral("\\1\n"));  // tooltips break lines only at blanks
  if (!Qt::mightBeRichText(text)) return text;
  return QStringLiteral("<div style='white-space: pre-wrap'>") + text.toHtmlEscaped() + QStringLiteral("</div>");
}

QString wholeNumbers(QString text) {
  static const QRegularExpression kBlank(
      QStringLiteral("(?<=\\d) (?=(?:[KMGT]i)?B\\b|[nµm]?s\\b|(?:min|h|k|M)\\b|%)|(?<=≈) (?=\\d)"));
  return text.replace(kBlank, QStringLiteral("\u00a0"));
}

QString shortName(std::string_view rawName) {
  QString name = QString::fromStdString(printableName(rawName));
  if (name.size() <= kMostShown) return name;
  const bool halved = name[kMostShown - 2].isHighSurrogate();
  return name.left(kMostShown - (halved ? 2 : 1)) + QStringLiteral("…");
}

}  // namespace faultline
