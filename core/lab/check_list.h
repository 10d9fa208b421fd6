// CheckList: collects the checks of one report. Used by the checks of each experiment.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/lab/checks.h"

namespace faultline {

class CheckList {
 public:
  explicit CheckList(const LabReport& report) : m_report(report) {}

  // In ns; without disturbed repetitions, if others remain. Thread CPU time where it is measured, for rows that are
  // `alone`; else wall time. Absent: not measured.
  [[nodiscard]] std::optional<double> time(std::string_view way, std::string_view phase) const;
  [[nodiscard]] std::optional<double> faults(std::string_view way, std::string_view phase) const;

  // value / of, at least or at most `bound`.
  void ratioAtLeast(std::string claim, std::optional<double> value, std::optional<double> of, double bound,
                    bool ofCounts = false);
  void ratioAtMost(std::string claim, std::optional<double> value, std::optional<double> of, double bound,
                   bool ofCounts = false);
  void between(std::string claim, std::optional<double> value, double least, double most, bool ofCounts = false);
  void add(std::string claim, std::string value, bool held, bool ofCounts);
  // Each row whose faults are known by arithmetic has them; and a collector saw as many as the experiment counted.
  void counts();
  // A collector counted all pages that a process gave back; nothing if the report does not tell.
  void freedPages();

  [[nodiscard]] std::vector<LabCheck> take() { return std::move(m_checks); }
  [[nodiscard]] const LabReport& report() const { return m_report; }

 private:
  void addRatio(std::string claim, std::optional<double> ratio, bool held, bool ofCounts);

  const LabReport& m_report;
  std::vector<LabCheck> m_checks;
};

void checkCost(CheckList& list);
void checkPool(CheckList& list);
void checkNodes(CheckList& list);
void checkTopdown(CheckList& list);
void checkEager(CheckList& list);
void checkSerialise(CheckList& list);
[[nodiscard]] std::vector<std::string> costDerived(const LabReport& report);
[[nodiscard]] std::vector<std::string> serialiseDerived(const LabReport& report);

}  // namespace faultline
