-- What each meter took, and demand response: when the oil of the transformer runs hot, the chargers
-- behind it get less.
--
--   ./sedge broker
--   ./sedge simulate grid --speed 10 --fault evening-peak@2m..12m
--   ./sedge run examples/energy/transformer.sql

CREATE TABLE readings (
  zone STRING, machine STRING, quantity STRING,
  ts BIGINT, `value` DOUBLE,
  event_time AS TO_TIMESTAMP_LTZ(ts, 3),
  WATERMARK FOR event_time AS event_time - INTERVAL '1' SECOND
) WITH (
  'connector' = 'mqtt',
  'url' = '${BROKER:-mqtt://localhost:1883}',
  'topic' = 'grid/{zone}/{machine}/{quantity}',
  'format' = 'json',
  'scan.watermark.max-ahead' = '0'            -- the simulated clock may run ahead of this one
);

CREATE TABLE limits (zone STRING, machine STRING, quantity STRING, `value` DOUBLE) WITH (
  'connector' = 'mqtt',
  'url' = '${BROKER:-mqtt://localhost:1883}',
  'topic' = 'grid/{zone}/{machine}/set/{quantity}',
  'format' = 'json'
);

-- A quarter of an hour is usual: INTERVAL '15' MINUTE.
SELECT
  machine,
  DATE_FORMAT(window_end, 'HH:mm') AS `until`,
  ROUND(AVG(`value`), 2) AS mean_kw,
  ROUND(MAX(`value`), 2) AS most_kw,
  ROUND(AVG(`value`) / 30, 3) AS kwh
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(event_time), INTERVAL '2' MINUTE))
WHERE quantity = 'power'
GROUP BY machine, window_start, window_end;

CREATE VIEW transformers AS
SELECT zone, window_time, AVG(`value`) AS oil
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(event_time), INTERVAL '20' SECOND))
WHERE quantity = 'oil_temperature'
GROUP BY zone, window_start, window_end, window_time;

-- Hot above 75 °C, cool below 60 °C; in between it stays what it was.
CREATE VIEW states AS
SELECT
  zone, window_time,
  COALESCE(LAST_VALUE(CASE WHEN oil > 75 THEN 1 WHEN oil < 60 THEN 0 END) OVER (
    PARTITION BY zone ORDER BY window_time
    ROWS BETWEEN 1000 PRECEDING AND CURRENT ROW), 0) AS hot
FROM transformers;

INSERT INTO limits
SELECT zone, charger, 'limit', CASE hot WHEN 1 THEN 4.0E0 ELSE 11.0E0 END
FROM (
  SELECT
    zone, hot,
    LAG(hot, 1, 0) OVER (PARTITION BY zone ORDER BY window_time) AS hot_before,
    ARRAY['charger-1', 'charger-2', 'charger-3'] AS chargers
  FROM states)
CROSS JOIN UNNEST(chargers) AS c(charger)
WHERE hot <> hot_before;
