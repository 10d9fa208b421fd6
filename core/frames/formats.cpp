#include "core/frames/formats.h"

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
  void end(std::string& /*out*/) override {}

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
  void end(std::string& /*out*/) override {}
};

class CsvRange final : public RangeExporter {
 public:
  void begin(const Hello& /*hello*/, std::string& out) override { out += historyCsvHeader(); }
  void add(const ProcessRange& range, std::string& out) override { appendHistoryCsv(range, out); }
  void end(std::string& /*out*/) override {}
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

std::string exportedMoment(const Hello& hello, const Moment& moment) {
  std::string out;
  CsvMoments exporter;
  exporter.begin(hello, out);
  exporter.add(moment, out);
  exporter.end(out);
  return out;
}

}  // namespace faultline
