#include "app/tray/lab/saved_reports.h"

#include <QFile>
#include <algorithm>

#include "core/lab/view/text.h"

namespace faultline {
namespace {

constexpr qint64 kMostBytes = qint64{64} << 20U;  // a result of all experiments, long form, takes less than 1 MB

struct SavedFormat {
  const char* name;
  const char* ending;
};
constexpr SavedFormat kSaved[]{{"json", ".json"}, {"csv", ".csv"}, {"markdown", ".md"}};

}  // namespace

Result<std::vector<LabReport>> readReports(const QString& name) {
  QFile file(name);
  if (!file.open(QIODevice::ReadOnly))
    return fail("Cannot read " + name.toStdString() + ": " + file.errorString().toStdString() + ".");
  if (file.size() > kMostBytes) return fail(name.toStdString() + " is too large for a result of the lab.");
  const QByteArray bytes = file.readAll();
  auto reports = parseLabJson({bytes.constData(), static_cast<std::size_t>(bytes.size())});
  if (!reports) return fail("Cannot read " + name.toStdString() + ". " + reports.error().message);
  if (reports->empty()) return fail(name.toStdString() + " holds no results.");
  return reports;
}

std::string writtenAs(const QString& file, const LabReport& report) {
  const auto saved = std::ranges::find_if(
      kSaved, [&](const SavedFormat& each) { return file.endsWith(QLatin1StringView(each.ending)); });
  const std::string_view name = saved == std::end(kSaved) ? kSaved[0].name : saved->name;
  return std::ranges::find(kLabFormats, name, &LabFormat::name)->write({&report, 1});
}

}  // namespace faultline
