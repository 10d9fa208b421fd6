#include "tests/core/stream/print_stream.h"

#include <fmt/format.h>

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "core/model/names.h"
#include "core/stream/decoder.h"

namespace faultline::test {
namespace {

std::string text(const Quality& quality) {
  return fmt::format("{} {} {}", gradeName(quality.grade), hex(quality.how), hex(quality.enable));
}

void print(const WatchedGame& game, std::string& out) {
  out += fmt::format("watched {} {} {} {} {}\n", game.pid, hex(game.name), wireName(game.by), game.mark,
                     text(game.faults));
  using Named = std::pair<const char*, const Quality*>;
  for (const auto& [name, quality] :
       {Named("zeroed", &game.zeroed), Named("fault_time", &game.faultTime), Named("fault_parts", &game.faultParts),
        Named("teardown", &game.teardown), Named("samples", &game.samples)})
    if (!quality->how.starts_with("The program that made this stream"))
      out += fmt::format("{} {}\n", name, text(*quality));
  if (game.delay) out += fmt::format("delay {}\n", text(*game.delay));
  if (game.nsPerFault) out += fmt::format("fault_ps {}\n", std::llround(*game.nsPerFault * 1000));
}

std::optional<std::uint64_t> count(std::optional<Nanoseconds> time) {
  return time ? std::optional(static_cast<std::uint64_t>(time->count())) : std::nullopt;
}

void print(const GameFrameBatch& batch, std::string& out) {
  out += fmt::format("frames {} {} {}\n", batch.lost, batch.invalidMarks, static_cast<int>(batch.state));
  for (const GameFrame& frame : batch.frames) {
    out += fmt::format("{} {} {} {} {} {}", frame.number, frame.start.sinceEpoch.count(), frame.duration.count(),
                       frame.thread, frame.values.minorFaults(), frame.values.majorFaults().value_or(0));
    const auto part = [&](Nanoseconds FaultTimeParts::* which) {
      return frame.values.faultParts() ? count((*frame.values.faultParts()).*which) : std::nullopt;
    };
    const auto delay = [&](auto of) { return frame.values.delay() ? of(*frame.values.delay()) : std::nullopt; };
    const auto own = [&](auto of) {
      return frame.values.threadTime() ? count(of(*frame.values.threadTime())) : std::nullopt;
    };
    using Extra = std::pair<const char*, std::optional<std::uint64_t>>;
    for (const auto& [name, value] :
         {Extra("own_minor", frame.values.get(FrameMetric::ThreadMinorFaults)),
          Extra("own_major", frame.values.get(FrameMetric::ThreadMajorFaults)),
          Extra("zeroed", frame.values.get(FrameMetric::ZeroedBytes)),
          Extra("fault_ns", count(frame.values.time(FrameMetric::FaultTime))),
          Extra("own_zeroed", frame.values.get(FrameMetric::ThreadZeroedBytes)),
          Extra("own_fault_ns", count(frame.values.time(FrameMetric::ThreadFaultTime))),
          Extra("timed", frame.values.get(FrameMetric::TimedFaults)),
          Extra("on_processor", part(&FaultTimeParts::onProcessor)),
          Extra("waiting", part(&FaultTimeParts::waiting)),
          Extra("blocked", part(&FaultTimeParts::blocked)),
          Extra("own_on_processor", own([](const ThreadTime& time) { return time.inFaults.onProcessor; })),
          Extra("own_waiting", own([](const ThreadTime& time) { return time.inFaults.waiting; })),
          Extra("own_blocked", own([](const ThreadTime& time) { return time.inFaults.blocked; })),
          Extra("thread_waiting", own([](const ThreadTime& time) { return time.waiting; })),
          Extra("thread_sleeping", own([](const ThreadTime& time) { return time.sleeping; })),
          Extra("teardown", count(frame.values.time(FrameMetric::TeardownTime))),
          Extra("own_teardown", count(frame.values.time(FrameMetric::ThreadTeardownTime))),
          Extra("delay", delay([](const FrameDelay& of) { return count(of.added); })),
          Extra("own_delay", delay([](const FrameDelay& of) { return count(of.ownAdded); })),
          Extra("own_futex", delay([](const FrameDelay& of) { return count(of.ownAwaited); })),
          Extra("stretch",
                delay([](const FrameDelay& of) { return std::optional(2 * of.pair + (of.delayed ? 1 : 0)); })),
          Extra("of_any_kind", frame.values.majorFaults() ? std::nullopt : std::optional(frame.values.minorFaults()))})
      if (value) out += fmt::format(" {}={}", name, *value);
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
