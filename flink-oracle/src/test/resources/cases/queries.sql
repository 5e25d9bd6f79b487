== filter and projection
SELECT sensor, v * 2 + 1 AS w, i FROM readings WHERE v > 10 AND i < 50 OR ok

== three-valued logic in a filter
SELECT sensor, ts FROM readings WHERE NOT (v > 0) OR (ok IS NULL AND note <> 'hot')

== distinct rows
SELECT DISTINCT sensor, zone FROM readings

== group by without a window
SELECT sensor, COUNT(*) AS n, SUM(i) AS s, MIN(v) AS lo, MAX(v) AS hi, AVG(b) AS ab FROM readings GROUP BY sensor

== a global aggregate
SELECT COUNT(*) AS n, SUM(v) AS s, MAX(note) AS m FROM readings

== a global aggregate over nothing
SELECT COUNT(*) AS n, SUM(v) AS s FROM nothing

== having
SELECT zone, COUNT(*) AS n FROM readings GROUP BY zone HAVING COUNT(*) > 20

== union all
SELECT sensor, v FROM readings WHERE v > 50 UNION ALL SELECT sensor, CAST(severity AS DOUBLE) FROM alarms

== union
SELECT sensor FROM readings UNION SELECT sensor FROM alarms

== in and not in lists
SELECT sensor, i FROM readings WHERE i IN (1, 2, 3, 4, 5, -5) AND sensor NOT IN ('s0', 's1')

== between
SELECT sensor, v FROM readings WHERE v BETWEEN -10 AND 10 AND d NOT BETWEEN -500 AND 500

== values
SELECT a, b FROM (VALUES (1, 'x'), (2, 'y'), (CAST(NULL AS INT), 'z')) AS t(a, b)

== over rows
SELECT sensor, ts, v, AVG(v) OVER w AS a, SUM(i) OVER w AS s, COUNT(*) OVER w AS n, MIN(v) OVER w AS lo, MAX(v) OVER w AS hi
FROM patient WINDOW w AS (PARTITION BY sensor ORDER BY ts ROWS BETWEEN 5 PRECEDING AND CURRENT ROW)

== over range
SELECT sensor, ts, COUNT(*) OVER (PARTITION BY sensor ORDER BY ts RANGE BETWEEN INTERVAL '10' SECOND PRECEDING AND CURRENT ROW) AS n,
  SUM(v) OVER (PARTITION BY sensor ORDER BY ts RANGE BETWEEN INTERVAL '10' SECOND PRECEDING AND CURRENT ROW) AS s
FROM patient

== over with late rows
SELECT sensor, ts, COUNT(*) OVER (PARTITION BY sensor ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS n FROM readings

== over unbounded range without a partition
SELECT ts, SUM(i) OVER (ORDER BY ts RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS s FROM patient

== standard deviation over rows
SELECT sensor, ts, STDDEV_POP(v) OVER (PARTITION BY sensor ORDER BY ts ROWS BETWEEN 9 PRECEDING AND CURRENT ROW) AS sd FROM patient

== lag
SELECT sensor, ts, i, LAG(i) OVER (PARTITION BY sensor ORDER BY ts) AS before1, LAG(i, 2) OVER (PARTITION BY sensor ORDER BY ts) AS before2 FROM patient

== first and last value over rows
SELECT sensor, ts, FIRST_VALUE(i) OVER (PARTITION BY sensor ORDER BY ts ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) AS a,
  LAST_VALUE(i) OVER (PARTITION BY sensor ORDER BY ts ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) AS b FROM patient

== top 3 per key
SELECT sensor, v, ts FROM (
  SELECT sensor, v, ts, ROW_NUMBER() OVER (PARTITION BY sensor ORDER BY v DESC, ts ASC) AS rn FROM patient WHERE v IS NOT NULL)
WHERE rn <= 3

== top 3 per key with the rank
SELECT sensor, v, rn FROM (
  SELECT sensor, v, ROW_NUMBER() OVER (PARTITION BY sensor ORDER BY v DESC, ts ASC) AS rn FROM patient WHERE v IS NOT NULL)
WHERE rn <= 3

== deduplication keeps the first row
SELECT sensor, zone, v, ts FROM (
  SELECT sensor, zone, v, ts, ROW_NUMBER() OVER (PARTITION BY sensor, zone ORDER BY ts ASC) AS rn FROM patient)
WHERE rn = 1

== deduplication keeps the last row
SELECT sensor, zone, v, ts FROM (
  SELECT sensor, zone, v, ts, ROW_NUMBER() OVER (PARTITION BY sensor, zone ORDER BY ts DESC) AS rn FROM patient)
WHERE rn = 1

== interval join
SELECT r.sensor, r.ts, r.v, a.severity, a.raised FROM patient r, alarms a
WHERE r.sensor = a.sensor AND r.ts BETWEEN a.raised - INTERVAL '5' SECOND AND a.raised + INTERVAL '10' SECOND

== interval join with a further condition
SELECT r.sensor, r.ts, a.severity FROM patient r JOIN alarms a
ON r.sensor = a.sensor AND r.ts >= a.raised - INTERVAL '5' SECOND AND r.ts < a.raised + INTERVAL '5' SECOND AND r.i > a.severity

== left interval join
SELECT a.sensor, a.raised, r.ts FROM alarms a LEFT JOIN patient r
ON r.sensor = a.sensor AND r.ts BETWEEN a.raised - INTERVAL '1' SECOND AND a.raised + INTERVAL '1' SECOND

== full interval join
SELECT a.sensor, a.raised, r.ts FROM alarms a FULL JOIN patient r
ON r.sensor = a.sensor AND r.ts BETWEEN a.raised - INTERVAL '1' SECOND AND a.raised + INTERVAL '1' SECOND

== nested fields and elements
SELECT id, rec.a, rec.b, arr[1], arr[2], CARDINALITY(arr) FROM edges

== a computed column through a sub-query
SELECT k, n FROM (SELECT CASE WHEN v > 0 THEN 'up' WHEN v < 0 THEN 'down' ELSE 'none' END AS k, COUNT(*) AS n FROM readings GROUP BY CASE WHEN v > 0 THEN 'up' WHEN v < 0 THEN 'down' ELSE 'none' END)

== look-up in a table
SELECT a.sensor, a.ts, a.v, k.severity, k.raised FROM asking a JOIN known FOR SYSTEM_TIME AS OF a.proc AS k ON a.sensor = k.sensor
ON FLINK
SELECT a.sensor, a.ts, a.v, k.severity, k.raised FROM asking a JOIN known AS k ON a.sensor = k.sensor

== look-up of what may not be there, with a further condition
SELECT a.sensor, a.ts, a.v, k.severity FROM asking a LEFT JOIN known FOR SYSTEM_TIME AS OF a.proc AS k ON a.sensor = k.sensor AND k.severity > 1 AND a.v > k.severity
ON FLINK
SELECT a.sensor, a.ts, a.v, k.severity FROM asking a LEFT JOIN known AS k ON a.sensor = k.sensor AND k.severity > 1 AND a.v > k.severity

== look-up by two keys and an expression
SELECT a.sensor, a.ts, k.raised FROM asking a JOIN known FOR SYSTEM_TIME AS OF a.proc AS k ON a.sensor = k.sensor AND a.v - 1 = k.severity
ON FLINK
SELECT a.sensor, a.ts, k.raised FROM asking a JOIN known AS k ON a.sensor = k.sensor AND a.v - 1 = k.severity

== windows of what was looked up
SELECT k.severity, window_start, COUNT(*) AS n FROM TABLE(TUMBLE((
  SELECT a.ts, k.severity FROM asking a JOIN known FOR SYSTEM_TIME AS OF a.proc AS k ON a.sensor = k.sensor), DESCRIPTOR(ts), INTERVAL '1' HOUR)) AS k
GROUP BY k.severity, window_start, window_end
ON FLINK
SELECT k.severity, FLOOR(a.ts TO HOUR) AS window_start, COUNT(*) AS n FROM asking a JOIN known AS k ON a.sensor = k.sensor GROUP BY k.severity, FLOOR(a.ts TO HOUR)

== over rows with ties
SELECT sensor, ts, v, COUNT(*) OVER w AS n, SUM(v) OVER w AS s, FIRST_VALUE(v) OVER w AS f, LAST_VALUE(v) OVER w AS l, AVG(v) OVER w AS a, STDDEV_SAMP(v) OVER w AS sd
FROM ticks WINDOW w AS (PARTITION BY sensor ORDER BY ts ROWS BETWEEN 3 PRECEDING AND CURRENT ROW)

== over range with ties
SELECT sensor, ts, v, COUNT(*) OVER w AS n, SUM(v) OVER w AS s, FIRST_VALUE(v) OVER w AS f, LAST_VALUE(v) OVER w AS l, MIN(v) OVER w AS lo, MAX(v) OVER w AS hi
FROM steady WINDOW w AS (PARTITION BY sensor ORDER BY ts RANGE BETWEEN INTERVAL '15' SECOND PRECEDING AND CURRENT ROW)

== over unbounded frames with ties
SELECT sensor, ts, v, COUNT(*) OVER w AS n, SUM(v) OVER w AS s
FROM ticks WINDOW w AS (PARTITION BY sensor ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)

== the default frame of over
SELECT sensor, ts, SUM(v) OVER (PARTITION BY sensor ORDER BY ts) AS s, COUNT(DISTINCT v) OVER (PARTITION BY sensor ORDER BY ts) AS d FROM ticks

== over with late rows and bounded frames
SELECT sensor, ts, i, COUNT(*) OVER (PARTITION BY sensor ORDER BY ts ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS n FROM readings
UNION ALL
SELECT sensor, ts, i, COUNT(*) OVER (PARTITION BY sensor ORDER BY ts RANGE BETWEEN INTERVAL '10' SECOND PRECEDING AND CURRENT ROW) AS n FROM readings

== over by two keys, one of them null at times
SELECT sensor, zone, ts, SUM(d) OVER w AS s, MAX(note) OVER w AS m, COUNT(DISTINCT i) OVER w AS dc, LISTAGG(zone) OVER w AS g
FROM patient WINDOW w AS (PARTITION BY sensor, zone ORDER BY ts ROWS BETWEEN 4 PRECEDING AND CURRENT ROW)

== over an instant
SELECT sensor, ts, SUM(v) OVER (PARTITION BY sensor ORDER BY ts RANGE BETWEEN INTERVAL '1' HOUR PRECEDING AND CURRENT ROW) AS s FROM zoned

== over nothing
SELECT sensor, ts, SUM(v) OVER (PARTITION BY sensor ORDER BY ts RANGE BETWEEN INTERVAL '1' HOUR PRECEDING AND CURRENT ROW) AS s FROM nothing

== lag with ties
SELECT sensor, ts, v, LAG(v) OVER (PARTITION BY sensor ORDER BY ts) AS a, LAG(v, 2) OVER (PARTITION BY sensor ORDER BY ts) AS b, LAG(COALESCE(v, 99), 3, -1) OVER (PARTITION BY sensor ORDER BY ts) AS c FROM ticks

== a lag with a default over nulls [fault of Flink: it takes the result for NOT NULL because the default is, and fails or gives -1]
SELECT sensor, ts, LAG(v, 3, 7) OVER (PARTITION BY sensor ORDER BY ts) AS c FROM ticks

== lag of strings and decimals with defaults
SELECT sensor, ts, LAG(COALESCE(note, ''), 1, 'none') OVER (PARTITION BY sensor ORDER BY ts) AS a, LAG(COALESCE(d, 1.5), 1, 0.5) OVER (PARTITION BY sensor ORDER BY ts) AS b, LAG(zone) OVER (PARTITION BY sensor ORDER BY ts) AS c FROM patient

== a running number
SELECT sensor, ts, ROW_NUMBER() OVER (PARTITION BY sensor ORDER BY ts) AS n FROM patient

== two kinds of frames and expressions over them
SELECT sensor, ts, v - LAG(v) OVER (PARTITION BY sensor ORDER BY ts) AS d, v / NULLIF(AVG(v) OVER (PARTITION BY sensor ORDER BY ts), 0) AS r
FROM patient

== top 2 with ties
SELECT sensor, v FROM (SELECT sensor, v, ROW_NUMBER() OVER (PARTITION BY sensor ORDER BY v DESC) AS rn FROM ticks) WHERE rn <= 2

== top 3 of nulls first and last
SELECT sensor, v, rn FROM (SELECT sensor, v, ROW_NUMBER() OVER (PARTITION BY sensor ORDER BY v ASC) AS rn FROM ticks) WHERE rn <= 60 AND rn > 55
UNION ALL
SELECT sensor, v, rn FROM (SELECT sensor, v, ROW_NUMBER() OVER (PARTITION BY sensor ORDER BY v DESC NULLS LAST) AS rn FROM ticks) WHERE rn <= 3
UNION ALL
SELECT sensor, v, rn FROM (SELECT sensor, v, ROW_NUMBER() OVER (PARTITION BY sensor ORDER BY v ASC NULLS FIRST) AS rn FROM ticks) WHERE rn <= 3

== the second of each key
SELECT sensor, v, ts FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY sensor ORDER BY v, ts) AS rn FROM patient WHERE v IS NOT NULL) WHERE rn = 2

== top of all, without a key
SELECT sensor, v, i FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY i DESC, v ASC, ts ASC) AS rn FROM patient) WHERE rn < 6

== order by and limit
SELECT sensor, i, v, ts FROM patient ORDER BY i DESC, v, ts LIMIT 7

== deduplication with ties and late rows
SELECT sensor, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY sensor, v ORDER BY ts DESC) AS rn FROM ticks) WHERE rn = 1
UNION ALL
SELECT sensor, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY sensor, v ORDER BY ts ASC) AS rn FROM ticks) WHERE rn = 1

== deduplication of late rows keeps the first
SELECT sensor, zone, ts, i FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY sensor, zone, ok ORDER BY ts) AS rn FROM readings) WHERE rn = 1

== by event time [sorted]
SELECT ts, sensor FROM patient ORDER BY ts

== by event time and more [refused: rows of one time would have to wait for one another]
SELECT ts, sensor, v FROM ticks ORDER BY ts, sensor DESC, v

== group by nulls and expressions of them
SELECT zone, ok, i > 0 AS pos, COUNT(*) AS n, SUM(d) AS s, MAX(ts) AS t FROM readings GROUP BY zone, ok, i > 0

== updating aggregates of every kind
SELECT sensor, COUNT(*) AS n, COUNT(v) AS nv, SUM(v) AS s, AVG(i) AS ai, AVG(d) AS ad, MIN(note) AS lo, MAX(ts) AS hi, STDDEV_POP(v) AS sp, STDDEV_SAMP(i) AS ss, VAR_POP(s) AS vp, VAR_SAMP(d) AS vs,
  COUNT(DISTINCT zone) AS dz, SUM(DISTINCT i) AS di, COUNT(*) FILTER (WHERE ok) AS fo, FIRST_VALUE(i) AS f, LAST_VALUE(i) AS l, PERCENTILE(v, 0.5) AS p
FROM readings GROUP BY sensor

== a global aggregate of decimals and times
SELECT SUM(d) AS a, AVG(d) AS b, MIN(ts) AS c, MAX(ts) AS e, COUNT(DISTINCT sensor) AS f, LISTAGG(note) AS g FROM readings

== aggregates without rows to take
SELECT sensor, SUM(v) FILTER (WHERE v > 1000) AS a, COUNT(v) FILTER (WHERE v > 1000) AS b, MIN(v) FILTER (WHERE v > 1000) AS c FROM readings GROUP BY sensor

== group by a constant and nothing else
SELECT 1 AS c, COUNT(*) AS n FROM nothing GROUP BY 1

== having over updating results
SELECT zone, SUM(i) AS s FROM readings GROUP BY zone HAVING SUM(i) > 0 OR zone IS NULL

== distinct aggregates of nothing
SELECT COUNT(DISTINCT v) AS a, SUM(DISTINCT v) AS b, AVG(v) AS c FROM nothing

== a filter and a projection above an updating result
SELECT n * 2 AS m, sensor FROM (SELECT sensor, COUNT(*) AS n FROM readings GROUP BY sensor) WHERE n > 70

== interval joins of every kind with ties
SELECT t.sensor, t.ts, t.v, a.severity FROM steady t LEFT JOIN alarms a ON t.sensor = a.sensor AND t.ts BETWEEN a.raised - INTERVAL '10' SECOND AND a.raised + INTERVAL '5' SECOND
UNION ALL
SELECT t.sensor, t.ts, t.v, a.severity FROM steady t RIGHT JOIN alarms a ON t.sensor = a.sensor AND t.ts BETWEEN a.raised - INTERVAL '10' SECOND AND a.raised + INTERVAL '5' SECOND
UNION ALL
SELECT t.sensor, t.ts, t.v, a.severity FROM steady t FULL JOIN alarms a ON t.sensor = a.sensor AND t.ts > a.raised AND t.ts < a.raised + INTERVAL '20' SECOND AND t.v > a.severity

== interval join at one time
SELECT a.sensor, a.ts, a.v, b.v AS w FROM steady a JOIN steady b ON a.sensor = b.sensor AND a.ts = b.ts AND a.v < b.v

== interval join with bounds far apart
SELECT r.sensor, r.i, a.severity FROM steady t JOIN patient r ON t.sensor = r.sensor AND t.ts BETWEEN r.ts + INTERVAL '1' MINUTE AND r.ts + INTERVAL '62' SECOND JOIN alarms a ON a.sensor = t.sensor AND t.ts BETWEEN a.raised - INTERVAL '3' SECOND AND a.raised

== interval join with nothing
SELECT t.sensor, t.ts, n.v FROM steady t LEFT JOIN nothing n ON t.sensor = n.sensor AND t.ts BETWEEN n.ts - INTERVAL '10' SECOND AND n.ts
UNION ALL
SELECT t.sensor, t.ts, n.v FROM steady t JOIN nothing n ON t.sensor = n.sensor AND t.ts BETWEEN n.ts - INTERVAL '10' SECOND AND n.ts

== interval join of expressions as keys
SELECT t.sensor, a.severity FROM steady t JOIN alarms a ON UPPER(t.sensor) = UPPER(a.sensor) AND t.v = a.severity AND t.ts BETWEEN a.raised - INTERVAL '1' MINUTE AND a.raised + INTERVAL '1' MINUTE

== with
WITH hot AS (SELECT sensor, v FROM readings WHERE v > 0), cold AS (SELECT sensor, v FROM readings WHERE v < 0)
SELECT * FROM hot UNION ALL SELECT * FROM cold

== a view
CREATE VIEW hot AS SELECT sensor, v * 2 AS w, ts FROM readings WHERE ok;
CREATE TEMPORARY VIEW hotter (s, x) AS SELECT sensor, w FROM hot WHERE w > 10;
SELECT s, x FROM hotter

== union of types
SELECT i AS a, 'x' AS b FROM readings UNION ALL SELECT b, note FROM readings

== a window of a union [fault of Flink: its planner leaves out all but the first part of a UNION ALL right below a window function]
SELECT window_start, COUNT(*) AS n FROM TABLE(TUMBLE((SELECT ts FROM steady UNION ALL SELECT raised FROM alarms), DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end

== a window of a filtered union
SELECT window_start, COUNT(*) AS n FROM TABLE(TUMBLE((SELECT * FROM (SELECT ts FROM steady UNION ALL SELECT raised FROM alarms) WHERE EXTRACT(SECOND FROM ts) <> 7), DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end

== a time zone's texts
SET 'table.local-time-zone' = 'America/New_York';
SELECT id, CAST(CAST(stamp AS TIMESTAMP_LTZ(3)) AS STRING) AS a, CAST(stamp AS TIMESTAMP_LTZ(3)) AS b, TO_TIMESTAMP_LTZ(i, 0) AS c, CAST(TO_TIMESTAMP_LTZ(i, 0) AS STRING) AS d, FROM_UNIXTIME(i) AS e, UNIX_TIMESTAMP(CAST(stamp AS STRING)) AS f,
  DATE_FORMAT(TO_TIMESTAMP_LTZ(i, 0), 'yyyy-MM-dd HH:mm:ss') AS g, EXTRACT(HOUR FROM TO_TIMESTAMP_LTZ(i, 0)) AS h, CAST(TO_TIMESTAMP_LTZ(i, 0) AS DATE) AS k, CAST(TO_TIMESTAMP_LTZ(i, 0) AS TIMESTAMP(3)) AS l, CAST(dy AS TIMESTAMP_LTZ(3)) AS m, FLOOR(TO_TIMESTAMP_LTZ(i, 0) TO DAY) AS n FROM edges

== instants and summer time
SET 'table.local-time-zone' = 'Europe/Berlin';
SELECT CAST(TIMESTAMP '2026-03-29 02:30:00' AS TIMESTAMP_LTZ(3)) AS a, CAST(TIMESTAMP '2026-10-25 02:30:00' AS TIMESTAMP_LTZ(3)) AS b, CAST('2026-03-29 02:30:00' AS TIMESTAMP_LTZ(3)) AS c, CAST(TO_TIMESTAMP_LTZ(1792890000, 0) AS STRING) AS d,
  CAST(TIMESTAMP '2026-03-28 12:00:00' AS TIMESTAMP_LTZ(3)) + INTERVAL '1' DAY AS e, CAST(TIMESTAMP '2026-03-28 12:00:00' AS TIMESTAMP_LTZ(3)) + INTERVAL '1' MONTH AS f, UNIX_TIMESTAMP('2026-03-29 02:30:00') AS g, FROM_UNIXTIME(1792890000) AS h, TO_TIMESTAMP_LTZ('2026-10-25 02:30:00') AS i FROM edges WHERE id = 1

== filters of nested fields
SELECT id, rec.b FROM edges WHERE rec.a > 0 AND arr[1] IS NOT NULL AND CARDINALITY(arr) > 1

== a limit
SELECT 1 AS c FROM readings LIMIT 5

== all columns of a table
SELECT * FROM edges

== columns renamed, repeated and computed
SELECT r.sensor AS a, r.sensor AS b, r.*, r.i + 1 AS c FROM readings AS r

== joins without bounds [refused: state without bounds]
SELECT r.sensor FROM patient r JOIN alarms a ON r.sensor = a.sensor

== a subquery in an expression [refused: state without bounds]
SELECT sensor FROM patient WHERE sensor IN (SELECT sensor FROM alarms)

== lead [refused: a row would wait for a later one]
SELECT sensor, LEAD(i) OVER (PARTITION BY sensor ORDER BY ts) AS n FROM patient

== intersect [refused: state without bounds]
SELECT sensor FROM patient INTERSECT SELECT sensor FROM alarms

== grouping sets [refused: kept for later]
SELECT sensor, zone, COUNT(*) AS n FROM patient GROUP BY GROUPING SETS ((sensor), (zone))

== an aggregate of an updating result [refused: retraction]
SELECT MAX(n) AS m FROM (SELECT sensor, COUNT(*) AS n FROM readings GROUP BY sensor)

== over a range with late rows
SELECT sensor, ts, v, COUNT(*) OVER w AS n, SUM(i) OVER w AS s, MIN(i) OVER w AS lo, FIRST_VALUE(i) OVER w AS a
FROM readings WINDOW w AS (PARTITION BY sensor ORDER BY ts RANGE BETWEEN INTERVAL '4' SECOND PRECEDING AND CURRENT ROW)

== over a short range with late rows, whose keys are forgotten
SELECT sensor, ts, COUNT(*) OVER (PARTITION BY sensor ORDER BY ts RANGE BETWEEN INTERVAL '0.1' SECOND PRECEDING AND CURRENT ROW) AS n FROM readings

== over a long range with late rows, whose timers are not taken back
SELECT sensor, ts, COUNT(*) OVER (PARTITION BY sensor ORDER BY ts RANGE BETWEEN INTERVAL '1' MINUTE PRECEDING AND CURRENT ROW) AS n FROM readings

== over a range without a partition with late rows
SELECT sensor, ts, COUNT(*) OVER (ORDER BY ts RANGE BETWEEN INTERVAL '2' SECOND PRECEDING AND CURRENT ROW) AS n, SUM(b) OVER (ORDER BY ts RANGE BETWEEN INTERVAL '2' SECOND PRECEDING AND CURRENT ROW) AS s FROM readings

== over rows with late rows
SELECT sensor, ts, COUNT(*) OVER (PARTITION BY sensor ORDER BY ts ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) AS n, SUM(i) OVER (PARTITION BY sensor ORDER BY ts ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) AS s FROM readings

== over an unbounded range with late rows
SELECT sensor, ts, COUNT(*) OVER (PARTITION BY sensor ORDER BY ts) AS n, SUM(i) OVER (PARTITION BY sensor ORDER BY ts) AS s FROM readings

== over a range of nothing with late rows and equal times
SELECT sensor, ts, COUNT(*) OVER (PARTITION BY sensor ORDER BY ts RANGE BETWEEN INTERVAL '0' SECOND PRECEDING AND CURRENT ROW) AS n FROM ticks

== the first of each by another column than time [key: 1]
SELECT sensor, v, b FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY sensor ORDER BY v DESC, b) AS rn FROM patient) WHERE rn <= 1

== a frame of the current row alone [refused: Flink has none either]
SELECT sensor, COUNT(*) OVER (PARTITION BY sensor ORDER BY ts ROWS BETWEEN CURRENT ROW AND CURRENT ROW) AS n FROM patient

== the elements of an array
SELECT id, el FROM edges CROSS JOIN UNNEST(arr) AS u(el)

== the elements of an array, with a comma and another name of the table
SELECT e.id, u.el FROM edges AS e, UNNEST(e.arr) AS u(el) WHERE u.el > 1

== the elements of an array, with a condition
SELECT id, el FROM edges INNER JOIN UNNEST(arr) AS u(el) ON TRUE WHERE el > id

== the elements of an array with their numbers
SELECT id, el, n FROM edges CROSS JOIN UNNEST(arr) WITH ORDINALITY AS u(el, n)

== the elements of an array, and rows without any
SELECT id, el FROM edges LEFT JOIN UNNEST(arr) AS u(el) ON TRUE

== the numbered elements of an array, and rows without any
SELECT id, el, n FROM edges LEFT JOIN UNNEST(arr) WITH ORDINALITY AS u(el, n) ON TRUE

== all columns with the elements of an array
SELECT * FROM (SELECT id, arr FROM edges) CROSS JOIN UNNEST(arr) AS u(el)

== the rows of an array
SELECT id, k, w FROM edges CROSS JOIN UNNEST(ARRAY[ROW(i, str), ROW(j, str2)]) AS u(k, w)

== the rows of an array with their numbers
SELECT id, k, w, n FROM edges CROSS JOIN UNNEST(ARRAY[ROW(i, str), ROW(j, str2)]) WITH ORDINALITY AS u(k, w, n)

== the rows of an array, one of which is NULL
SELECT id, k, w FROM edges CROSS JOIN UNNEST(ARRAY[rec, ROW(j, str2)]) AS u(k, w)

== the rows of an array that may be NULL, and rows without any
SELECT id, k, w FROM edges LEFT JOIN UNNEST(ARRAY[rec]) AS u(k, w) ON TRUE

== the elements of a computed array
SELECT sensor, el FROM patient CROSS JOIN UNNEST(ARRAY[i, i + 1, CAST(t AS INT)]) AS u(el)

== the parts of a text
SELECT id, el FROM edges CROSS JOIN UNNEST(SPLIT(str, ',')) AS u(el)

== windows over the elements of arrays
CREATE VIEW elements AS SELECT sensor, ts, el FROM readings CROSS JOIN UNNEST(ARRAY[i, i + 1]) AS u(el);
SELECT sensor, window_start, COUNT(*) AS n, SUM(el) AS s
FROM TABLE(TUMBLE(TABLE elements, DESCRIPTOR(ts), INTERVAL '20' SECOND)) GROUP BY sensor, window_start, window_end

== groups of the elements of arrays [key: 1]
SELECT el, COUNT(*) AS n FROM readings CROSS JOIN UNNEST(ARRAY[MOD(i, 3), 7]) AS u(el) GROUP BY el

== a left join of elements with a condition [refused: a row without elements that fit would be filled with nulls]
SELECT id, el FROM edges LEFT JOIN UNNEST(arr) AS u(el) ON el > 1

== elements of an array that is of no table [refused: kept for later]
SELECT el FROM UNNEST(ARRAY[1, 2]) AS u(el)

== elements of what is no array [refused: there are none]
SELECT id, el FROM edges CROSS JOIN UNNEST(str) AS u(el)
