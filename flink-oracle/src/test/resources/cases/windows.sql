== tumbling window per key with the usual aggregates
SELECT sensor, window_start, window_end, COUNT(*) AS n, COUNT(v) AS nv, AVG(v) AS a, MIN(v) AS lo, MAX(v) AS hi, SUM(v) AS total
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '10' SECOND))
GROUP BY sensor, window_start, window_end

== tumbling window without late rows
SELECT sensor, window_start, window_end, COUNT(*) AS n, STDDEV_POP(v) AS sp, STDDEV_SAMP(v) AS ss, VAR_POP(v) AS vp, VAR_SAMP(v) AS vs
FROM TABLE(TUMBLE(TABLE patient, DESCRIPTOR(ts), INTERVAL '30' SECOND))
GROUP BY sensor, window_start, window_end

== tumbling window with an offset
SELECT window_start, window_end, COUNT(*) AS n
FROM TABLE(TUMBLE(TABLE patient, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '3' SECOND))
GROUP BY window_start, window_end

== tumbling window over all rows, without a key
SELECT window_start, window_end, window_time, SUM(i) AS si, AVG(i) AS ai, SUM(b) AS sb, AVG(s) AS sa, AVG(t) AS ta
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
GROUP BY window_start, window_end, window_time

== two keys, one of them null at times
SELECT sensor, zone, window_start, MAX(d) AS hi, MIN(d) AS lo, SUM(d) AS s, AVG(d) AS a
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '20' SECOND))
GROUP BY sensor, zone, window_start, window_end

== float and small integer aggregates
SELECT sensor, window_start, SUM(f) AS sf, AVG(f) AS af, MIN(f) AS lf, MAX(f) AS hf, SUM(t) AS st, SUM(s) AS ss, MIN(t) AS mt, MAX(s) AS ms
FROM TABLE(TUMBLE(TABLE patient, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
GROUP BY sensor, window_start, window_end

== filtered and distinct aggregates
SELECT sensor, window_start, COUNT(*) FILTER (WHERE ok) AS n_ok, SUM(v) FILTER (WHERE v > 0) AS positive,
  COUNT(DISTINCT zone) AS zones, COUNT(DISTINCT i) AS ds, SUM(DISTINCT t) AS dsum, AVG(v) FILTER (WHERE FALSE) AS never
FROM TABLE(TUMBLE(TABLE patient, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
GROUP BY sensor, window_start, window_end

== min and max of strings, booleans and times
SELECT sensor, window_start, MIN(note) AS a, MAX(note) AS b, MIN(ts) AS first_ts, MAX(ts) AS last_ts
FROM TABLE(TUMBLE(TABLE patient, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
GROUP BY sensor, window_start, window_end

== hopping window
SELECT sensor, window_start, window_end, COUNT(*) AS n, AVG(v) AS a, STDDEV_POP(v) AS sd
FROM TABLE(HOP(TABLE readings, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '60' SECOND))
GROUP BY sensor, window_start, window_end

== hopping window with late rows and short slide
SELECT window_start, window_end, COUNT(*) AS n, MIN(v) AS lo, MAX(v) AS hi
FROM TABLE(HOP(TABLE readings, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '20' SECOND))
GROUP BY window_start, window_end

== cumulating window
SELECT sensor, window_start, window_end, COUNT(*) AS n, SUM(i) AS s
FROM TABLE(CUMULATE(TABLE readings, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '60' SECOND))
GROUP BY sensor, window_start, window_end

== session window per key
SELECT sensor, window_start, window_end, COUNT(*) AS n, MAX(v) AS hi
FROM TABLE(SESSION(TABLE patient PARTITION BY sensor, DESCRIPTOR(ts), INTERVAL '4' SECOND))
GROUP BY sensor, window_start, window_end

== empty input gives no windows
SELECT window_start, COUNT(*) AS n
FROM TABLE(TUMBLE(TABLE nothing, DESCRIPTOR(ts), INTERVAL '10' SECOND))
GROUP BY window_start, window_end

== the window function on its own
SELECT sensor, ts, v, window_start, window_end, window_time
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '10' SECOND))

== the hopping window function on its own
SELECT sensor, ts, window_start, window_end
FROM TABLE(HOP(TABLE patient, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '30' SECOND))

== a window over a filtered and projected view
SELECT k, window_start, COUNT(*) AS n, AVG(w) AS a
FROM TABLE(TUMBLE((SELECT UPPER(sensor) AS k, v * 2 AS w, ts FROM patient WHERE v > 0), DESCRIPTOR(ts), INTERVAL '30' SECOND))
GROUP BY k, window_start, window_end

== windows over windows
SELECT window_start, window_end, MAX(n) AS busiest, SUM(n) AS total
FROM TABLE(TUMBLE((
    SELECT sensor, window_time AS rt, COUNT(*) AS n
    FROM TABLE(TUMBLE(TABLE patient, DESCRIPTOR(ts), INTERVAL '10' SECOND))
    GROUP BY sensor, window_start, window_end, window_time), DESCRIPTOR(rt), INTERVAL '1' MINUTE))
GROUP BY window_start, window_end

== having over a window
SELECT sensor, window_start, COUNT(*) AS n
FROM TABLE(TUMBLE(TABLE patient, DESCRIPTOR(ts), INTERVAL '10' SECOND))
GROUP BY sensor, window_start, window_end
HAVING COUNT(*) > 3

== expressions over aggregates and keys
SELECT CONCAT(sensor, '-', CAST(COUNT(*) AS STRING)) AS label, MAX(v) - MIN(v) AS spread, EXTRACT(MINUTE FROM window_start) AS m
FROM TABLE(TUMBLE(TABLE patient, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
GROUP BY sensor, window_start, window_end

== grouping by an expression
SELECT i > 0 AS positive, window_start, COUNT(*) AS n
FROM TABLE(TUMBLE(TABLE patient, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
GROUP BY i > 0, window_start, window_end

== first and last value of a window
SELECT sensor, window_start, FIRST_VALUE(i) AS a, LAST_VALUE(i) AS b
FROM TABLE(TUMBLE(TABLE patient, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
GROUP BY sensor, window_start, window_end

== percentile of a window
SELECT sensor, window_start, PERCENTILE(v, 0.5) AS median, PERCENTILE(i, 0.9) AS p90
FROM TABLE(TUMBLE(TABLE patient, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
GROUP BY sensor, window_start, window_end

== day windows over local time
SELECT sensor, window_start, window_end, window_time, COUNT(*) AS n, SUM(v) AS s
FROM TABLE(TUMBLE(TABLE zoned, DESCRIPTOR(ts), INTERVAL '1' HOUR))
GROUP BY sensor, window_start, window_end, window_time

== legacy group window
SELECT sensor, TUMBLE_START(ts, INTERVAL '10' SECOND) AS ws, TUMBLE_END(ts, INTERVAL '10' SECOND) AS we, COUNT(*) AS n
FROM patient
GROUP BY sensor, TUMBLE(ts, INTERVAL '10' SECOND)

== legacy hopping group window
SELECT sensor, HOP_START(ts, INTERVAL '10' SECOND, INTERVAL '30' SECOND) AS ws, AVG(v) AS a
FROM patient
GROUP BY sensor, HOP(ts, INTERVAL '10' SECOND, INTERVAL '30' SECOND)

== window top 2 per window
SELECT * FROM (
  SELECT sensor, window_start, window_end, n, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY n DESC, sensor ASC) AS rn
  FROM (
    SELECT sensor, window_start, window_end, COUNT(*) AS n
    FROM TABLE(TUMBLE(TABLE patient, DESCRIPTOR(ts), INTERVAL '30' SECOND))
    GROUP BY sensor, window_start, window_end))
WHERE rn <= 2

== window deduplication keeps the last row of each window
SELECT sensor, ts, v, window_start FROM (
  SELECT sensor, ts, v, window_start, window_end,
    ROW_NUMBER() OVER (PARTITION BY window_start, window_end, sensor ORDER BY ts DESC) AS rn
  FROM TABLE(TUMBLE(TABLE patient, DESCRIPTOR(ts), INTERVAL '30' SECOND)))
WHERE rn <= 1
