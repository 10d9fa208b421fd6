// The exit codes of faultline-cli, a part of its interface: keep the man page and --help in step.
#pragma once

namespace faultline {

struct ExitCode {
  static constexpr int kOk = 0;
  static constexpr int kFailure = 1;
  static constexpr int kUsage = 2;
  static constexpr int kIncomplete = 3;  // the input is truncated or damaged; its readable part was processed
  static constexpr int kTooSlow = 4;     // frames: faults in a frame took longer than --fail-over; guard: a figure grew
  static constexpr int kNoFrame = 5;     // frames, try --frames: no frame has ended
  static constexpr int kWorse = 6;       // compare: a run costs more than the first, or has more frames late by faults
  static constexpr int kGainsLess = 7;   // try: no remedy saves as much as --fail-under asks
  static constexpr int kNotStarted = 127;   // record, frames, try, stat, guard: PROGRAM could not be started
  static constexpr int kInterrupted = 130;  // ended by Ctrl-C before there was a result
  static constexpr int kReaderGone = 141;   // as if killed by SIGPIPE
};

}  // namespace faultline
