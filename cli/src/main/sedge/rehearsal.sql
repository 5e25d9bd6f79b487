-- Run on a site of three devices in one process when sedge is built, so that the virtual machine can keep
-- what it learns from it: it goes through what most jobs of sites use, and shows nothing to anybody.

-- Each device reads its own: a shard each, whose windows one task merges.
CREATE TABLE sensors (
  quantity STRING,
  unit STRING,
  reading DOUBLE,
  ts TIMESTAMP_LTZ(3),
  WATERMARK FOR ts AS ts - INTERVAL '0.2' SECOND
) WITH ('connector' = 'host', 'sampling.rate' = '10 Hz');

CREATE TABLE windows (
  quantity STRING, `until` STRING, readings BIGINT, mean DOUBLE, lowest DOUBLE, highest DOUBLE, deviation DOUBLE
) WITH ('connector' = 'filesystem', 'path' = 'windows', 'format' = 'csv');

CREATE TABLE changes (
  quantity STRING, usual DOUBLE, verdict STRING
) WITH ('connector' = 'blackhole');

-- Its broker is there only while this runs.
CREATE TABLE messages (
  n DOUBLE, machine STRING
) WITH (
  'connector' = 'mqtt', 'url' = '${broker}', 'topic' = 'rehearsal/{machine}', 'format' = 'json',
  'shard.by' = 'machine', 'shard.values' = '1;2;3'
);

CREATE TABLE commands (
  n DOUBLE
) WITH ('connector' = 'mqtt', 'url' = '${broker}', 'topic' = 'rehearsal/commands', 'format' = 'json');

CREATE VIEW measured AS
SELECT quantity, unit, window_end, window_time,
  COUNT(*) AS readings, AVG(reading) AS mean, MIN(reading) AS lowest, MAX(reading) AS highest,
  STDDEV_POP(reading) AS deviation
FROM TABLE(TUMBLE(TABLE sensors, DESCRIPTOR(ts), INTERVAL '0.5' SECOND))
GROUP BY quantity, unit, window_start, window_end, window_time;

EXECUTE STATEMENT SET BEGIN

INSERT INTO windows
SELECT quantity, DATE_FORMAT(window_end, 'HH:mm:ss'), readings, ROUND(mean, 1), lowest, highest, deviation
FROM measured
WHERE quantity LIKE 'cpu%' OR unit = '%';

INSERT INTO changes
SELECT quantity, usual, CASE WHEN ABS(mean - usual) > GREATEST(1, 0.1 * ABS(usual)) THEN CONCAT('odd ', unit) ELSE '' END
FROM (
  SELECT quantity, unit, mean, LAG(mean) OVER along AS usual, COUNT(*) OVER along AS known
  FROM measured
  WINDOW along AS (PARTITION BY quantity ORDER BY window_time))
WHERE known > 1;

INSERT INTO commands SELECT 2 * n FROM messages;

END;
