#include "app/tray/widgets/word_filter.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;
using namespace Qt::StringLiterals;

TEST_CASE("Each word of a filter occurs in a text, in the service or at the beginning of the pid") {
  const QStringList texts{u"clang"_s, u"make (7)"_s};
  const auto passing = [&](const QString& words) { return passes(filterWords(words), texts, 4711, u"ci.service"_s); };
  CHECK(passing(u"  "_s));
  CHECK(passing(u"CLANG mak 47"_s));
  CHECK_FALSE(passing(u"clang 711"_s));
  CHECK(passing(u"ci.ser clang"_s));
}

TEST_CASE("After unit: a word of a filter occurs in the service") {
  const auto passing = [](const QString& words, const QString& service) {
    return passes(filterWords(words), {u"firefox"_s}, 4711, service);
  };
  CHECK(passing(u"unit:fire"_s, u"app-firefox-9.scope"_s));
  CHECK(passing(u"Unit:FIRE fox"_s, u"app-firefox-9.scope"_s));
  CHECK_FALSE(passing(u"unit:fire"_s, u"ssh.service"_s));
  CHECK_FALSE(passing(u"unit:"_s, {}));
}
