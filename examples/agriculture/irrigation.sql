-- Drip irrigation: a field gets water when its soil is dry, there is no frost, and the tank has some.
-- Frost is told within ten minutes; each hour and each day have their water.
--
--   ./sedge broker
--   ./sedge simulate farm --speed 600 --rate 0.02 --fault cold-snap@1h..5h --fault pump-failure@6h
--   ./sedge run examples/agriculture/irrigation.sql
--
-- An hour of the farm's passes in six seconds, and a sensor speaks every 50 s, as battery-powered ones do.

CREATE TABLE readings (
  zone STRING, machine STRING, quantity STRING,
  ts BIGINT, `value` DOUBLE,
  event_time AS TO_TIMESTAMP_LTZ(ts, 3),
  WATERMARK FOR event_time AS event_time - INTERVAL '1' SECOND
) WITH (
  'connector' = 'mqtt',
  'url' = '${BROKER:-mqtt://localhost:1883}',
  'topic' = 'farm/{zone}/{machine}/{quantity}',
  'format' = 'json',
  'scan.watermark.max-ahead' = '0'            -- the simulated clock may run ahead of this one
);

CREATE TABLE set_points (zone STRING, machine STRING, quantity STRING, `value` DOUBLE) WITH (
  'connector' = 'mqtt',
  'url' = '${BROKER:-mqtt://localhost:1883}',
  'topic' = 'farm/{zone}/{machine}/set/{quantity}',
  'format' = 'json'
);

-- The broker keeps the last one of each field, for whoever looks later.
CREATE TABLE warnings (field STRING, `until` STRING, frost BOOLEAN, temperature DOUBLE, dew_point DOUBLE) WITH (
  'connector' = 'mqtt',
  'url' = '${BROKER:-mqtt://localhost:1883}',
  'topic' = 'farm-warnings/{field}',
  'format' = 'json',
  'retain' = 'true'
);

CREATE VIEW fields AS
SELECT
  zone, window_start, window_end, window_time,
  AVG(`value`) FILTER (WHERE quantity = 'moisture') AS moisture,
  MIN(`value`) FILTER (WHERE quantity = 'temperature') AS temperature,
  AVG(`value`) FILTER (WHERE quantity = 'humidity') AS humidity
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(event_time), INTERVAL '10' MINUTE))
WHERE zone <> 'yard'
GROUP BY zone, window_start, window_end, window_time;

CREATE VIEW tanks AS
SELECT window_start, window_end, AVG(`value`) AS level
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(event_time), INTERVAL '10' MINUTE))
WHERE machine = 'tank'
GROUP BY window_start, window_end;

-- What share of the water that roots can take is gone: 0 at the soil's field capacity, 1 at its wilting
-- point (FAO Irrigation and Drainage Paper 56, equations 82 and 87). The hollow is loam, the slope sandy loam.
-- The dew point by the formula of Magnus (WMO-No. 8): in dry air frost comes without rime.
CREATE VIEW conditions AS
SELECT
  f.zone, f.window_end, f.window_time, f.temperature, t.level,
  CASE f.zone WHEN 'hollow' THEN (27 - f.moisture) / (27 - 13) ELSE (20 - f.moisture) / (20 - 8) END AS depleted,
  243.12 * (LN(f.humidity / 100) + 17.62 * f.temperature / (243.12 + f.temperature))
    / (17.62 - LN(f.humidity / 100) - 17.62 * f.temperature / (243.12 + f.temperature)) AS dew_point
FROM fields AS f LEFT JOIN tanks AS t ON f.window_start = t.window_start AND f.window_end = t.window_end;

-- Dry when 40 % is gone, until it is all but back (table 22 of the same paper has the share of each crop);
-- frost below 1 °C, as leaves are colder than the air; little water below 10 %, or where the tank says
-- nothing. In between each stays what it was, for a week (1,000 windows) at most.
CREATE VIEW states AS
SELECT
  *,
  COALESCE(LAST_VALUE(CASE WHEN depleted > 0.40 THEN 1 WHEN depleted < 0.05 THEN 0 END) OVER w, 0) AS dry,
  COALESCE(LAST_VALUE(CASE WHEN temperature < 1 THEN 1 WHEN temperature > 3 THEN 0 END) OVER w, 0) AS frost,
  COALESCE(LAST_VALUE(CASE WHEN level < 10 OR level IS NULL THEN 1 WHEN level > 30 THEN 0 END) OVER w, 0) AS low
FROM conditions
WINDOW w AS (PARTITION BY zone ORDER BY window_time ROWS BETWEEN 1000 PRECEDING AND CURRENT ROW);

CREATE VIEW decisions AS
SELECT *, CASE WHEN dry = 1 AND frost = 0 AND low = 0 THEN 1 ELSE 0 END AS wanted FROM states;

-- What has changed is told, and what is so when the script starts: a valve may be open from before.
INSERT INTO set_points
SELECT zone, 'valve', 'open', CAST(wanted AS DOUBLE)
FROM (
  SELECT *, LAG(wanted) OVER (PARTITION BY zone ORDER BY window_time) AS wanted_before
  FROM decisions)
WHERE wanted IS DISTINCT FROM wanted_before;

INSERT INTO warnings
SELECT
  zone, DATE_FORMAT(window_end, 'HH:mm'), frost = 1, ROUND(temperature, 1), ROUND(dew_point, 1)
FROM (
  SELECT *, LAG(frost) OVER (PARTITION BY zone ORDER BY window_time) AS frost_before
  FROM states)
WHERE frost IS DISTINCT FROM frost_before;

-- The meters count from their start on, so an hour's water is what has come to the count. Leaves that
-- stay wet get ill.
SELECT
  zone AS field,
  DATE_FORMAT(window_end, 'HH:mm') AS `until`,
  ROUND(moisture, 1) AS moisture,
  ROUND(temperature, 1) AS temperature,
  ROUND(60 * wet) AS wet_minutes,
  ROUND(meter - LAG(meter) OVER (PARTITION BY zone ORDER BY window_time), 1) AS m3
FROM (
  SELECT
    zone, window_end, window_time,
    AVG(`value`) FILTER (WHERE quantity = 'moisture') AS moisture,
    AVG(`value`) FILTER (WHERE quantity = 'temperature') AS temperature,
    AVG(CASE WHEN `value` > 50 THEN 1E0 ELSE 0E0 END) FILTER (WHERE quantity = 'wetness') AS wet,
    MAX(`value`) FILTER (WHERE quantity = 'water') AS meter
  FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(event_time), INTERVAL '1' HOUR))
  WHERE zone <> 'yard'
  GROUP BY zone, window_start, window_end, window_time);

-- A day's water beside what grass would have used, both in mm: evapotranspiration by Hargreaves (equation
-- 52 of the same paper). The sun sends 33.2 MJ/m² a day to 45° north in April (its equation 21), of
-- which each evaporates 0.408 mm. A field has 5,000 m². The first day is the part of it that was seen.
SELECT
  zone AS field,
  DATE_FORMAT(window_start, 'yyyy-MM-dd') AS `day`,
  ROUND(1000 * m3 / 5000, 1) AS irrigated_mm,
  ROUND(0.0023 * ((warmest + coldest) / 2 + 17.8) * SQRT(warmest - coldest) * 33.2 * 0.408, 1) AS et0_mm
FROM (
  SELECT
    zone, window_start,
    MAX(`value`) FILTER (WHERE quantity = 'temperature') AS warmest,
    MIN(`value`) FILTER (WHERE quantity = 'temperature') AS coldest,
    MAX(`value`) FILTER (WHERE quantity = 'water') - MIN(`value`) FILTER (WHERE quantity = 'water') AS m3
  FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(event_time), INTERVAL '1' DAY))
  WHERE zone <> 'yard'
  GROUP BY zone, window_start, window_end);
