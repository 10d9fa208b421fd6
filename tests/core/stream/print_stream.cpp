#include "tests/core/stream/print_stream.h"

#include <fmt/format.h>

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "core/model/names.h"
#include "core/stream/decoder.h"

namespace faultline::test {
namespace {

// As the page of the format has it.
std::string_view nameOf(FrameMetric metric) {
  switch (metric) {
    case FrameMetric::DelayStretch:
      return "delay_stretch";
    case FrameMetric::ThreadBehindName:
      return "waiting_behind";
    case FrameMetric::ThreadBehindNameRest:
      return "waiting_behind_rest";
    default:
      return field(metric).name;
  }
}

std::string text(const Quality& quality) {
  return fmt::format("{} {} {}", gradeName(quality.grade), hex(quality.how), hex(quality.enable));
}

void print(const WatchedGame& game, std::string& out) {
  out += fmt::format("watched {} {} {} {} {}\n", game.pid, hex(game.name), wireName(game.by), game.mark,
                     text(game.faults));
  for (const FrameQuality& row : kFurtherFrameQualities)
    if (const Quality& quality = game.*row.quality; !ofNoConcern(quality))
      out += fmt::format("{} {}\n", row.name, text(quality));
  if (game.delay) out += fmt::format("delay {}\n", text(*game.delay));
  if (game.nsPerFault) out += fmt::format("fault_ps {}\n", std::llround(*game.nsPerFault * 1000));
}

void print(const GameFrameBatch& batch, std::string& out) {
  out += fmt::format("frames {} {} {}\n", batch.lost, batch.invalidMarks, static_cast<int>(batch.state));
  for (const GameFrame& frame : batch.frames) {
    out += fmt::format("{} {} {} {} {} {}", frame.number, frame.start.sinceEpoch.count(), frame.duration.count(),
                       frame.thread, frame.values.minorFaults(), frame.values.majorFaults().value_or(0));
    for (std::size_t bit = 0; bit < kFrameMetricCount; ++bit) {
      const auto metric = static_cast<FrameMetric>(bit);
      const auto value = frame.get(metric);
      if (metric == FrameMetric::MinorFaults) {
        if (!frame.majorFaults()) out += fmt::format(" undivided={}", frame.minorFaults());
      } else if (value && metric != FrameMetric::MajorFaults) {
        out += fmt::format(" {}={}", nameOf(metric), *value);
      }
    }
    out += "\n";
  }
}

void print(const FaultSample& sample, std::string& out) {
  out += fmt::format("{} {} {} {} {}", sample.time.sinceEpoch.count(), sample.thread, hex(sample.threadName),
                     sample.address, sample.weight);
  if (sample.major) out += " major";
  if (sample.inKernel) out += " kernel";
  if (const auto& access = sample.access)
    out += fmt::format(" access {:d} {:d} {:d}", access->write, access->present, access->execute);
  if (sample.took) out += fmt::format(" took {}", sample.took->count());
  if (const auto& mapping = sample.mapping)
    out += fmt::format(" mapping {} {} {} {}", mapping->begin, mapping->end,
                       (mapping->writable ? 1 : 0) + (mapping->executable ? 2 : 0) + (mapping->shared ? 4 : 0) +
                           (mapping->file ? 8 : 0),
                       hex(mapping->name));
  out += " registers";
  for (const std::uint64_t value : sample.registers) out += fmt::format(" {}", value);
  out += " stack " + hex({reinterpret_cast<const char*>(sample.stack.data()), sample.stack.size()});
  for (const StackFrame& frame : stackOf(sample.calls))
    out += fmt::format(" call {} {} {} {} {} {}", hex(frame.function), hex(frame.module), frame.offset, hex(frame.file),
                       frame.line, (frame.inlined ? 1 : 0) + (frame.system ? 2 : 0));
  out += "\n";
}

}  // namespace

std::string hex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

std::string printedStream(std::string_view bytes) {
  Decoder decoder;
  decoder.feed(std::as_bytes(std::span(bytes)));
  std::string out;
  for (;;) {
    const auto event = decoder.next();
    REQUIRE(event);
    if (std::holds_alternative<NeedMoreBytes>(*event)) return out;
    if (const auto* hello = std::get_if<Hello>(&*event); hello != nullptr && hello->watched)
      print(*hello->watched, out);
    if (const auto* batch = std::get_if<const GameFrameBatch*>(&*event)) print(**batch, out);
    if (const auto* faults = std::get_if<const FaultSampleBatch*>(&*event)) {
      out += fmt::format("samples {}\n", (*faults)->lost);
      for (const FaultSample& sample : (*faults)->samples) print(sample, out);
    }
    if (std::holds_alternative<StreamEnd>(*event)) out += "end\n";
  }
}

}  // namespace faultline::test
