-- How long until the first window of a file.
CREATE TABLE readings (
  id STRING, ts TIMESTAMP(3), `value` DOUBLE,
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'bench/src/main/sedge/first-window.csv', 'format' = 'csv');

SELECT id, window_start, COUNT(*) AS n, MIN(`value`) AS lo, MAX(`value`) AS hi, AVG(`value`) AS mean
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '10' SECOND))
GROUP BY id, window_start, window_end;
