// What faultline-cli ends with. Part of its interface: the man page and --help list these.
#pragma once

namespace faultline {

struct ExitCode {
  static constexpr int kOk = 0;
  static constexpr int kFailure = 1;
  static constexpr int kUsage = 2;
  static constexpr int kIncomplete = 3;     // what could be read was done, but the input was cut or damaged
  static constexpr int kTooSlow = 4;        // frames: faults took longer than was allowed
  static constexpr int kNotStarted = 127;   // record: PROGRAM could not be started
  static constexpr int kInterrupted = 130;  // ended by Ctrl-C before the work was done
  static constexpr int kReaderGone = 141;   // as if killed by SIGPIPE
};

}  // namespace faultline
