// Exporter: writes a document for other programs piece by piece. Each call appends to `out`: first begin(), last end().
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/history/history.h"
#include "core/model/hello.h"

namespace faultline {

template <class Head, class Item>
class Exporter {
 public:
  virtual ~Exporter() = default;

  virtual void begin(const Head& /*head*/, std::string& /*out*/) {}
  virtual void add(const Item& item, std::string& out) = 0;
  virtual void end(std::string& /*out*/) {}
  // Closes the document in the place of the rest, if the writer is cut short: at most as long as the text of end().
  [[nodiscard]] virtual std::string_view closing() const { return {}; }
};

// One process in a range of history.
struct ProcessRange {
  const History& history;
  ProcessKey key;
  MonotonicTime from;
  MonotonicTime to;
};

// A recording may hold several Hellos: call begin() of a moment's exporter for each.
using MomentExporter = Exporter<Hello, Moment>;
using RangeExporter = Exporter<Hello, ProcessRange>;

// A format, by its name on the command line.
template <class AnyExporter>
struct ExportFormat {
  std::string_view name;
  std::string_view ending;  // of a file's name
  std::string_view words;   // a phrase for menus and help
  std::unique_ptr<AnyExporter> (*make)();
  bool callStacks = false;  // of frames: writes only their call stacks
  bool pinned = false;      // of ranges: writes only pinned processes, if there are any
};

}  // namespace faultline
