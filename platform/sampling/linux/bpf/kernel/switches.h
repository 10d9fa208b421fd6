// The programs that follow the switches of threads, for the sweep and the watch. Needs `settings`, `shared`,
// absenceOf(task): null if the thread is not followed; noteSwitch(), noteWait() and noteWake().
#pragma once

SEC("tp_btf/sched_switch")
int switchThreads(__u64* context) {
  struct task_struct* const previous = (void*)context[1];
  struct task_struct* const next = (void*)context[2];
  if (!shared.switched) shared.switched = 1;
  struct Absence* const leaving = absenceOf(previous);
  const int stays = leaving && staysRunnable(context, previous, settings.tellsState);
  if (leaving) leaveProcessor(leaving, previous, stays);
  struct Absence* const coming = absenceOf(next);
  if (coming) noteWait(next, takeProcessor(coming));
  noteSwitch(previous, next, stays);
  return 0;
}

SEC("tp_btf/sched_wakeup")
int wakeThread(__u64* context) {
  struct Absence* const absence = absenceOf((void*)context[0]);
  if (!absence) return 0;
  noteWake((void*)context[0], absence);
  wake(absence);
  return 0;
}
