-- What each run of a stage hid behind its computation, and what it exposed, in nanoseconds: by rank,
-- scope and run. For the query page of the Perfetto UI, and for trace_processor.
--
-- The row "stage" says when a run computed and what of it was exposed, without a gap: where one does
-- not begin at the end of the one before, a new run begins. What of an exchange lies within a run is
-- its communication; copies of up to eight bytes are signals.
WITH
  named AS (
    SELECT
      process.pid AS rank,
      thread.name AS row,
      slice.name,
      slice.category AS kind,
      slice.ts,
      slice.ts + slice.dur AS te,
      EXTRACT_ARG(slice.arg_set_id, 'args.scope') AS scope,
      EXTRACT_ARG(slice.arg_set_id, 'args.exchange') AS exchange,
      EXTRACT_ARG(slice.arg_set_id, 'args.bytes') AS bytes
    FROM slice
    JOIN thread_track ON slice.track_id = thread_track.id
    JOIN thread USING (utid)
    JOIN process USING (upid)
    WHERE slice.dur > 0
  ),
  parts AS (
    SELECT *, ts IS NOT LAG(te) OVER (PARTITION BY rank, scope ORDER BY ts) AS begins
    FROM named
    WHERE row = 'stage' AND kind = 'range'
  ),
  numbered AS (
    SELECT *, SUM(begins) OVER (PARTITION BY rank, scope ORDER BY ts) AS run FROM parts
  ),
  runs AS (
    SELECT rank, scope, run, MIN(ts) AS ts, MAX(te) AS te FROM numbered GROUP BY rank, scope, run
  ),
  communication AS MATERIALIZED (
    SELECT rank, ts, te
    FROM named
    WHERE exchange > 0
      AND (kind IN ('kernel', 'memset') OR (kind IN ('peer_copy', 'local_copy') AND bytes > 8))
  ),
  work AS (
    SELECT rank, scope, run, ts, te, 1 AS computes, 0 AS communicates
    FROM numbered
    WHERE name = 'computation'
    UNION ALL
    SELECT runs.rank, scope, run, moving.ts, moving.te, 0, 1
    FROM runs
    JOIN communication AS moving
      ON moving.rank = runs.rank AND moving.ts >= runs.ts AND moving.te <= runs.te
  ),
  edges AS (
    SELECT rank, scope, run, ts AS at, computes, communicates FROM work
    UNION ALL
    SELECT rank, scope, run, te, -computes, -communicates FROM work
  ),
  steps AS (
    SELECT
      rank,
      scope,
      run,
      SUM(computes) OVER so_far AS computing,
      SUM(communicates) OVER so_far AS communicating,
      LEAD(at) OVER (PARTITION BY rank, scope, run ORDER BY at) - at AS ns
    FROM edges
    WINDOW so_far AS (
      PARTITION BY rank, scope, run ORDER BY at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
  )
SELECT
  runs.rank,
  runs.scope,
  runs.run,
  runs.te - runs.ts AS stage_ns,
  COALESCE(SUM(ns) FILTER (WHERE computing > 0), 0) AS compute_ns,
  COALESCE(SUM(ns) FILTER (WHERE communicating > 0), 0) AS communication_ns,
  COALESCE(SUM(ns) FILTER (WHERE computing > 0 AND communicating > 0), 0) AS hidden_ns,
  runs.te - runs.ts - COALESCE(SUM(ns) FILTER (WHERE computing > 0), 0) AS exposed_ns
FROM runs
LEFT JOIN steps USING (rank, scope, run)
GROUP BY runs.rank, runs.scope, runs.run
ORDER BY runs.scope, runs.run, runs.rank;
