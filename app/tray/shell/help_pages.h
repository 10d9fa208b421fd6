// The pages of the Help menu: keys, words, how each number is measured, and the version of the program.
#pragma once

#include <QString>

#include "core/model/hello.h"

class QWidget;

namespace faultline {

[[nodiscard]] QString helpPage(const QWidget& window,
                               const Hello& hello);  // HTML; the keys are those of the window's menus
void openHelp(QWidget* window, const Hello& hello);
void openHelp(QWidget* window, const Hello& hello, ProcessMetric metric);  // at that number
void openAbout(QWidget* parent);

}  // namespace faultline
