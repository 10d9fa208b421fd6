// Record: what a soak test has done and found. Each act is written at once, so that the file's end tells what a crash
// came after.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>
#include <atomic>
#include <cstdint>
#include <map>

namespace faultline::soak {

class Record {
 public:
  explicit Record(const QString& file);

  void act(const QString& what);
  // Prints the first defect of its kind. Acts go on: a run tells all that it finds.
  void defect(const QString& kind, const QString& what);

  [[nodiscard]] std::uint64_t acts() const { return m_acts; }
  [[nodiscard]] bool clean() const { return m_defects.empty(); }
  void printSummary() const;

 private:
  QFile m_file;
  std::atomic<std::uint64_t> m_acts = 0;
  std::map<QString, int> m_kinds;  // of acts
  std::map<QString, int> m_defects;
};

// Takes over Qt's messages: each warning is a defect.
void recordWarnings(Record& record);

}  // namespace faultline::soak
