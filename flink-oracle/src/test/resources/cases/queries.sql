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
