#include "app/tray/lab/answer.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <algorithm>
#include <array>
#include <optional>

#include "app/tray/widgets/utf8.h"
#include "core/frames/judge.h"
#include "core/lab/summary.h"
#include "core/lab/view/text.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr double kMiB = 8;  // of the buffer that a frame uses

struct Question {
  std::string_view experiment;
  const char* words;
};
constexpr std::array kQuestions{
    Question{"cost", "What does new memory cost?"},
    Question{"topdown", "Does a new mapping cost more among many?"},
    Question{"pool", "Use blocks again, or take new ones?"},
    Question{"serialise", "Do threads wait for each other's memory?"},
    Question{"nodes", "Allocate nodes one by one, or many at a time?"},
    Question{"eager", "Touch memory early, or when it is needed?"},
};

QString translated(const char* words) {
  return QCoreApplication::translate("LabAnswer", words);
}

QString told(double ns) {
  return text(formatDuration(ns));
}

// ns for all the work of a repetition, or for one piece of it.
std::optional<double> timeOf(const LabReport& report, std::string_view way, std::string_view phase, bool each = false) {
  const LabRow* const row = report.find(way, phase);
  const auto time = row == nullptr ? std::nullopt : labTime(*row);
  if (!time) return std::nullopt;
  return each && row->amount > 0 ? time->median / static_cast<double>(row->amount) : time->median;
}

QString costAnswer(const LabReport& report) {
  const auto touch = timeOf(report, "8 MiB, a byte a page", "touch");
  if (!touch) return {};
  return translated("First touch costs %1 per MiB here: 8 MiB in each frame take %2 of %3.")
      .arg(told(*touch / kMiB), told(*touch), told(inNs(kDefaultBudget)));
}

QString eagerAnswer(const LabReport& report) {
  const auto lazy = timeOf(report, "lazy", "hot");
  const auto early = timeOf(report, "sentinel", "hot");
  const auto before = timeOf(report, "sentinel", "prepare");
  if (!lazy || !early || !before) return {};
  return translated("The first use of 40 MB takes %1; with every page touched before, %2, after %3 of preparation.")
      .arg(told(*lazy), told(*early), told(*before));
}

QString poolAnswer(const LabReport& report) {
  for (const LabRow& row : report.rows) {
    const auto pool = row.way == "pool" ? timeOf(report, row.way, row.phase) : std::nullopt;
    const auto fresh = timeOf(report, "system", row.phase);
    if (pool && fresh && *pool > 0)
      return translated("With new blocks the same work takes %1 times as long as with blocks used again (%2 and %3).")
          .arg(QLocale().toString(*fresh / *pool, 'f', 1), told(*fresh), told(*pool));
  }
  return {};
}

QString serialiseAnswer(const LabReport& report) {
  const auto one = timeOf(report, "1 thread, own mappings", "touch");
  for (const int threads : {8, 4, 2}) {
    const auto many = timeOf(report, std::to_string(threads) + " threads, own mappings", "touch");
    if (one && many && *one > 0)
      return translated(
                 "%1 threads that touch memory together take %2 times as long as one with the same amount: 1 "
                 "would be side by side, %1 one after the other.")
          .arg(threads)
          .arg(QLocale().toString(*many / *one, 'f', 1));
  }
  return {};
}

QString nodesAnswer(const LabReport& report) {
  const auto single = timeOf(report, "all, malloc per node", "insert", true);
  const auto pooled = timeOf(report, "all, pooled", "insert", true);
  if (!single || !pooled) return {};
  return translated("A node costs %1 allocated alone, and %2 among 256 at a time.").arg(told(*single), told(*pooled));
}

QString topdownAnswer(const LabReport& report) {
  const LabRow* most = nullptr;
  for (const LabRow& row : report.rows)
    if (row.way == "top-down" && !row.samples.empty() && (most == nullptr || row.amount > most->amount)) most = &row;
  const auto time = most == nullptr ? std::nullopt : labTime(*most);
  if (!time || most->amount == 0) return {};
  return translated("Each of %1 mappings takes %2 to make, placed by the kernel from the top down.")
      .arg(text(formatCount(most->amount)), told(time->median / static_cast<double>(most->amount)));
}

}  // namespace

QString labQuestion(std::string_view experiment) {
  const auto found = std::ranges::find(kQuestions, experiment, &Question::experiment);
  return found == kQuestions.end() ? text(experiment) : translated(found->words);
}

QString labAnswer(const LabReport& report) {
  if (report.experiment == "cost") return costAnswer(report);
  if (report.experiment == "eager") return eagerAnswer(report);
  if (report.experiment == "pool") return poolAnswer(report);
  if (report.experiment == "serialise") return serialiseAnswer(report);
  if (report.experiment == "nodes") return nodesAnswer(report);
  return report.experiment == "topdown" ? topdownAnswer(report) : QString();
}

QString labClaim(const LabCheck& check) {
  static const QRegularExpression form(QStringLiteral("^(.*?)(?: (>=|<=) (\\S+)|: (\\S+) to (\\S+))$"));
  const auto match = form.match(text(check.claim));
  if (!match.hasMatch()) return text(labCheckText(check));
  const QString value = check.value.empty() ? translated("not measured") : text(check.value);
  if (match.captured(2).isEmpty())
    return translated("%1: %2, from %3 to %4 expected")
        .arg(match.captured(1), value, match.captured(4), match.captured(5));
  return (match.captured(2) == u"<=" ? translated("%1: %2, at most %3 expected")
                                     : translated("%1: %2, at least %3 expected"))
      .arg(match.captured(1), value, match.captured(3));
}

}  // namespace faultline
