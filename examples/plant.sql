-- A plant over MQTT: windows for each sensor, and two commands that change set-points.
--
--   ./sedge broker
--   ./sedge simulate plant --speed 10 --fault bearing-wear@2m..8m
--   ./sedge run examples/plant.sql
--
-- docs/plant.md says what there is in the plant and what its faults do.

-- Each sensor has a topic: plant/process/pump-2/flow. The parts of the topic are columns, like the members
-- of the payload: {"ts": 1767225600000, "value": 17.6, "seq": 42}.
CREATE TABLE readings (
  zone STRING,
  machine STRING,
  quantity STRING,
  ts BIGINT,                                  -- milliseconds since 1970
  `value` DOUBLE,
  event_time AS TO_TIMESTAMP_LTZ(ts, 3),
  WATERMARK FOR event_time AS event_time - INTERVAL '1' SECOND
) WITH (
  'connector' = 'mqtt',
  'url' = '${BROKER:-mqtt://localhost:1883}',
  'topic' = 'plant/{zone}/{machine}/{quantity}',
  'format' = 'json',
  'scan.watermark.max-ahead' = '0'            -- the simulated plant's clock may run ahead of this one
);

-- A row written here becomes a command, on plant/process/pump-2/set/speed for example.
CREATE TABLE set_points (
  zone STRING,
  machine STRING,
  quantity STRING,
  `value` DOUBLE
) WITH (
  'connector' = 'mqtt',
  'url' = '${BROKER:-mqtt://localhost:1883}',
  'topic' = 'plant/{zone}/{machine}/set/{quantity}',
  'format' = 'json'
);

CREATE VIEW windows AS
SELECT
  zone, machine, quantity,
  window_end,
  window_time,
  COUNT(*) AS readings,
  AVG(`value`) AS mean,
  MIN(`value`) AS lowest,
  MAX(`value`) AS highest
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(event_time), INTERVAL '10' SECOND))
GROUP BY zone, machine, quantity, window_start, window_end, window_time;

-- A bearing is hot above 80 °C and cool below 60 °C; in between it stays what it was. LAST_VALUE passes over
-- the NULLs in between.
CREATE VIEW bearings AS
SELECT
  zone, machine, window_time,
  COALESCE(LAST_VALUE(CASE WHEN mean > 80 THEN 1 WHEN mean < 60 THEN 0 END) OVER (
    PARTITION BY zone, machine ORDER BY window_time
    ROWS BETWEEN 1000 PRECEDING AND CURRENT ROW), 0) AS hot
FROM windows
WHERE machine = 'pump-2' AND quantity = 'bearing_temperature';

-- Slow the pump down when its bearing becomes hot, and let it run again when it has cooled down.
INSERT INTO set_points
SELECT zone, machine, 'speed', CASE hot WHEN 1 THEN 1800.0E0 ELSE 2610.0E0 END
FROM (
  SELECT *, LAG(hot, 1, 0) OVER (PARTITION BY zone, machine ORDER BY window_time) AS hot_before
  FROM bearings)
WHERE hot <> hot_before;

-- The first tank is low below 1.0 m, and well again above 1.4 m.
CREATE VIEW tanks AS
SELECT
  zone, machine, window_time,
  COALESCE(LAST_VALUE(CASE WHEN mean < 1.0 THEN 1 WHEN mean > 1.4 THEN 0 END) OVER (
    PARTITION BY zone, machine ORDER BY window_time
    ROWS BETWEEN 1000 PRECEDING AND CURRENT ROW), 0) AS low
FROM windows
WHERE machine = 'tank-1' AND quantity = 'level';

-- Give the consumers less while it is low.
INSERT INTO set_points
SELECT 'storage', 'valve-2', 'position', CASE low WHEN 1 THEN 50.0E0 ELSE 77.0E0 END
FROM (
  SELECT *, LAG(low, 1, 0) OVER (PARTITION BY zone, machine ORDER BY window_time) AS low_before
  FROM tanks)
WHERE low <> low_before;

-- What you see.
SELECT
  zone, machine, quantity,
  DATE_FORMAT(window_end, 'HH:mm:ss') AS `until`,
  readings, mean, lowest, highest
FROM windows;
