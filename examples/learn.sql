-- A model of how vibration and temperature of a bearing go together, which devices train from what they have kept.
-- A row far from that is strange: its q is large.
--
--   ./sedge broker
--   ./sedge simulate plant --fault bearing-wear@20m..30m
--   ./sedge job submit examples/learn.sql          on a site, or ./sedge run, which trains as it begins
--   ./sedge model train bearing                    after ten minutes
--   ./sedge model show bearing
--
-- docs/learning.md says what leaves a device (sums) and what stays there (rows).

CREATE TABLE readings (
  zone STRING,
  machine STRING,
  quantity STRING,
  ts BIGINT,                      -- milliseconds since 1970
  `value` DOUBLE,
  event_time AS TO_TIMESTAMP_LTZ(ts, 3),
  WATERMARK FOR event_time AS event_time - INTERVAL '1' SECOND
) WITH (
  'connector' = 'mqtt',
  'url' = '${BROKER:-mqtt://localhost:1883}',
  'topic' = 'plant/{zone}/{machine}/{quantity}',
  'format' = 'json',
  'keep' = '7 d'                  -- what the model learns from stays on the device that read it
);

-- The same readings, as they were kept.
CREATE TABLE kept (
  zone STRING,
  machine STRING,
  quantity STRING,
  ts BIGINT,                      -- milliseconds since 1970
  `value` DOUBLE,
  event_time AS TO_TIMESTAMP_LTZ(ts, 3),
  WATERMARK FOR event_time AS event_time - INTERVAL '1' SECOND
) WITH ('connector' = 'history', 'table' = 'readings');

CREATE VIEW now_rows AS
SELECT machine, window_end AS ts,
  AVG(`value`) FILTER (WHERE quantity = 'vibration') AS vibration,
  AVG(`value`) FILTER (WHERE quantity = 'bearing_temperature') AS temperature
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(event_time), INTERVAL '5' SECOND))
GROUP BY machine, window_start, window_end;

CREATE VIEW kept_rows AS
SELECT machine, window_end AS ts,
  AVG(`value`) FILTER (WHERE quantity = 'vibration') AS vibration,
  AVG(`value`) FILTER (WHERE quantity = 'bearing_temperature') AS temperature
FROM TABLE(TUMBLE(TABLE kept, DESCRIPTOR(event_time), INTERVAL '5' SECOND))
GROUP BY machine, window_start, window_end;

CREATE MODEL bearing INPUT (vibration DOUBLE, temperature DOUBLE) OUTPUT (q DOUBLE, t2 DOUBLE)
WITH ('provider' = 'site', 'algorithm' = 'pca', 'explained' = '0.6', 'train.every' = '1 d')
AS SELECT ts, vibration, temperature FROM kept_rows WHERE machine LIKE 'pump%';

CREATE TABLE strange (machine STRING, ts TIMESTAMP_LTZ(3), vibration DOUBLE, temperature DOUBLE, q DOUBLE, t2 DOUBLE)
WITH ('connector' = 'print');

-- Before there is a version q and t2 are NULL, and no row comes.
INSERT INTO strange
SELECT machine, ts, vibration, temperature, q, t2
FROM ML_PREDICT(TABLE now_rows, MODEL bearing, DESCRIPTOR(vibration, temperature))
WHERE machine LIKE 'pump%' AND (q > 6 OR t2 > 12);
