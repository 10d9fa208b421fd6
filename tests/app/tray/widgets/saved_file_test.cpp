#include "app/tray/widgets/saved_file.h"

#include <QAbstractButton>
#include <QApplication>
#include <QFile>
#include <QMessageBox>
#include <QTemporaryDir>
#include <QTimer>
#include <QWidget>
#include <catch2/catch_test_macros.hpp>
#include <memory>

#include "tests/app/tray/file_answer.h"
#include "tests/app/tray/wait_until.h"

using namespace faultline;

namespace {

struct Asking {
  Asking() {
    window->show();
    REQUIRE(saveBytes(file, "before"));
  }

  void ask() {
    saveAs(
        window.get(),
        {QStringLiteral("Save"), QStringLiteral("name"), QStringLiteral(".txt"), QStringLiteral("Text (*.txt)")},
        [](const QString& to) { return saveBytes(to, "after"); }, [this](const Result<QString>&) { ++told; });
    answerFile(file);
  }
  [[nodiscard]] QMessageBox* question() const { return window->findChild<QMessageBox*>(); }
  [[nodiscard]] QByteArray text() const {
    QFile saved(file);
    REQUIRE(saved.open(QIODevice::ReadOnly));
    return saved.readAll();
  }

  QTemporaryDir folder;
  QString file = folder.filePath(QStringLiteral("saved.txt"));
  std::unique_ptr<QWidget> window = std::make_unique<QWidget>();
  int told = 0;
};

}  // namespace

TEST_CASE("A file that exists is replaced once the user agrees") {
  Asking asking;
  asking.ask();
  REQUIRE(asking.question() != nullptr);
  CHECK(asking.question()->text().contains(asking.file));
  asking.question()->button(QMessageBox::No)->click();
  CHECK(asking.text() == "before");
  CHECK(asking.told == 0);
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  asking.ask();
  asking.question()->button(QMessageBox::Yes)->click();
  CHECK(asking.text() == "after");
  CHECK(asking.told == 1);
}

TEST_CASE("A file that is saved in turns may be for its owner alone, and is whole") {
  Asking asking;
  REQUIRE(QFile::remove(asking.file));
  int left = 1000;
  saveInTurnsAs(
      asking.window.get(),
      {QStringLiteral("Save"), QStringLiteral("name"), QStringLiteral(".txt"), QStringLiteral("Text (*.txt)"), true},
      [&left](std::string& out) {
        out += "piece ";
        return --left > 0 ? Piece::More : Piece::Last;
      },
      [&asking](const Result<QString>&) { ++asking.told; });
  answerFile(asking.file);
  REQUIRE(waitUntil([&] { return asking.told == 1; }));
  CHECK(asking.text().size() == 6000);
#ifndef Q_OS_WIN  // whose files have lists of rights
  CHECK(QFile::permissions(asking.file) == (QFile::ReadOwner | QFile::WriteOwner | QFile::ReadUser | QFile::WriteUser));
#endif
}

TEST_CASE("A window may go while it asks whether to replace a file") {
  Asking asking;
  asking.ask();
  REQUIRE(asking.question() != nullptr);
  asking.window.reset();
  CHECK(asking.text() == "before");
  CHECK(asking.told == 0);
}

// A message of the file dialog would have an event loop of its own, in which the app may end.
TEST_CASE("A name of no file is taken without a message, for whoever opens it to refuse") {
  QWidget window;
  window.show();
  int messages = 0;
  QTimer look;
  look.callOnTimeout([&] {
    for (QWidget* const shown : QApplication::topLevelWidgets())
      if (auto* const message = qobject_cast<QMessageBox*>(shown)) {
        ++messages;
        message->close();
      }
  });
  look.start(20);
  QString taken;
  askForSavedFile(&window, QStringLiteral("Open"), QStringLiteral("All files (*)"),
                  [&](const QString& file) { taken = file; });
  const QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("none.faultline"));
  answerFile(file);
  CHECK(messages == 0);
  CHECK(taken == file);
}
