// What a child process said last on its standard error, fit to be shown.
#pragma once

#include <QByteArray>
#include <QString>

namespace faultline {

[[nodiscard]] QString lastLine(const QByteArray& text);

}  // namespace faultline
