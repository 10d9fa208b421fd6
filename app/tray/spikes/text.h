// Texts for a spike: time, process, metric, amount, duration. Times of day are local.
#pragma once

#include <QString>

#include "core/spikes/detector.h"

namespace faultline {

[[nodiscard]] QString spikeTime(const Spike& spike, bool dated = false);  // "12:03:11", "11-21 12:03:11"
[[nodiscard]] QString spikeStrength(const Spike& spike);                  // "peak 16.4 k/s · ×30 the usual"
[[nodiscard]] QString spikeLine(const Spike& spike);                      // everything in one line, for a bug report
[[nodiscard]] QString spikeDetails(const Spike& spike);                   // the same in lines, for a tooltip

struct SpikeRow;
[[nodiscard]] QString habitLine(const SpikeRow& row);     // spikeLine() for a single spike
[[nodiscard]] QString habitDetails(const SpikeRow& row);  // spikeDetails() for a single spike

}  // namespace faultline
