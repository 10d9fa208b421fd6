// The formats that moments, ranges and frames are exported in, for the terminal and the window. To add one, write its
// exporters in a file of its own, and declare and list them here.
#pragma once

#include <array>

#include "core/export/exporter.h"
#include "core/frames/files/export.h"

namespace faultline {

std::unique_ptr<MomentExporter> csvMoments();
std::unique_ptr<MomentExporter> jsonMoments();
std::unique_ptr<MomentExporter> jsonLinesMoments();
std::unique_ptr<MomentExporter> perfettoMoments();
std::unique_ptr<MomentExporter> machineCsvMoments();
std::unique_ptr<MomentExporter> prometheusMoments();
inline constexpr std::array<ExportFormat<MomentExporter>, 6> kMomentFormats{
    {{"csv", ".csv", "a row per process", csvMoments},
     {"machine-csv", ".csv", "a row per sample, with the numbers of the whole machine", machineCsvMoments},
     {"json", ".json", "one document", jsonMoments},
     {"jsonl", ".jsonl", "an object per line", jsonLinesMoments},
     {"perfetto", ".pftrace", "a Perfetto trace", perfettoMoments},
     {"prometheus", ".prom", "sums by program, for Prometheus", prometheusMoments}}};

std::unique_ptr<RangeExporter> csvRange();
std::unique_ptr<RangeExporter> perfettoRange();
inline constexpr std::array<ExportFormat<RangeExporter>, 2> kRangeFormats{
    {{"csv", ".csv", "CSV", csvRange},
     {.name = "perfetto",
      .ending = ".pftrace",
      .words = "Perfetto trace of pinned processes",
      .make = perfettoRange,
      .pinned = true}}};

std::unique_ptr<FrameExporter> csvFrames();
std::unique_ptr<FrameExporter> jsonFrames();
std::unique_ptr<FrameExporter> traceFrames();
std::unique_ptr<FrameExporter> perfettoFrames();
std::unique_ptr<FrameExporter> foldedFrames();
std::unique_ptr<FrameExporter> pprofFrames();
std::unique_ptr<FrameExporter> speedscopeFrames();
inline constexpr std::array<ExportFormat<FrameExporter>, 7> kFrameFormats{
    {{"csv", ".csv", "A row per frame", csvFrames},
     {"json", ".json", "All frames as one JSON document", jsonFrames},
     {"trace", ".json", "Trace events for chrome://tracing", traceFrames},
     {"perfetto", ".pftrace", "A trace for Perfetto", perfettoFrames},
     {.name = "folded",
      .ending = ".folded",
      .words = "Call stacks that faulted, for flame graphs",
      .make = foldedFrames,
      .callStacks = true},
     {.name = "pprof",
      .ending = ".pb.gz",
      .words = "The same for pprof, with the time of the faults",
      .make = pprofFrames,
      .callStacks = true},
     {.name = "speedscope",
      .ending = ".speedscope.json",
      .words = "The same for speedscope, with a profile of their time",
      .make = speedscopeFrames,
      .callStacks = true}}};

// One moment as a whole CSV document.
[[nodiscard]] std::string exportedMoment(const Hello& hello, const Moment& moment);

}  // namespace faultline
