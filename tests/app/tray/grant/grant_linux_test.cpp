#include <QLabel>
#include <QPushButton>
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "app/tray/grant/dialog.h"
#include "app/tray/shell/settings_dialog.h"
#include "core/model/cost_words.h"
#include "tests/app/tray/fake_collector.h"
#include "tests/app/tray/wait_until.h"

using namespace faultline;

namespace {

// A dialog on a fake pkexec.
struct Asked {
  explicit Asked(const QByteArray& commands, bool grantedIsThere = false) {
    script("pkexec", commands);
    script("faultline-grant", "exit 0");
    if (grantedIsThere) script("granted", "exit 0");
  }
  void script(const QByteArray& name, const QByteArray& commands) const {
    const QString file = folder.write(name, "#!/bin/sh\n" + commands);
    QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  }
  [[nodiscard]] GrantPlaces places() const {
    return {.pkexec = folder.path("pkexec"),
            .grant = folder.path("faultline-grant"),
            .collector = QStringLiteral("/opt/the collector"),
            .granted = folder.path("granted")};
  }
  // The dialog's final text.
  QString result() {
    GrantDialog dialog(places());
    QObject::connect(&dialog, &GrantDialog::granted, [this] { granted = true; });
    auto* go = dialog.findChild<QPushButton*>(QStringLiteral("go"));
    const auto* said = dialog.findChild<QLabel*>(QStringLiteral("result"));
    go->click();
    const QString waiting = said->text();
    REQUIRE(waitUntil([&] { return said->text() != waiting || waiting.startsWith(QStringLiteral("Nothing")); }));
    CHECK(go->isEnabled() != granted);
    return said->text();
  }

  TestFolder folder;
  bool granted = false;
};

}  // namespace

TEST_CASE("The cost of measuring is the same in all texts") {
  const auto read = [](const char* file) {
    QFile text(QStringLiteral(FAULTLINE_FIXTURES "/../../") + QString::fromUtf8(file));
    REQUIRE(text.open(QIODevice::ReadOnly));
    return QString::fromUtf8(text.readAll()).simplified();
  };
  const QString timing = QString::fromUtf8(kTimingCost.data(), kTimingCost.size());
  const QString counting = QString::fromUtf8(kCountingCost.data(), kCountingCost.size());
  for (const char* file : {"README.md", "resources/man/faultline-cli.1", "resources/man/faultline-collector.1"}) {
    INFO(file);
    CHECK(read(file).contains(timing));
  }
  CHECK(read("README.md").contains(counting));
  const Asked asked("exit 0");
  const GrantDialog grant(asked.places());
  SettingsStore store(asked.folder.path("settings.conf"));
  const SettingsDialog settings(store, true);
  const auto tells = [](const QDialog& dialog, const QString& cost) {
    const auto labels = dialog.findChildren<QLabel*>();
    return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text().simplified().contains(cost); });
  };
  CHECK(tells(grant, timing));
  CHECK(tells(grant, counting));
  CHECK(tells(settings, timing));
}

TEST_CASE("A grant with effect at once says so, and the collector may restart") {
  Asked asked("echo \"$@\" > \"$(dirname \"$0\")/arguments\"", true);
  CHECK(asked.result().startsWith(QStringLiteral("Done. The collector restarts")));
  CHECK(asked.granted);
  QFile arguments(asked.folder.path("arguments"));
  REQUIRE(arguments.open(QIODevice::ReadOnly));
  const QString expected =
      QStringLiteral("--disable-internal-agent %1 /opt/the collector\n").arg(asked.folder.path("faultline-grant"));
  CHECK(QString::fromUtf8(arguments.readAll()) == expected);
}

TEST_CASE("A grant with effect from the next login on says so") {
  for (const char* commands : {"exit 3", "exit 0"}) {
    Asked asked(commands);
    CHECK(asked.result().contains(QStringLiteral("Log out and in again")));
    CHECK_FALSE(asked.granted);
  }
}

TEST_CASE("No password is asked for if the script would refuse the collector") {
  Asked asked("touch \"$(dirname \"$0\")/asked\"");
  asked.script("faultline-grant",
               "[ \"$1 $2\" = '--check /opt/the collector' ] && echo 'only an installed one.' >&2; exit 1");
  CHECK(asked.result() == QStringLiteral("Nothing was changed. only an installed one."));
  CHECK_FALSE(QFile::exists(asked.folder.path("asked")));
}

TEST_CASE("Every failure gives a sentence, and can be tried again") {
  CHECK(Asked("exit 126").result().contains(QStringLiteral("no password was given")));
  CHECK(Asked("echo 'No agent found' >&2; exit 127").result().contains(QStringLiteral("No agent found")));
  CHECK(Asked("echo 'setcap is missing.' >&2; exit 1").result() ==
        QStringLiteral("Nothing was changed. setcap is missing."));
  CHECK(Asked("kill -9 $$").result().contains(QStringLiteral("ended before it was finished")));
  Asked without("");
  QFile::remove(without.folder.path("pkexec"));
  CHECK(without.result().contains(QStringLiteral("is not installed")));
}

TEST_CASE("The dialog names the permission, its command, and the command that revokes it") {
  const Asked asked("");
  GrantPlaces places = asked.places();
  places.grant = QStringLiteral("/opt/faultline-grant");
  const GrantDialog dialog(places);
  QString all;
  for (const auto* label : dialog.findChildren<QLabel*>()) all += label->text();
  for (const char* word : {"cap_bpf", "cap_perfmon", "cap_syslog", "group faultline", "other people's",
                           "sudo /opt/faultline-grant '/opt/the collector'", "sudo /opt/faultline-grant --revoke"}) {
    INFO(word);
    CHECK((all.contains(QLatin1StringView(word)) || all.contains(QString::fromLatin1(word).toHtmlEscaped())));
  }
}
