// Answers the question for a file that is open.
#pragma once

#include <QApplication>
#include <QFileDialog>
#include <catch2/catch_test_macros.hpp>

namespace faultline {

inline void answerFile(const QString& file) {
  auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
  REQUIRE(dialog != nullptr);
  dialog->selectFile(file);
  static_cast<QDialog*>(dialog)->accept();
}

}  // namespace faultline
