/* faultline_frame.h on Windows, or what passes for it: a game marks frames in two languages, and another process reads
 * them in the shared memory. Ends with 0, or with the line of what was not so. */
#include <stdio.h>
#include <stdlib.h>

#include "resources/faultline_frame.h"

void markFromCpp(int frames); /* in frame_windows_cpp.cpp */

#define DEMAND(condition)                                 \
  do {                                                    \
    if (!(condition)) {                                   \
      printf("line %d: %s\n", __LINE__, #condition);      \
      ExitProcess(__LINE__ > 255 ? 255 : (UINT)__LINE__); \
    }                                                     \
  } while (0)

static struct faultline_ring* openRing(unsigned long pid) {
  char name[64];
  HANDLE mapping;
  snprintf(name, sizeof(name), "Local\\faultline-frames-%lu", pid);
  mapping = OpenFileMappingA(FILE_MAP_READ | FILE_MAP_WRITE, FALSE, name);
  DEMAND(mapping != NULL);
  return (struct faultline_ring*)MapViewOfFile(mapping, FILE_MAP_READ | FILE_MAP_WRITE, 0, 0, 0);
}

static void check(unsigned long pid) {
  struct faultline_ring* const ring = openRing(pid);
  const struct faultline_record* record;
  uint64_t i, time = 0;
  DEMAND(ring != NULL);
  DEMAND(ring->magic == FAULTLINE_FRAME_MAGIC && ring->pid == pid);
  DEMAND(strcmp(ring->names[0], "render") == 0 && strcmp(ring->names[1], "audio") == 0);
  DEMAND(ring->head == 151 && ring->counts[0] == 150 && ring->counts[1] == 1);
  for (i = 0; i < ring->head; ++i) {
    record = (const struct faultline_record*)((const char*)ring + FAULTLINE_FRAME_HEAD) + i;
    DEMAND(record->ticket == i + 1);
    DEMAND(record->number == (i < 150 ? i + 1 : 1) && record->who >> 32 == (i < 150 ? 0 : 1));
    DEMAND(record->time >= time && record->time >= ring->born && record->time <= ring->watched_until);
    DEMAND((uint32_t)record->who != 0 && record->minor_faults <= UINT32_MAX);
    DEMAND(record->major_faults == FAULTLINE_FRAME_UNKNOWN);
    DEMAND(record->thread_minor_faults == FAULTLINE_FRAME_UNKNOWN);
    DEMAND(record->thread_major_faults == FAULTLINE_FRAME_UNKNOWN);
    time = record->time;
  }
  ring->watched_until = 1; /* whoever watched is gone */
}

static void checkInAnotherProcess(void) {
  char program[MAX_PATH], command[MAX_PATH + 32];
  STARTUPINFOA start;
  PROCESS_INFORMATION process;
  DWORD code = 1;
  memset(&start, 0, sizeof(start));
  start.cb = sizeof(start);
  DEMAND(GetModuleFileNameA(NULL, program, sizeof(program)) > 0);
  snprintf(command, sizeof(command), "\"%s\" %lu", program, GetCurrentProcessId());
  DEMAND(CreateProcessA(NULL, command, NULL, NULL, FALSE, 0, NULL, NULL, &start, &process));
  WaitForSingleObject(process.hProcess, INFINITE);
  DEMAND(GetExitCodeProcess(process.hProcess, &code) && code == 0);
}

int main(int argc, char** argv) {
  struct faultline_ring* ring;
  int i;
  if (argc > 1) {
    check(strtoul(argv[1], NULL, 10));
    return 0;
  }
  faultline_frame("render");
  ring = openRing(GetCurrentProcessId());
  DEMAND(ring != NULL);
  ring->watched_until = UINT64_MAX; /* somebody watches */
  for (i = 1; i < 100; ++i) faultline_frame("render");
  markFromCpp(50);
  faultline_frame("audio");
  checkInAnotherProcess();
  DEMAND(ring->watched_until == 1);
  for (i = 0; i < 10; ++i) faultline_frame("render");
  DEMAND(ring->watched_until == 0 && ring->head == 151 && ring->counts[0] == 160);
  printf("fine\n");
  return 0;
}
