-- A model of how vibration and temperature of a bearing go together, which devices train from what they have kept.
-- A row far from that is strange: its q is large. Then the pump is told to go slower, before its bearing is hot.
--
--   ./sedge broker
--   ./sedge simulate plant --speed 10 --fault bearing-wear@30m..40m
--   ./sedge job submit examples/learn.sql          on a site, or ./sedge run, which trains as it begins
--   ./sedge model train bearing                    after five minutes, which are fifty of the plant's
--   ./sedge model show bearing
--
-- docs/learning.md says what leaves a device (sums) and what stays there (rows).

CREATE TABLE readings (
  zone STRING,
  machine STRING,
  topic STRING METADATA,
  ts BIGINT,                      -- milliseconds since 1970
  `value` DOUBLE,
  quantity AS SPLIT_INDEX(topic, '/', 3),
  event_time AS TO_TIMESTAMP_LTZ(ts, 3),
  WATERMARK FOR event_time AS event_time - INTERVAL '1' SECOND
) WITH (
  'connector' = 'mqtt',
  'url' = '${BROKER:-mqtt://localhost:1883}',
  -- Of pumps alone: what else the plant has is not asked for, and nobody is warned of it.
  'topic' = 'plant/{zone}/{machine}/vibration;plant/{zone}/{machine}/bearing_temperature',
  'format' = 'json',
  'scan.watermark.max-ahead' = '0',          -- the simulated plant's clock may run ahead of this one
  'shard.by' = 'machine',                    -- each pump is read by one device of the site
  'shard.values' = 'pump-1;pump-2',
  'keep' = '7 d'                             -- what the model learns from stays on the device that read it
);

-- The same readings, as they were kept.
CREATE TABLE kept (
  zone STRING,
  machine STRING,
  topic STRING,
  ts BIGINT,                      -- milliseconds since 1970
  `value` DOUBLE,
  quantity AS SPLIT_INDEX(topic, '/', 3),
  event_time AS TO_TIMESTAMP_LTZ(ts, 3),
  WATERMARK FOR event_time AS event_time - INTERVAL '1' SECOND
) WITH ('connector' = 'history', 'table' = 'readings');

CREATE VIEW now_rows AS
SELECT zone, machine, window_end AS ts, window_time,
  AVG(`value`) FILTER (WHERE quantity = 'vibration') AS vibration,
  AVG(`value`) FILTER (WHERE quantity = 'bearing_temperature') AS temperature
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(event_time), INTERVAL '5' SECOND))
GROUP BY zone, machine, window_start, window_end, window_time;

CREATE VIEW kept_rows AS
SELECT machine, window_end AS ts,
  AVG(`value`) FILTER (WHERE quantity = 'vibration') AS vibration,
  AVG(`value`) FILTER (WHERE quantity = 'bearing_temperature') AS temperature
FROM TABLE(TUMBLE(TABLE kept, DESCRIPTOR(event_time), INTERVAL '5' SECOND))
GROUP BY machine, window_start, window_end;

CREATE MODEL bearing INPUT (vibration DOUBLE, temperature DOUBLE) OUTPUT (q DOUBLE, t2 DOUBLE)
WITH ('provider' = 'site', 'algorithm' = 'pca', 'explained' = '0.6', 'train.every' = '1 d')
AS SELECT ts, vibration, temperature FROM kept_rows;

CREATE TABLE strange (machine STRING, ts TIMESTAMP_LTZ(3), vibration DOUBLE, temperature DOUBLE, q DOUBLE, t2 DOUBLE)
WITH ('connector' = 'print');

-- Before there is a version q and t2 are NULL, and no row comes.
CREATE VIEW scored AS
SELECT zone, machine, ts, window_time, vibration, temperature, q, t2
FROM ML_PREDICT(TABLE now_rows, MODEL bearing, DESCRIPTOR(vibration, temperature));

INSERT INTO strange
SELECT machine, ts, vibration, temperature, q, t2 FROM scored WHERE q > 6 OR t2 > 12;

CREATE TABLE set_points (zone STRING, machine STRING, quantity STRING, `value` DOUBLE) WITH (
  'connector' = 'mqtt',
  'url' = '${BROKER:-mqtt://localhost:1883}',
  'topic' = 'plant/{zone}/{machine}/set/{quantity}',
  'format' = 'json'
);

-- When pump-2 becomes strange. Whoever has mended it gives it its speed back.
INSERT INTO set_points
SELECT zone, machine, 'speed', 1800.0E0
FROM (
  SELECT zone, machine, strange,
    LAG(strange, 1, 0) OVER (PARTITION BY zone, machine ORDER BY window_time) AS strange_before
  FROM (SELECT *, CASE WHEN q > 6 OR t2 > 12 THEN 1 ELSE 0 END AS strange FROM scored)
)
WHERE machine = 'pump-2' AND strange = 1 AND strange_before = 0;
