#include "app/tray/widgets/plain_text.h"

#include <QTextDocument>
#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace faultline;

TEST_CASE("A name that looks like a tag is shown unchanged") {
  const QString ordinary = QStringLiteral("std::less<int> & more\nsecond line");
  CHECK(plainToolTip(ordinary) == ordinary);
  for (const char* name : {"<b>game</b> (pid 7)\n8 faults", "std::map<a>::find", "&lt;b"}) {
    const QString shown = plainToolTip(QString::fromUtf8(name));
    QTextDocument document;
    document.setHtml(shown);
    CHECK(document.toPlainText().toStdString() == name);
  }
}

TEST_CASE("A tooltip is no wider than a screen") {
  const QString told = plainToolTip(QString(200, u'W') + QStringLiteral(" (pid 7)"));
  for (const QString& line : told.split(u'\n')) CHECK(line.size() <= 80);
  CHECK(QString(told).remove(u'\n') == QString(200, u'W') + QStringLiteral(" (pid 7)"));
}

TEST_CASE("No line breaks between a number and its unit, or after its sign") {
  CHECK(wholeNumbers(QStringLiteral("≈ 24.2 MiB given back (≈ 19.7 ms, 3 h 12 min), 2 µs, 5 %, 8 B")) ==
        QStringLiteral("≈_24.2_MiB given back (≈_19.7_ms, 3_h 12_min), 2_µs, 5_%, 8_B").replace(u'_', u'\u00a0'));
  const QString words = QStringLiteral("2 times, 8 minor faults ≈ usual, pid 7 sh");
  CHECK(wholeNumbers(words) == words);
}

TEST_CASE("A long name is shortened for one line, but not within a character") {
  CHECK(shortName("game\n") == QStringLiteral("game\\n"));
  CHECK(shortName(std::string(40, 'a')) == QString(40, u'a'));
  CHECK(shortName(std::string(200, 'a')) == QString(39, u'a') + u'…');
  const QString cut = shortName(std::string(38, 'a').append("\U0001F600\U0001F600"));
  CHECK(cut == QString(38, u'a') + u'…');
}
