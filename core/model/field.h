// MetricField: a row of the field table (fields.h): what there is to know about a number that Faultline measures.
#pragma once

#include <cstdint>
#include <string_view>

namespace faultline {

enum class MetricKind : std::uint8_t {
  Counter,  // cumulative, never resets; may wrap at the width that Hello tells
  Gauge,    // a level
};

enum class Unit : std::uint8_t { Count, Bytes, Duration };

enum class Systems : std::uint8_t { All, Linux, Windows };

enum class Needs : std::uint8_t { Nothing, Privilege };  // Privilege: the collector's capabilities

enum class Plot : std::uint8_t { None, Faults, Time, Zeroing, Memory };

// A column of the tables of processes.
struct MetricColumn {
  std::string_view title{};   // empty: there is no such column
  std::uint8_t id = 0;        // in saved layouts of the tray's table: app/tray/processes/columns.h
  std::string_view widest{};  // decides the column's width in the tray
  bool shown = true;          // before a hand chooses, if the metric is measured
  std::string_view note{};    // added to the metric's meaning
  // In the terminal; 0: not there. Of several columns the one of least importance goes first where room is short.
  int width = 0;
  int importance = 0;
  std::string_view sort{};  // its name for --sort; empty: none
};

// A line in a plot of the tray. The first row of a plot is drawn solid, and is what a pinned process shows there.
struct MetricLine {
  Plot plot = Plot::None;
  std::string_view name{};
  bool ownScale = false;
};

template <class Metric>
struct MetricField {
  Metric metric;
  std::string_view name;   // snake_case; the CSV column, with its unit where that is not a count
  std::string_view title;  // as a person reads it
  MetricKind kind;
  Unit unit;
  std::string_view meaning;  // one sentence, for tooltips and help
  Systems systems = Systems::All;
  Needs needs = Needs::Nothing;
  bool kept = false;     // over time, in history
  MetricColumn rate{};   // a counter's difference per second
  MetricColumn level{};  // a counter's total, or a gauge
  MetricLine line{};
};

}  // namespace faultline
