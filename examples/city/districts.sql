-- Air, noise and parking of a city's districts; and the signs of car parks that are nearly full say so.
--
--   ./sedge broker
--   ./sedge simulate city --speed 10 --fault public-event@3m..12m --fault inversion@5m..15m
--   ./sedge run examples/city/districts.sql

CREATE TABLE readings (
  zone STRING, machine STRING, quantity STRING,
  ts BIGINT, `value` DOUBLE,
  event_time AS TO_TIMESTAMP_LTZ(ts, 3),
  WATERMARK FOR event_time AS event_time - INTERVAL '1' SECOND
) WITH (
  'connector' = 'mqtt',
  'url' = '${BROKER:-mqtt://localhost:1883}',
  'topic' = 'city/{zone}/{machine}/{quantity}',
  'format' = 'json',
  'scan.watermark.max-ahead' = '0'            -- the simulated clock may run ahead of this one
);

CREATE TABLE signs (zone STRING, machine STRING, quantity STRING, `value` DOUBLE) WITH (
  'connector' = 'mqtt',
  'url' = '${BROKER:-mqtt://localhost:1883}',
  'topic' = 'city/{zone}/{machine}/set/{quantity}',
  'format' = 'json'
);

-- The mean of noise is that of its energy: ten decibels more are ten times as much.
CREATE VIEW minutes AS
SELECT
  zone, window_end, window_time,
  AVG(`value`) FILTER (WHERE quantity = 'pm2_5') AS pm2_5,
  AVG(`value`) FILTER (WHERE quantity = 'no2') AS no2,
  10 * LOG10(AVG(POWER(10, `value` / 10)) FILTER (WHERE quantity = 'level')) AS noise,
  MIN(`value`) FILTER (WHERE quantity = 'free') AS places
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(event_time), INTERVAL '1' MINUTE))
GROUP BY zone, window_start, window_end, window_time;

SELECT
  zone AS district,
  DATE_FORMAT(window_end, 'HH:mm') AS `until`,
  ROUND(pm2_5, 1) AS pm2_5,
  ROUND(no2, 1) AS no2,
  ROUND(noise, 1) AS noise_db,
  places,
  CASE WHEN pm2_5 > 45 THEN 'the air is bad' ELSE '' END AS note
FROM minutes;

-- Full below 40 places, and not before there are 80 again is it said to be free.
CREATE VIEW car_parks AS
SELECT
  zone, window_time,
  COALESCE(LAST_VALUE(CASE WHEN places < 40 THEN 1 WHEN places > 80 THEN 0 END) OVER (
    PARTITION BY zone ORDER BY window_time
    ROWS BETWEEN 1000 PRECEDING AND CURRENT ROW), 0) AS is_full
FROM minutes;

INSERT INTO signs
SELECT zone, 'sign', 'full', CAST(is_full AS DOUBLE)
FROM (
  SELECT *, LAG(is_full, 1, 0) OVER (PARTITION BY zone ORDER BY window_time) AS full_before
  FROM car_parks)
WHERE is_full <> full_before;
