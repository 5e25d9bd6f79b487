# Input that ends, read whole: execution.runtime-mode = batch.

== filter and projection
SET 'execution.runtime-mode' = 'batch';
SELECT sensor, v * 2 + 1 AS w, i FROM readings WHERE v > 10 AND i < 50 OR ok

== rows whose time is null stay
SET 'execution.runtime-mode' = 'batch';
SELECT sensor, ts FROM readings WHERE ts IS NULL

== distinct rows
SET 'execution.runtime-mode' = 'batch';
SELECT DISTINCT sensor, zone FROM readings

== group by gives final rows
SET 'execution.runtime-mode' = 'batch';
SELECT sensor, COUNT(*) AS n, SUM(i) AS s, MIN(v) AS lo, MAX(v) AS hi, AVG(b) AS ab, COUNT(DISTINCT i) AS di FROM readings GROUP BY sensor

== a filtered aggregate
SET 'execution.runtime-mode' = 'batch';
SELECT zone, COUNT(*) FILTER (WHERE v > 0) AS n, SUM(d) FILTER (WHERE ok) AS s FROM readings GROUP BY zone

== having
SET 'execution.runtime-mode' = 'batch';
SELECT zone, COUNT(*) AS n FROM readings GROUP BY zone HAVING COUNT(*) > 20

== a global aggregate
SET 'execution.runtime-mode' = 'batch';
SELECT COUNT(*) AS n, SUM(v) AS s, MAX(note) AS m, SUM(d) AS d FROM readings

== a global aggregate over nothing
SET 'execution.runtime-mode' = 'batch';
SELECT COUNT(*) AS n, SUM(v) AS s, MAX(ts) AS m, COUNT(DISTINCT sensor) AS d FROM nothing

== a group by over nothing
SET 'execution.runtime-mode' = 'batch';
SELECT sensor, COUNT(*) AS n FROM nothing GROUP BY sensor

== a global aggregate that having drops
SET 'execution.runtime-mode' = 'batch';
SELECT COUNT(*) AS n FROM nothing HAVING COUNT(*) > 0

== groups of groups
SET 'execution.runtime-mode' = 'batch';
SELECT n, COUNT(*) AS sensors FROM (SELECT sensor, COUNT(*) AS n FROM readings GROUP BY sensor) GROUP BY n

== a global aggregate of groups
SET 'execution.runtime-mode' = 'batch';
SELECT SUM(n) AS n, MAX(hi) AS hi FROM (SELECT sensor, COUNT(*) AS n, MAX(v) AS hi FROM readings GROUP BY sensor)

== union all
SET 'execution.runtime-mode' = 'batch';
SELECT sensor, v FROM readings WHERE v > 50 UNION ALL SELECT sensor, CAST(severity AS DOUBLE) FROM alarms

== union
SET 'execution.runtime-mode' = 'batch';
SELECT sensor FROM readings UNION SELECT sensor FROM alarms

== windows have no late rows
SET 'execution.runtime-mode' = 'batch';
SELECT sensor, window_start, window_end, COUNT(*) AS n, SUM(i) AS s FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY sensor, window_start, window_end

== hopping windows
SET 'execution.runtime-mode' = 'batch';
SELECT zone, window_start, window_end, COUNT(*) AS n, MAX(v) AS m FROM TABLE(HOP(TABLE readings, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '20' SECOND)) GROUP BY zone, window_start, window_end

== cumulating windows
SET 'execution.runtime-mode' = 'batch';
SELECT window_start, window_end, COUNT(*) AS n FROM TABLE(CUMULATE(TABLE readings, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '20' SECOND)) GROUP BY window_start, window_end

== windows of instants
SET 'execution.runtime-mode' = 'batch';
SELECT sensor, window_start, window_end, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE zoned, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY sensor, window_start, window_end

== groups of windows
SET 'execution.runtime-mode' = 'batch';
SELECT n, COUNT(*) AS windows FROM (SELECT sensor, window_start, window_end, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY sensor, window_start, window_end) GROUP BY n

== the first rows of all in an order [sorted]
SET 'execution.runtime-mode' = 'batch';
SELECT b, sensor, v FROM readings WHERE b IS NOT NULL ORDER BY b DESC, i, sensor, v LIMIT 7

== rows in any order [sorted]
SET 'execution.runtime-mode' = 'batch';
SELECT DISTINCT i FROM readings ORDER BY i DESC

== rows after some in an order [sorted]
SET 'execution.runtime-mode' = 'batch';
SELECT DISTINCT i FROM readings ORDER BY i LIMIT 5 OFFSET 3

== the groups with the most rows [sorted]
SET 'execution.runtime-mode' = 'batch';
SELECT sensor, COUNT(*) AS n FROM readings GROUP BY sensor ORDER BY n DESC, sensor LIMIT 3

== top n of each group
SET 'execution.runtime-mode' = 'batch';
SELECT zone, i, n, rn FROM (SELECT zone, i, n, ROW_NUMBER() OVER (PARTITION BY zone ORDER BY n DESC, i) AS rn FROM (SELECT zone, i, COUNT(*) AS n FROM readings GROUP BY zone, i)) WHERE rn <= 3

== a part of a ranking
SET 'execution.runtime-mode' = 'batch';
SELECT i, n FROM (SELECT i, n, ROW_NUMBER() OVER (ORDER BY n DESC, i) AS rn FROM (SELECT i, COUNT(*) AS n FROM readings GROUP BY i)) WHERE rn BETWEEN 3 AND 5

== the last of each group
SET 'execution.runtime-mode' = 'batch';
SELECT sensor, ts, v FROM (SELECT sensor, ts, v, ROW_NUMBER() OVER (PARTITION BY sensor ORDER BY ts DESC, v DESC) AS rn FROM readings) WHERE rn = 1

== over all before
SET 'execution.runtime-mode' = 'batch';
SELECT sensor, ts, v, COUNT(*) OVER w AS n, MAX(v) OVER w AS m FROM readings WHERE ts IS NOT NULL WINDOW w AS (PARTITION BY sensor ORDER BY ts RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)

== interval join
SET 'execution.runtime-mode' = 'batch';
SELECT r.sensor, r.ts, r.i, a.severity, a.raised FROM readings r JOIN alarms a ON r.sensor = a.sensor AND r.ts BETWEEN a.raised - INTERVAL '10' SECOND AND a.raised + INTERVAL '5' SECOND

== outer interval join
SET 'execution.runtime-mode' = 'batch';
SELECT r.sensor, r.ts, r.i, a.severity, a.raised FROM readings r FULL JOIN alarms a ON r.sensor = a.sensor AND r.ts BETWEEN a.raised - INTERVAL '10' SECOND AND a.raised + INTERVAL '5' SECOND

== constant rows
SET 'execution.runtime-mode' = 'batch';
SELECT a, COUNT(*) AS n FROM (VALUES (1, 'x'), (2, 'y'), (1, 'z')) AS t(a, b) GROUP BY a
