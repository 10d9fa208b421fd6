// A replacement for faultline-collector: fake_program with the script that a test needs, and streams for it.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>
#include <QTemporaryDir>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <span>

#include "core/stream/encoder.h"

namespace faultline {

inline Hello testHello() {
  Hello hello;
  hello.version = "test";
  hello.source = "synthetic";
  hello.clock = "CLOCK_MONOTONIC";
  hello.interval = std::chrono::milliseconds(500);
  return hello;
}

// `count` snapshots, half a second apart, of one process with 1000 faults between two snapshots.
inline Snapshot testSnapshot(unsigned index, unsigned processes = 1) {
  Snapshot snapshot;
  snapshot.time = MonotonicTime{std::chrono::seconds(1000) + index * std::chrono::milliseconds(500)};
  snapshot.wallTime = WallTime{std::chrono::hours(500'000) + index * std::chrono::milliseconds(500)};
  for (unsigned i = 0; i < processes; ++i) {
    ProcessSample sample;
    sample.key = {100 + i, 5};
    sample.name = i == 0 ? "worker" : "worker" + std::to_string(i);
    sample.values.set(ProcessMetric::MinorFaults, std::uint64_t{1000} * index);
    sample.values.set(ProcessMetric::CommitBytes, std::uint64_t{1} << 20U);
    snapshot.processes.push_back(std::move(sample));
  }
  return snapshot;
}

// Adds packets of an encoder to `bytes`.
inline auto appenderTo(QByteArray& bytes) {
  return [&bytes](std::span<const std::byte> packet) {
    bytes.append(reinterpret_cast<const char*>(packet.data()), static_cast<qsizetype>(packet.size()));
  };
}

inline QByteArray testStream(unsigned snapshots, bool ended = true, unsigned processes = 1, unsigned first = 0) {
  Encoder encoder;
  QByteArray bytes;
  const auto append = appenderTo(bytes);
  append(encoder.hello(testHello()));
  for (unsigned i = 0; i < snapshots; ++i) append(encoder.snapshot(testSnapshot(first + i, processes)));
  if (ended) append(encoder.end());
  return bytes;
}

class TestFolder {
 public:
  QString write(const QByteArray& name, const QByteArray& bytes) const {
    const QString path = m_folder.filePath(QString::fromLatin1(name));
    QFile file(path);
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    return path;
  }
  // A program of this name, which does what the script says: see fake_program.cpp. Gives its file.
  QString program(const QByteArray& name, const QByteArray& script) const {
#ifdef Q_OS_WIN
    const QByteArray suffix = ".exe";
#else
    const QByteArray suffix;
#endif
    write(name + suffix + ".script", script);
    const QString file = path((name + suffix).constData());
    if (!QFile::exists(file)) REQUIRE(QFile::copy(QStringLiteral(FAULTLINE_FAKE_PROGRAM), file));
    return file;
  }
  void collector(const QByteArray& script) const { program("faultline-collector", script); }
  [[nodiscard]] QString path(const char* name = "") const { return m_folder.filePath(QString::fromLatin1(name)); }

 private:
  QTemporaryDir m_folder;
};

}  // namespace faultline
