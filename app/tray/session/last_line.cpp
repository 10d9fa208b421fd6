#include "app/tray/session/last_line.h"

#include <string_view>

#include "core/text/quantity.h"

namespace faultline {

QString lastLine(const QByteArray& text) {
  const QByteArray trimmed = text.trimmed();
  const QByteArray line = trimmed.mid(trimmed.lastIndexOf('\n') + 1);
  return QString::fromStdString(
      printableName(std::string_view(line.constData(), static_cast<std::size_t>(line.size()))));
}

}  // namespace faultline
