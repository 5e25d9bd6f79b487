-- Ventilation by demand: rooms get more air when the CO2 in them rises, and each floor's energy is counted.
-- A damper that does not open as it is told is reported.
--
--   ./sedge broker
--   ./sedge simulate building --speed 600 --rate 0.02 --fault full-house@30m..4h --fault stuck-damper@1h --fault full-house:floor-2/room-201@1h..5h
--   ./sedge run examples/buildings/ventilation.sql
--
-- An hour of the building's passes in six seconds, and a sensor speaks every 50 s.

CREATE TABLE readings (
  zone STRING, machine STRING, quantity STRING,
  ts BIGINT, `value` DOUBLE,
  event_time AS TO_TIMESTAMP_LTZ(ts, 3),
  WATERMARK FOR event_time AS event_time - INTERVAL '1' SECOND
) WITH (
  'connector' = 'mqtt',
  'url' = '${BROKER:-mqtt://localhost:1883}',
  'topic' = 'building/{zone}/{machine}/{quantity}',
  'format' = 'json',
  'scan.watermark.max-ahead' = '0'            -- the simulated clock may run ahead of this one
);

CREATE TABLE set_points (zone STRING, machine STRING, quantity STRING, `value` DOUBLE) WITH (
  'connector' = 'mqtt',
  'url' = '${BROKER:-mqtt://localhost:1883}',
  'topic' = 'building/{zone}/{machine}/set/{quantity}',
  'format' = 'json'
);

-- The broker keeps the last one of each room, for whoever looks later.
CREATE TABLE maintenance (`floor` STRING, room STRING, `until` STRING, stuck BOOLEAN, damper DOUBLE, airflow DOUBLE) WITH (
  'connector' = 'mqtt',
  'url' = '${BROKER:-mqtt://localhost:1883}',
  'topic' = 'building-maintenance/{floor}/{room}',
  'format' = 'json',
  'retain' = 'true'
);

CREATE VIEW rooms AS
SELECT
  zone, machine, window_start, window_end, window_time,
  AVG(`value`) FILTER (WHERE quantity = 'co2') AS co2,
  AVG(`value`) FILTER (WHERE quantity = 'temperature') AS temperature,
  MAX(`value`) FILTER (WHERE quantity = 'occupancy') AS people,
  MIN(`value`) FILTER (WHERE quantity = 'damper') AS damper,
  MAX(`value`) FILTER (WHERE quantity = 'airflow') AS airflow
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(event_time), INTERVAL '5' MINUTE))
WHERE machine LIKE 'room-%'
GROUP BY zone, machine, window_start, window_end, window_time;

CREATE VIEW outdoors AS
SELECT window_start, window_end, AVG(`value`) AS co2
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(event_time), INTERVAL '5' MINUTE))
WHERE zone = 'roof' AND quantity = 'co2'
GROUP BY window_start, window_end;

CREATE VIEW air AS
SELECT r.*, r.co2 - o.co2 AS above
FROM rooms AS r JOIN outdoors AS o ON r.window_start = o.window_start AND r.window_end = o.window_end;

-- The categories of EN 16798-1 (table B.9), in ppm above the air outdoors: I is the best.
SELECT
  zone AS `floor`, machine AS room,
  DATE_FORMAT(window_end, 'HH:mm') AS `until`,
  people,
  ROUND(co2) AS co2,
  CASE WHEN above <= 550 THEN 'I' WHEN above <= 800 THEN 'II' WHEN above <= 1350 THEN 'III' WHEN above > 1350 THEN 'IV' END AS category,
  ROUND(temperature, 1) AS temperature,
  damper, airflow
FROM air;

-- Open above category II, and not before it is category I again does it go back to a quarter. Stuck:
-- for five minutes less air than 70 % of what the damper should let through, which is 360 m³/h when it
-- is open (the limits are those of ASHRAE Guideline 36 for an alarm of low airflow). While a sensor says
-- nothing each stays what it was, for three days (1,000 windows) at most.
CREATE VIEW states AS
SELECT
  *,
  COALESCE(LAST_VALUE(CASE WHEN above > 800 THEN 1 WHEN above < 550 THEN 0 END) OVER w, 0) AS stale,
  COALESCE(LAST_VALUE(
    CASE WHEN airflow < 0.7 * 360 * damper / 100 THEN 1 WHEN airflow >= 0.7 * 360 * damper / 100 THEN 0 END) OVER w, 0) AS stuck
FROM air
WINDOW w AS (PARTITION BY zone, machine ORDER BY window_time ROWS BETWEEN 1000 PRECEDING AND CURRENT ROW);

-- What has changed is told, and what is so when the script starts.

INSERT INTO set_points
SELECT zone, machine, 'damper', CASE stale WHEN 1 THEN 100E0 ELSE 25E0 END
FROM (
  SELECT *, LAG(stale) OVER (PARTITION BY zone, machine ORDER BY window_time) AS stale_before
  FROM states)
WHERE stale IS DISTINCT FROM stale_before;

INSERT INTO maintenance
SELECT zone, machine, DATE_FORMAT(window_end, 'HH:mm'), stuck = 1, damper, airflow
FROM (
  SELECT *, LAG(stuck) OVER (PARTITION BY zone, machine ORDER BY window_time) AS stuck_before
  FROM states)
WHERE stuck IS DISTINCT FROM stuck_before;

-- A mean of kilowatts over an hour is the hour's kilowatt-hours.
SELECT
  zone AS `floor`,
  DATE_FORMAT(window_end, 'HH:mm') AS `until`,
  ROUND(AVG(`value`) FILTER (WHERE machine = 'fan'), 3) AS fan_kwh,
  ROUND(AVG(`value`) FILTER (WHERE machine = 'heating'), 3) AS heating_kwh
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(event_time), INTERVAL '1' HOUR))
WHERE quantity = 'power'
GROUP BY zone, window_start, window_end;
