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
SELECT sensor, HOP_START(ts, INTERVAL '10' SECOND, INTERVAL '30' SECOND) AS ws, HOP_END(ts, INTERVAL '10' SECOND, INTERVAL '30' SECOND) AS we, AVG(v) AS a
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

== windows of ticks: rows on the bounds
SELECT sensor, window_start, window_end, COUNT(*) AS n, COUNT(v) AS nv, SUM(v) AS s, MIN(ts) AS lo, MAX(ts) AS hi
FROM TABLE(TUMBLE(TABLE ticks, DESCRIPTOR(ts), INTERVAL '15' SECOND))
GROUP BY sensor, window_start, window_end

== a hopping window whose size is no multiple of its slide [refused: as in Flink, which cannot share the work]
SELECT window_start, window_end, COUNT(*) AS n
FROM TABLE(HOP(TABLE ticks, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '25' SECOND))
GROUP BY window_start, window_end

== a cumulating window whose size is no multiple of its step [refused: as in Flink]
SELECT window_start, window_end, COUNT(*) AS n
FROM TABLE(CUMULATE(TABLE ticks, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '25' SECOND))
GROUP BY window_start, window_end

== a hopping window with gaps between windows
SELECT window_start, window_end, COUNT(*) AS n
FROM TABLE(HOP(TABLE ticks, DESCRIPTOR(ts), INTERVAL '20' SECOND, INTERVAL '20' SECOND))
GROUP BY window_start, window_end

== sessions whose gaps are exactly met
SELECT sensor, window_start, window_end, COUNT(*) AS n, SUM(v) AS s
FROM TABLE(SESSION(TABLE ticks PARTITION BY sensor, DESCRIPTOR(ts), INTERVAL '10' SECOND))
GROUP BY sensor, window_start, window_end

== sessions with late rows
SELECT sensor, window_start, window_end, window_time, COUNT(*) AS n, MAX(v) AS hi, AVG(i) AS a
FROM TABLE(SESSION(TABLE readings PARTITION BY sensor, DESCRIPTOR(ts), INTERVAL '3' SECOND))
GROUP BY sensor, window_start, window_end, window_time

== sessions of two keys
SELECT sensor, zone, window_start, window_end, COUNT(*) AS n, COUNT(DISTINCT i) AS d
FROM TABLE(SESSION(TABLE patient PARTITION BY (sensor, zone), DESCRIPTOR(ts), INTERVAL '5' SECOND))
GROUP BY sensor, zone, window_start, window_end

== sessions over nothing
SELECT sensor, window_start, COUNT(*) AS n
FROM TABLE(SESSION(TABLE nothing PARTITION BY sensor, DESCRIPTOR(ts), INTERVAL '10' SECOND))
GROUP BY sensor, window_start, window_end

== hops and cumulations over nothing
SELECT window_start, COUNT(*) AS n, SUM(v) AS s
FROM TABLE(HOP(TABLE nothing, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))
GROUP BY window_start, window_end
UNION ALL
SELECT window_start, COUNT(*) AS n, SUM(v) AS s
FROM TABLE(CUMULATE(TABLE nothing, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))
GROUP BY window_start, window_end

== a window that no row passes a filter for
SELECT window_start, COUNT(*) AS n, SUM(v) AS s
FROM TABLE(TUMBLE(TABLE ticks, DESCRIPTOR(ts), INTERVAL '10' SECOND))
WHERE v > 100
GROUP BY window_start, window_end

== aggregates of nothing but nulls
SELECT window_start, SUM(v) AS s, AVG(v) AS a, MIN(v) AS lo, COUNT(v) AS n, STDDEV_POP(v) AS sd, VAR_SAMP(v) AS vs, FIRST_VALUE(v) AS f, LAST_VALUE(v) AS l, LISTAGG(CAST(v AS STRING)) AS g, COUNT(DISTINCT v) AS d
FROM (SELECT window_start, window_end, CAST(NULL AS INT) AS v FROM TABLE(TUMBLE(TABLE ticks, DESCRIPTOR(ts), INTERVAL '30' SECOND)))
GROUP BY window_start, window_end

== deviations of one and two rows
SELECT sensor, window_start, COUNT(v) AS n, STDDEV_POP(v) AS a, STDDEV_SAMP(v) AS b, STDDEV(v) AS c, VAR_POP(v) AS d, VAR_SAMP(v) AS e, VARIANCE(v) AS f
FROM TABLE(TUMBLE(TABLE ticks, DESCRIPTOR(ts), INTERVAL '5' SECOND))
GROUP BY sensor, window_start, window_end

== deviations of whole numbers and decimals
SELECT sensor, window_start, STDDEV_POP(i) AS a, VAR_SAMP(b) AS b, STDDEV_SAMP(s) AS c, VAR_POP(t) AS d, STDDEV_POP(d) AS e, VAR_SAMP(f) AS f
FROM TABLE(TUMBLE(TABLE patient, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
GROUP BY sensor, window_start, window_end

== averages of whole numbers and sums beyond their range
SELECT window_start, AVG(t) AS a, AVG(s) AS b, AVG(i) AS c, AVG(b) AS d, SUM(CAST(t + 100 AS TINYINT)) AS e, SUM(s * CAST(100 AS SMALLINT)) AS f, SUM(i + 2147480000) AS g, SUM(b * 1000000) AS h, AVG(b * 1000000) AS j
FROM TABLE(TUMBLE(TABLE patient, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
GROUP BY window_start, window_end

== decimal aggregates
SELECT window_start, SUM(d) AS a, AVG(d) AS b, MIN(d) AS c, MAX(d) AS e, SUM(d * d) AS f, AVG(d / 7) AS g, COUNT(DISTINCT d) AS h, SUM(DISTINCT d) AS i
FROM TABLE(TUMBLE(TABLE patient, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
GROUP BY window_start, window_end

== distinct with filters
SELECT window_start, COUNT(DISTINCT v) FILTER (WHERE v > 2) AS a, COUNT(DISTINCT sensor) FILTER (WHERE v IS NULL) AS b, SUM(DISTINCT v) FILTER (WHERE sensor <> 's1') AS c, AVG(DISTINCT v) AS d, MIN(DISTINCT v) AS e, COUNT(DISTINCT v) AS f
FROM TABLE(TUMBLE(TABLE ticks, DESCRIPTOR(ts), INTERVAL '20' SECOND))
GROUP BY window_start, window_end

== first and last values with nulls, strings and filters
SELECT sensor, window_start, FIRST_VALUE(note) AS a, LAST_VALUE(note) AS b, FIRST_VALUE(zone) FILTER (WHERE ok) AS c, LAST_VALUE(d) AS e, LAST_VALUE(v) AS f, FIRST_VALUE(ok) AS g
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '20' SECOND))
GROUP BY sensor, window_start, window_end

== joined strings
# In two phases Flink joins distinct strings in no order.
SET 'table.optimizer.agg-phase-strategy' = 'ONE_PHASE';
SELECT sensor, window_start, LISTAGG(note) AS a, LISTAGG(zone, '; ') AS b, LISTAGG(DISTINCT zone) AS c
FROM TABLE(TUMBLE(TABLE patient, DESCRIPTOR(ts), INTERVAL '20' SECOND))
GROUP BY sensor, window_start, window_end

== percentiles
SELECT sensor, window_start, PERCENTILE(v, 0) AS a, PERCENTILE(v, 1) AS b, PERCENTILE(v, 0.25) AS c, PERCENTILE(i, 0.5) AS d, PERCENTILE(d, 0.75) AS e
FROM TABLE(TUMBLE(TABLE patient, DESCRIPTOR(ts), INTERVAL '30' SECOND))
GROUP BY sensor, window_start, window_end

== hopping windows of every kind of aggregate
SELECT sensor, window_start, COUNT(*) AS n, SUM(i) AS a, AVG(d) AS b, MIN(note) AS c, MAX(s) AS e, COUNT(DISTINCT zone) AS f, STDDEV_SAMP(i) AS j, SUM(i) FILTER (WHERE ok) AS k
FROM TABLE(HOP(TABLE readings, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '30' SECOND))
GROUP BY sensor, window_start, window_end

== cumulating windows of every kind of aggregate
SELECT zone, window_start, window_end, COUNT(*) AS n, SUM(i) AS a, AVG(d) AS b, MIN(note) AS c, MAX(s) AS e, COUNT(DISTINCT sensor) AS f, STDDEV_SAMP(i) AS j
FROM TABLE(CUMULATE(TABLE readings, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '1' MINUTE))
GROUP BY zone, window_start, window_end

== hopping and cumulating windows with an offset
SELECT window_start, window_end, COUNT(*) AS n FROM TABLE(HOP(TABLE ticks, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '30' SECOND, INTERVAL '5' SECOND)) GROUP BY window_start, window_end
UNION ALL
SELECT window_start, window_end, COUNT(*) AS n FROM TABLE(CUMULATE(TABLE ticks, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '30' SECOND, INTERVAL '5' SECOND)) GROUP BY window_start, window_end

== a window with a negative offset
SELECT window_start, window_end, COUNT(*) AS n
FROM TABLE(TUMBLE(TABLE ticks, DESCRIPTOR(ts), INTERVAL '20' SECOND, INTERVAL '-3' SECOND))
GROUP BY window_start, window_end

== named arguments
SELECT window_start, window_end, COUNT(*) AS n
FROM TABLE(TUMBLE(DATA => TABLE ticks, TIMECOL => DESCRIPTOR(ts), SIZE => INTERVAL '20' SECOND))
GROUP BY window_start, window_end

== a window of milliseconds
SELECT window_start, window_end, COUNT(*) AS n
FROM TABLE(TUMBLE(TABLE patient, DESCRIPTOR(ts), INTERVAL '0.250' SECOND))
GROUP BY window_start, window_end

== days
SELECT window_start, window_end, window_time, COUNT(*) AS n
FROM TABLE(TUMBLE(TABLE patient, DESCRIPTOR(ts), INTERVAL '1' DAY))
GROUP BY window_start, window_end, window_time

== hours of an instant across summer time
SET 'table.local-time-zone' = 'Europe/Berlin';
SELECT window_start, window_end, window_time, COUNT(*) AS n, SUM(v) AS s
FROM TABLE(TUMBLE(TABLE zoned, DESCRIPTOR(ts), INTERVAL '1' HOUR))
GROUP BY window_start, window_end, window_time

== days of an instant across summer time
SET 'table.local-time-zone' = 'Europe/Berlin';
SELECT sensor, window_start, window_end, window_time, COUNT(*) AS n, MIN(ts) AS lo, MAX(ts) AS hi
FROM TABLE(TUMBLE(TABLE zoned, DESCRIPTOR(ts), INTERVAL '1' DAY))
GROUP BY sensor, window_start, window_end, window_time

== hops of an instant across summer time
SET 'table.local-time-zone' = 'Europe/Berlin';
SELECT window_start, window_end, COUNT(*) AS n
FROM TABLE(HOP(TABLE zoned, DESCRIPTOR(ts), INTERVAL '30' MINUTE, INTERVAL '2' HOUR))
GROUP BY window_start, window_end

== cumulations of an instant across summer time
SET 'table.local-time-zone' = 'Europe/Berlin';
SELECT window_start, window_end, COUNT(*) AS n
FROM TABLE(CUMULATE(TABLE zoned, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '6' HOUR))
GROUP BY window_start, window_end

== sessions of an instant across summer time
SET 'table.local-time-zone' = 'Europe/Berlin';
SELECT sensor, window_start, window_end, COUNT(*) AS n
FROM TABLE(SESSION(TABLE zoned PARTITION BY sensor, DESCRIPTOR(ts), INTERVAL '20' MINUTE))
GROUP BY sensor, window_start, window_end

== the window of an instant on its own, and its local text
SET 'table.local-time-zone' = 'Europe/Berlin';
SELECT ts, CAST(ts AS STRING) AS l, window_start, window_time, CAST(window_time AS STRING) AS wt, EXTRACT(HOUR FROM ts) AS h, DATE_FORMAT(ts, 'yyyy-MM-dd HH:mm') AS f, FLOOR(ts TO HOUR) AS fl, CAST(ts AS DATE) AS d
FROM TABLE(TUMBLE(TABLE zoned, DESCRIPTOR(ts), INTERVAL '1' HOUR))

== hours in a zone of half an hour [fault of Flink: it keeps rows back until the hour of UTC has passed, and the window has fired without them]
SET 'table.local-time-zone' = 'Asia/Kolkata';
SELECT window_start, window_end, window_time, COUNT(*) AS n
FROM TABLE(TUMBLE(TABLE zoned, DESCRIPTOR(ts), INTERVAL '1' HOUR))
GROUP BY window_start, window_end, window_time

== top 1 of each window by another column, with ties
SELECT * FROM (
  SELECT sensor, ts, v, window_start, window_end, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, sensor ORDER BY v DESC) AS rn
  FROM TABLE(TUMBLE(TABLE ticks, DESCRIPTOR(ts), INTERVAL '30' SECOND)))
WHERE rn <= 2

== the first and the last row of each window, with ties
SELECT sensor, ts, v, window_start FROM (
  SELECT sensor, ts, v, window_start, window_end, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, sensor ORDER BY ts DESC) AS rn
  FROM TABLE(TUMBLE(TABLE ticks, DESCRIPTOR(ts), INTERVAL '30' SECOND))) WHERE rn = 1
UNION ALL
SELECT sensor, ts, v, window_start FROM (
  SELECT sensor, ts, v, window_start, window_end, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, sensor ORDER BY ts ASC) AS rn
  FROM TABLE(TUMBLE(TABLE ticks, DESCRIPTOR(ts), INTERVAL '30' SECOND))) WHERE rn = 1

== top of hopping windows of aggregates
SELECT window_start, sensor, s, rn FROM (
  SELECT window_start, window_end, sensor, s, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY s DESC, sensor) AS rn FROM (
    SELECT window_start, window_end, sensor, SUM(v) AS s
    FROM TABLE(HOP(TABLE ticks, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '30' SECOND)) GROUP BY window_start, window_end, sensor))
WHERE rn BETWEEN 2 AND 3

== window join
SELECT L.sensor, L.n, R.worst, L.window_start FROM (
  SELECT sensor, window_start, window_end, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE patient, DESCRIPTOR(ts), INTERVAL '20' SECOND)) GROUP BY sensor, window_start, window_end) L
JOIN (
  SELECT sensor, window_start, window_end, MAX(severity) AS worst FROM TABLE(TUMBLE(TABLE alarms, DESCRIPTOR(raised), INTERVAL '20' SECOND)) GROUP BY sensor, window_start, window_end) R
ON L.sensor = R.sensor AND L.window_start = R.window_start AND L.window_end = R.window_end

== left and full window joins
SELECT L.sensor AS a, R.sensor AS b, L.n, R.worst, COALESCE(L.window_start, R.window_start) AS ws, R.window_end AS we FROM (
  SELECT sensor, window_start, window_end, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE ticks, DESCRIPTOR(ts), INTERVAL '20' SECOND)) GROUP BY sensor, window_start, window_end) L
FULL JOIN (
  SELECT sensor, window_start, window_end, MAX(severity) AS worst FROM TABLE(TUMBLE(TABLE alarms, DESCRIPTOR(raised), INTERVAL '20' SECOND)) GROUP BY sensor, window_start, window_end) R
ON L.sensor = R.sensor AND L.window_start = R.window_start AND L.window_end = R.window_end

== legacy session group window [refused: SESSION in FROM does it]
SELECT sensor, SESSION_START(ts, INTERVAL '4' SECOND) AS ws, SESSION_END(ts, INTERVAL '4' SECOND) AS we, COUNT(*) AS n
FROM patient
GROUP BY sensor, SESSION(ts, INTERVAL '4' SECOND)

== the event time of a legacy window [refused: window_time of TUMBLE in FROM is it]
SELECT sensor, TUMBLE_ROWTIME(ts, INTERVAL '10' SECOND) AS wr, COUNT(*) AS n
FROM readings
GROUP BY sensor, TUMBLE(ts, INTERVAL '10' SECOND)

== legacy windows with late rows
SELECT sensor, TUMBLE_START(ts, INTERVAL '10' SECOND) AS ws, COUNT(*) AS n
FROM readings
GROUP BY sensor, TUMBLE(ts, INTERVAL '10' SECOND)

== grouping sets of windows [refused: kept for later]
SELECT sensor, window_start, COUNT(*) AS n
FROM TABLE(TUMBLE(TABLE ticks, DESCRIPTOR(ts), INTERVAL '10' SECOND))
GROUP BY window_start, window_end, GROUPING SETS ((sensor), ())

== a window join with a further condition
SELECT L.sensor, L.n, R.worst FROM (
  SELECT sensor, window_start, window_end, window_time, COUNT(*) AS n FROM TABLE(HOP(TABLE ticks, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '20' SECOND)) GROUP BY sensor, window_start, window_end, window_time) L
LEFT JOIN (
  SELECT sensor, window_start, window_end, MAX(severity) AS worst FROM TABLE(HOP(TABLE alarms, DESCRIPTOR(raised), INTERVAL '10' SECOND, INTERVAL '20' SECOND)) GROUP BY sensor, window_start, window_end) R
ON L.sensor = R.sensor AND L.window_start = R.window_start AND L.window_end = R.window_end AND L.n > R.worst

== a window join of the rows of windows
SELECT L.sensor, L.ts, R.raised, L.window_start FROM
  (SELECT * FROM TABLE(TUMBLE(TABLE steady, DESCRIPTOR(ts), INTERVAL '20' SECOND))) L
JOIN (SELECT * FROM TABLE(TUMBLE(TABLE alarms, DESCRIPTOR(raised), INTERVAL '20' SECOND))) R
ON L.sensor = R.sensor AND L.window_start = R.window_start AND L.window_end = R.window_end

== a window of a window join
SELECT window_start, window_end, COUNT(*) AS pairs, MAX(worst) AS worst FROM (
  SELECT L.window_start AS window_start, L.window_end AS window_end, R.worst FROM (
    SELECT sensor, window_start, window_end, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE ticks, DESCRIPTOR(ts), INTERVAL '20' SECOND)) GROUP BY sensor, window_start, window_end) L
  JOIN (
    SELECT sensor, window_start, window_end, MAX(severity) AS worst FROM TABLE(TUMBLE(TABLE alarms, DESCRIPTOR(raised), INTERVAL '20' SECOND)) GROUP BY sensor, window_start, window_end) R
  ON L.sensor = R.sensor AND L.window_start = R.window_start AND L.window_end = R.window_end)
GROUP BY window_start, window_end

== windows of hours in a zone whose offset they do not divide [fault of Flink: it keeps rows back until hours of UTC have passed, and windows have fired without them]
SET 'table.local-time-zone' = 'Asia/Tokyo';
SELECT window_start, window_end, COUNT(*) AS n FROM TABLE(HOP(TABLE zoned, DESCRIPTOR(ts), INTERVAL '2' HOUR, INTERVAL '6' HOUR)) GROUP BY window_start, window_end
