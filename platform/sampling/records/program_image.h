// ProgramImage: identifies one program in one process, across pid reuse and exec. In C and C++ alike.
#pragma once

struct ProgramImage {
  unsigned long long startTime;  // of the process, since boot, suspend included; ns
  unsigned long long execution;  // grows with each exec()
  unsigned int process;          // pid in the initial namespace
  unsigned int users[4];         // uids: real, effective, saved, filesystem
  unsigned int dumpable;         // as prctl(PR_GET_DUMPABLE)
};
