#include "core/frames/files/formats.h"

#include <algorithm>

#include "core/culprits/pprof.h"
#include "core/culprits/speedscope.h"
#include "core/export/csv.h"
#include "core/export/history_csv.h"
#include "core/export/json.h"
#include "core/export/machine_csv.h"

namespace faultline {
namespace {

// A row after the other, below one header.
template <std::string header(), void append(const Moment&, std::string&)>
class Rows final : public MomentExporter {
 public:
  void begin(const Hello& /*hello*/, std::string& out) override {
    if (!m_begun) out += header();
    m_begun = true;
  }
  void add(const Moment& moment, std::string& out) override { append(moment, out); }

 private:
  bool m_begun = false;
};
using CsvMoments = Rows<csvHeader, appendCsv>;
using MachineCsvMoments = Rows<machineCsvHeader, appendMachineCsv>;

// {"hello": {...}, "moments": [...]}, a moment per line. Keeps the first Hello of several.
class JsonMoments final : public MomentExporter {
 public:
  void begin(const Hello& hello, std::string& out) override {
    if (!m_begun) out += "{\"hello\":" + toJson(hello) + ",\n\"moments\":[";
    m_begun = true;
  }
  void add(const Moment& moment, std::string& out) override {
    out += (m_any ? ",\n" : "\n") + toJson(moment);
    m_any = true;
  }
  void end(std::string& out) override {
    if (m_begun) out += "\n]}\n";
  }

 private:
  bool m_begun = false;
  bool m_any = false;
};

// {"hello": {...}} for each Hello, then a moment per line.
class JsonLinesMoments final : public MomentExporter {
 public:
  void begin(const Hello& hello, std::string& out) override { out += "{\"hello\":" + toJson(hello) + "}\n"; }
  void add(const Moment& moment, std::string& out) override { out += toJson(moment) + "\n"; }
};

class CsvRange final : public RangeExporter {
 public:
  void begin(const Hello& /*hello*/, std::string& out) override { out += historyCsvHeader(); }
  void add(const ProcessRange& range, std::string& out) override { appendHistoryCsv(range, out); }
};

constexpr std::string_view kUnknownStacks = "[no call stack]";

std::string foldedOf(const CallTree& root, std::uint64_t /*pageBytes*/) {
  return foldedText(root);
}

// The call stacks of all frames' culprits, and a stack for those that are not known; written at the end.
template <std::string write(const CallTree&, std::uint64_t pageBytes)>
class FrameStacks final : public FrameExporter {
 public:
  void begin(const ExportedGame& game, std::string& /*out*/) override { m_pageBytes = game.pageBytes; }
  void add(const ExportedFrame& exported, std::string& /*out*/) override {
    const bool known = exported.culprits != nullptr && exported.culprits->stacks;
    const CallTree& tree = known ? exported.culprits->tree : kNoStacks;
    addTree(m_stacks, tree);
    m_sampled = m_sampled || exported.totals.samples > 0;
    if (!exported.verdict.costly && !exported.verdict.lateByFaults) return;
    const std::uint64_t minor = exported.frame.minorFaults();
    const std::uint64_t major = exported.frame.majorFaults().value_or(0);
    const std::uint64_t unknownMajors = major - std::min(major, tree.majors);
    m_unknown.majors += unknownMajors;
    m_unknown.faults += std::max(unknownMajors, minor + major - std::min(minor + major, tree.faults));
  }
  void end(std::string& out) override {
    sortTree(m_stacks);
    if (m_sampled && m_unknown.faults > 0)
      m_stacks.children.push_back(
          {.name = std::string(kUnknownStacks), .faults = m_unknown.faults, .majors = m_unknown.majors});
    out += write(m_stacks, m_pageBytes);
  }

 private:
  static inline const CallTree kNoStacks{};

  CallTree m_stacks;
  std::uint64_t m_pageBytes = 0;
  CallCost m_unknown;      // of frames hit by faults
  bool m_sampled = false;  // single faults were asked for, and came
};

}  // namespace

std::unique_ptr<MomentExporter> csvMoments() {
  return std::make_unique<CsvMoments>();
}

std::unique_ptr<MomentExporter> machineCsvMoments() {
  return std::make_unique<MachineCsvMoments>();
}

std::unique_ptr<MomentExporter> jsonMoments() {
  return std::make_unique<JsonMoments>();
}

std::unique_ptr<MomentExporter> jsonLinesMoments() {
  return std::make_unique<JsonLinesMoments>();
}

std::unique_ptr<RangeExporter> csvRange() {
  return std::make_unique<CsvRange>();
}

std::unique_ptr<FrameExporter> foldedFrames() {
  return std::make_unique<FrameStacks<foldedOf>>();
}

std::unique_ptr<FrameExporter> pprofFrames() {
  return std::make_unique<FrameStacks<pprofOf>>();
}

std::unique_ptr<FrameExporter> speedscopeFrames() {
  return std::make_unique<FrameStacks<speedscopeOf>>();
}

std::string exportedMoment(const Hello& hello, const Moment& moment) {
  std::string out;
  CsvMoments exporter;
  exporter.begin(hello, out);
  exporter.add(moment, out);
  exporter.end(out);
  return out;
}

}  // namespace faultline
