-- Views on a trace that `faultline-cli frames`, `export` or `join` has written with --perfetto, for the query page of
-- ui.perfetto.dev or `trace_processor_shell trace --query-file faultline.sql --interactive`. Times are in ns on the
-- monotonic clock. A number that was not measured is NULL.

-- A frame of a game. `verdict` says whether it was late and why; `culprit` the code that faulted most in it.
CREATE VIEW faultline_frame AS
SELECT
  slice.id,
  slice.ts,
  slice.dur,
  slice.name AS verdict,
  process.pid,
  process.name AS process,
  EXTRACT_ARG(slice.arg_set_id, 'debug.frame') AS frame,
  EXTRACT_ARG(slice.arg_set_id, 'debug.thread') AS thread,
  EXTRACT_ARG(slice.arg_set_id, 'debug.late') AS late,
  EXTRACT_ARG(slice.arg_set_id, 'debug.deadline_ns') AS deadline_ns,
  EXTRACT_ARG(slice.arg_set_id, 'debug.minor_faults') AS minor_faults,
  EXTRACT_ARG(slice.arg_set_id, 'debug.major_faults') AS major_faults,
  EXTRACT_ARG(slice.arg_set_id, 'debug.fault_ns') AS fault_ns,
  EXTRACT_ARG(slice.arg_set_id, 'debug.path_ns') AS path_ns,
  EXTRACT_ARG(slice.arg_set_id, 'debug.zeroed_bytes') AS zeroed_bytes,
  EXTRACT_ARG(slice.arg_set_id, 'debug.teardown_ns') AS teardown_ns,
  EXTRACT_ARG(slice.arg_set_id, 'debug.culprit') AS culprit
FROM slice
JOIN process_track ON slice.track_id = process_track.id
JOIN process USING (upid)
WHERE slice.category = 'frame';

-- A sampled page fault, which stands for `faults`. `dur` is 0 where it was not timed.
CREATE VIEW faultline_fault AS
SELECT
  slice.id,
  slice.ts,
  slice.dur,
  slice.name AS kind,
  process.pid,
  process.name AS process,
  process_track.name AS thread,
  EXTRACT_ARG(slice.arg_set_id, 'debug.stands_for_faults') AS faults,
  EXTRACT_ARG(slice.arg_set_id, 'debug.address') AS address,
  EXTRACT_ARG(slice.arg_set_id, 'debug.memory') AS memory,
  EXTRACT_ARG(slice.arg_set_id, 'debug.code') AS code
FROM slice
JOIN process_track ON slice.track_id = process_track.id
JOIN process USING (upid)
WHERE slice.category = 'fault';

-- The sampled faults of each frame of the same process.
CREATE VIEW faultline_frame_fault AS
SELECT frame.frame, frame.verdict, fault.*
FROM faultline_frame AS frame
JOIN faultline_fault AS fault
  ON fault.pid = frame.pid AND fault.ts >= frame.ts AND fault.ts < frame.ts + frame.dur;

-- The code that faults most, with the memory that it touches.
CREATE VIEW faultline_culprit AS
SELECT pid, process, code, memory, SUM(faults) AS faults, SUM(dur * faults) AS fault_ns
FROM faultline_fault
GROUP BY pid, process, code, memory
ORDER BY faults DESC;

-- Each counter of a process, from one sample to the next.
CREATE VIEW faultline_counter AS
SELECT counter.ts, process.pid, process.name AS process, process_counter_track.name AS counter, counter.value
FROM counter
JOIN process_counter_track ON counter.track_id = process_counter_track.id
JOIN process USING (upid);
