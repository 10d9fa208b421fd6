// The pages of the Help menu: how each number is measured, and the version of the program.
#pragma once

#include <QString>

#include "core/model/hello.h"

class QWidget;

namespace faultline {

[[nodiscard]] QString qualityPage(const Hello& hello);  // HTML
void openQualityPage(QWidget* parent, const Hello& hello);
void openAbout(QWidget* parent);

}  // namespace faultline
