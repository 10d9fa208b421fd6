#include "app/tray/processes/entry.h"

#include <QStringList>
#include <algorithm>
#include <cmath>

#include "app/tray/widgets/plain_text.h"
#include "app/tray/widgets/spoken_value.h"
#include "core/text/fault_parts.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

using namespace Qt::StringLiterals;

constexpr qsizetype kIndent = 3;  // blanks per generation
constexpr qsizetype kDeepest = 10;
constexpr qsizetype kMostWords = 600;  // characters of a command line in a tooltip
constexpr QStringView kNoIdentity =
    u"Command line and user are known only while the process runs on this machine. A recording does not contain them.";
constexpr QStringView kUnknownService =
    u"The service is known of processes that a Faultline of this version or newer has measured.";

QString numberText(const ColumnInfo& info, double value) {
  if (field(info.metric).unit == Unit::Duration)
    return std::llround(value) == 0 ? u"0"_s : QString::fromStdString(formatDuration(value));
  if (field(info.metric).unit == Unit::Bytes)
    return QString::fromStdString(formatBytes(static_cast<std::uint64_t>(std::llround(value))));
  if (info.kind == ColumnKind::Value)
    return QString::fromStdString(formatCount(static_cast<std::uint64_t>(std::llround(value))));
  return QString::fromStdString(formatRate(value));
}

// The columns that distinguish processes of the same name.
std::optional<QString> identityText(const ProcessEntry& entry, Column column) {
  if (column == Column::Parent) return entry.parent;
  if (column == Column::User) return entry.user;
  if (column == Column::Service) return entry.service;
  if (column == Column::Command) return entry.command;
  return std::nullopt;
}

QString orDash(const QString& text) {
  return text.isEmpty() ? QString::fromUtf8(kUnavailable.data(), static_cast<qsizetype>(kUnavailable.size())) : text;
}

QString identityWords(const ProcessEntry& entry) {
  QStringList lines{entry.name + u" (pid %1)"_s.arg(entry.key.pid)};
  if (!entry.command.isEmpty()) lines << entry.command.left(kMostWords);
  if (!entry.user.isEmpty()) lines << u"user "_s + entry.user;
  if (!entry.service.isEmpty()) lines << u"in "_s + entry.service;
  if (!entry.parent.isEmpty()) lines << u"started by "_s + entry.parent;
  if (entry.command.isEmpty() && entry.user.isEmpty()) lines << kNoIdentity.toString();
  return lines.join(u'\n');
}

QString sentences(const std::string& first, const std::string& second) {
  return QString::fromStdString(second.empty() ? first : first + "\n" + second);
}

QString absenceText(const ProcessEntry& entry) {
  switch (entry.presence) {
    case Presence::Running:
      break;
    case Presence::Ended:
      return u"The process has ended. These are its last known values."_s;
    case Presence::NotThen:
      return u"The process was not running at this instant."_s;
  }
  return {};
}

QString plainNameText(const ProcessEntry& entry) {
  switch (entry.presence) {
    case Presence::Running:
      break;
    case Presence::Ended:
      return entry.name + u" · ended"_s;
    case Presence::NotThen:
      return entry.name + u" · not running then"_s;
  }
  return entry.name;
}

QString whyAbsent(const ProcessEntry& entry, const ColumnInfo& info, const CellContext& context) {
  const Quality& quality = context.hello.quality(info.metric);
  if (quality.grade == Grade::Unavailable)
    return quality.how.empty() ? u"Not measured."_s : sentences(quality.how, quality.enable);
  if (entry.presence != Presence::Running) return absenceText(entry);
  if (context.standing && !info.kept()) return u"Known for the present only, not for the past."_s;
  if (info.kind == ColumnKind::Value) return u"The system did not report this value."_s;
  return u"Not known: a rate needs two samples without a gap between them."_s;
}

QString exactText(const ProcessEntry& entry, const ColumnInfo& info, double value) {
  const auto& metric = field(info.metric);
  const std::string_view title = metric.title;
  const QString what = QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
  const QString number = QString::fromStdString(formatCount(static_cast<std::uint64_t>(std::llround(value))));
  const QString unit = metric.unit == Unit::Bytes ? u" bytes"_s : metric.unit == Unit::Duration ? u" ns"_s : QString();
  const QString per = info.kind == ColumnKind::Value ? QString() : u" per second"_s;
  const QString when = info.kind == ColumnKind::Peak       ? u", at most"_s
                       : entry.presence == Presence::Ended ? u", at its end"_s
                                                           : QString();
  return u"%1: %2%3%4%5"_s.arg(what, number, unit, per, when);
}

FaultPartTimes partsOfTotal(const ProcessEntry& entry) {
  FaultPartTimes times;
  for (std::size_t part = 0; part < times.size(); ++part) times[part] = entry.values[field(kFaultParts[part]).level.id];
  return times;
}

// Empty unless the parts are measured.
QString partsText(const FaultPartTimes& parts) {
  const std::string text = faultPartsText(parts);
  return text.empty() ? QString() : u": "_s + QString::fromStdString(text);
}

}  // namespace

QString treePrefix(const ProcessEntry& entry) {
  const QString indent(kIndent * std::min<qsizetype>(entry.depth, kDeepest), u' ');
  if (entry.folds) return indent + (entry.folded ? u"▸ "_s : u"▾ "_s);
  if (entry.depth > 0) return indent + u"└ "_s;
  return entry.inTree ? u"\u2003 "_s : QString();  // as wide as a triangle
}

QString cellText(const ProcessEntry& entry, Column column, const CellContext& context) {
  switch (column) {
    case Column::Mark:
      return entry.colour ? u"★"_s : QString();
    case Column::Process:
      return treePrefix(entry) + (entry.leads && !entry.service.isEmpty() ? entry.service + u" · "_s : QString()) +
             plainNameText(entry);
    case Column::Pid:
      return QString::number(entry.key.pid);
    case Column::LastMinute:
      return {};
    default:
      break;
  }
  if (const auto text = identityText(entry, column)) return orDash(*text);
  const std::optional<double>& value = entry.shown(column, context.standing);
  if (!value) return orDash({});
  const ColumnInfo& info = columnInfo(column);
  const bool estimated = context.hello.quality(info.metric).grade == Grade::Estimated;
  return estimated ? u"≈ "_s + numberText(info, *value) : numberText(info, *value);
}

// Describes the sparkline by its peak, and the star by its meaning.
QString cellSpoken(const ProcessEntry& entry, Column column, const CellContext& context) {
  if (column == Column::Mark) return entry.colour ? u"pinned"_s : u"not pinned"_s;
  if (column == Column::LastMinute) return u"peak "_s + cellSpoken(entry, Column::Peak, context) + u" per second"_s;
  return spokenCell(cellText(entry, column, context));
}

QString cellToolTip(const ProcessEntry& entry, Column column, const CellContext& context) {
  const ColumnInfo& info = columnInfo(column);
  if (column == Column::Process || column == Column::Command)
    return plainToolTip(u"%1\n%2"_s.arg(identityWords(entry), absenceText(entry)).trimmed());
  if (column == Column::User && entry.user.isEmpty()) return kNoIdentity.toString();
  if (column == Column::Service && entry.service.isEmpty())
    return entry.rawService.empty() ? kUnknownService.toString() : u"The process is in no service and no container."_s;
  if (column == Column::Parent && entry.parent.isEmpty())
    return u"The process has no parent, or the system does not report it."_s;
  if (info.kind == ColumnKind::Text) return absenceText(entry);
  const std::optional<double>& value = entry.shown(column, context.standing);
  if (!value) return whyAbsent(entry, info, context);
  const Quality& quality = context.hello.quality(info.metric);
  QString exact = exactText(entry, info, *value);
  if (column == Column::FaultTimeTotal) exact += partsText(partsOfTotal(entry));
  if (column == Column::FaultTimeRate) exact += partsText(entry.faultParts);
  return quality.grade == Grade::Estimated ? exact + u"\n≈ "_s + QString::fromStdString(quality.how) : exact;
}

bool cellIsDim(const ProcessEntry& entry, Column column, const CellContext& context) {
  if (column == Column::Mark) return false;
  if (entry.presence != Presence::Running || column == Column::Pid) return true;
  return columnInfo(column).kind != ColumnKind::Text && entry.shown(column, context.standing).value_or(0) == 0;
}

}  // namespace faultline
