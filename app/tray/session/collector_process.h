// CollectorProcess: a collector as a QProcess, for the clients in core/watch.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/watch/collector_end.h"
#include "platform/host/collector_choice.h"

namespace faultline {

class CollectorProcess : public QObject {
  Q_OBJECT
 public:
  // `folder`: the collector is there or in ../libexec. Empty: the granted one, or that beside this program.
  explicit CollectorProcess(QString folder, QObject* parent = nullptr);
  ~CollectorProcess() override;

  // Starts a collector in place of the one that runs, in the next turn of the event loop: a collector is not replaced
  // while it is read. `elevated`: on Windows, the user is asked to let it have an administrator's rights. Error: no
  // collector was found.
  [[nodiscard]] Result<void> start(const std::vector<std::string>& arguments, bool elevated = false);
  void end();
  void write(char byte);  // to its standard input; ignored while none runs

  [[nodiscard]] const CollectorChoice& choice() const { return m_choice; }  // of the last start

 Q_SIGNALS:
  void launched();
  void received(std::span<const std::byte> bytes);
  void ended(const faultline::CollectorEnd& end);  // by itself, and after its last bytes
  void refused(const QString& why);                // the system does not start it

 private:
  void launch();
  void connectProcess();
  void readOutput();
  void readErrors();
  void processEnded();

  QString m_folder;
  CollectorChoice m_choice;
  std::filesystem::path m_program;  // the collector, or the program that starts it
  QStringList m_arguments;
  QProcess* m_process = nullptr;  // the last one started, until end()
  QByteArray m_buffer;
  QByteArray m_errors;                            // the end of what it wrote to standard error
  std::chrono::steady_clock::time_point m_heard;  // the last time it sent something
  std::optional<std::uint64_t> m_memoryKills;     // of the system, when it was started
  QTimer m_launch;
};

[[nodiscard]] inline std::chrono::steady_clock::time_point steadyNow() {
  return std::chrono::steady_clock::now();
}
// Lets the timer fire when a client's `due` has come; stops it where there is none.
void wakeAt(QTimer& timer, std::optional<std::chrono::steady_clock::time_point> due);

}  // namespace faultline
