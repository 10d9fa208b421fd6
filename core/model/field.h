// MetricField: a row of the field table (fields.h), which describes one number that Faultline measures.
#pragma once

#include <cstdint>
#include <string_view>

namespace faultline {

enum class MetricKind : std::uint8_t {
  Counter,  // cumulative, never resets; may wrap at the width that Hello gives
  Gauge,    // a level
};

enum class Unit : std::uint8_t { Count, Bytes, Duration };

enum class Systems : std::uint8_t { All, Linux, Windows };

enum class Needs : std::uint8_t { Nothing, Privilege };  // Privilege: the collector's capabilities

enum class Plot : std::uint8_t { None, Faults, Time, Zeroing, Memory };

// A column in the tables of processes.
struct MetricColumn {
  std::string_view title{};   // empty: there is no such column
  std::uint8_t id = 0;        // in saved layouts of the tray's table: app/tray/processes/columns.h
  std::string_view widest{};  // sets the column's width in the tray
  std::string_view note{};    // added to the metric's meaning
  int width = 0;              // in the terminal; 0: not shown there
  int importance = 0;         // in the terminal: the least important column is left out first
  std::string_view sort{};    // name for --sort; empty: none
};

// A line in a plot of the tray. The first row of each plot is drawn solid, and is the line of a pinned process.
struct MetricLine {
  Plot plot = Plot::None;
  std::string_view name{};
  bool ownScale = false;
};

template <class Metric>
struct MetricField {
  Metric metric;
  std::string_view name;   // snake_case, of the CSV column; ends in the unit unless that is a count
  std::string_view title;  // for people
  MetricKind kind;
  Unit unit;
  std::string_view meaning;  // one sentence, for tooltips and help
  Systems systems = Systems::All;
  Needs needs = Needs::Nothing;
  bool kept = false;     // in history
  MetricColumn rate{};   // a counter's difference per second
  MetricColumn level{};  // a counter's total, or a gauge
  MetricLine line{};
};

}  // namespace faultline
