-- A job that a center gives to many sites, and whose windows it merges: a row for each machine and five seconds, over
-- the readings of all sites.
--
--   ./sedge center job submit examples/fleet.sql --sites zone=north --data hq           (docs/center.md, "Run a job on many sites")
--
-- Readings are made up here; put a table of your own in their place.

SET 'sedge.merge' = 'center';
SET 'table.local-time-zone' = 'UTC';          -- the same at all sites

CREATE TABLE readings (
  machine INT,
  `value` DOUBLE,
  ts TIMESTAMP_LTZ(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'datagen',
  'rows-per-second' = '20',
  'fields.machine.min' = '1',
  'fields.machine.max' = '4',
  'fields.value.min' = '0',
  'fields.value.max' = '100'
);

CREATE TABLE fleet (
  machine INT,
  window_end TIMESTAMP(3),
  readings BIGINT,
  mean DOUBLE,
  highest DOUBLE,
  PRIMARY KEY (machine, window_end) NOT ENFORCED
) WITH ('connector' = 'center', 'credential' = '${secret:center}');

INSERT INTO fleet
SELECT machine, window_end, COUNT(*), AVG(`value`), MAX(`value`)
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '5' SECOND))
GROUP BY machine, window_start, window_end;
