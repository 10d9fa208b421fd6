// One program in one process, told from every other that is, was or will be: in C and C++ alike.
#pragma once

struct ProgramImage {
  unsigned long long startTime;  // of the process, since boot, suspend included; ns
  unsigned long long execution;  // grows with each exec()
  unsigned int process;          // the initial namespace's pid
  unsigned int users[4];         // real, effective, saved, of files
  unsigned int dumpable;         // as prctl(PR_GET_DUMPABLE) says it
};
