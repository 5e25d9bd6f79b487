-- Overall equipment effectiveness of each machine, minute by minute; and a mill with a worn tool is
-- told to go slower before it makes scrap.
--
--   ./sedge broker
--   ./sedge simulate line --speed 10 --fault tool-wear@3m..9m --fault jam@5m..7m
--   ./sedge run examples/manufacturing/oee.sql

CREATE TABLE readings (
  zone STRING, machine STRING, quantity STRING,
  ts BIGINT, `value` DOUBLE,
  event_time AS TO_TIMESTAMP_LTZ(ts, 3),
  WATERMARK FOR event_time AS event_time - INTERVAL '1' SECOND
) WITH (
  'connector' = 'mqtt',
  'url' = '${BROKER:-mqtt://localhost:1883}',
  'topic' = 'line/{zone}/{machine}/{quantity}',
  'format' = 'json',
  'scan.watermark.max-ahead' = '0'            -- the simulated clock may run ahead of this one
);

CREATE TABLE set_points (zone STRING, machine STRING, quantity STRING, `value` DOUBLE) WITH (
  'connector' = 'mqtt',
  'url' = '${BROKER:-mqtt://localhost:1883}',
  'topic' = 'line/{zone}/{machine}/set/{quantity}',
  'format' = 'json'
);

-- A shift instead of a minute: INTERVAL '8' HOUR.
CREATE VIEW minutes AS
SELECT
  zone, machine, window_end, window_time,
  AVG(`value`) FILTER (WHERE quantity = 'running') AS availability,
  MAX(`value`) FILTER (WHERE quantity = 'parts') AS parts,
  MAX(`value`) FILTER (WHERE quantity = 'scrap') AS scrap,
  AVG(`value`) FILTER (WHERE quantity = 'power') AS kw,
  AVG(`value`) FILTER (WHERE quantity = 'vibration') AS vibration
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(event_time), INTERVAL '1' MINUTE))
GROUP BY zone, machine, window_start, window_end, window_time;

-- The machines count parts from their start on, so a minute's are what has come to the count.
CREATE VIEW made AS
SELECT
  zone, machine, window_end, availability, kw,
  parts - LAG(parts) OVER (PARTITION BY zone, machine ORDER BY window_time) AS parts,
  scrap - LAG(scrap) OVER (PARTITION BY zone, machine ORDER BY window_time) AS scrap
FROM minutes;

-- Running time, speed against one part in two seconds, and good parts; their product is OEE.
SELECT
  zone AS line, machine,
  DATE_FORMAT(window_end, 'HH:mm') AS `until`,
  ROUND(100 * availability, 1) AS availability,
  ROUND(100 * parts * 2 / NULLIF(60 * availability, 0), 1) AS performance,
  ROUND(100 * (parts - scrap) / NULLIF(parts, 0), 1) AS quality,
  ROUND(100 * (parts - scrap) * 2 / 60, 1) AS oee,
  ROUND(kw * 1000 / 60 / NULLIF(parts, 0), 1) AS wh_a_piece
FROM made
WHERE parts IS NOT NULL;

-- Worn above 3 mm/s, sharp again below 1.5 mm/s; in between it stays what it was.
CREATE VIEW tools AS
SELECT
  zone, machine, window_time,
  COALESCE(LAST_VALUE(CASE WHEN vibration > 3 THEN 1 WHEN vibration < 1.5 THEN 0 END) OVER (
    PARTITION BY zone, machine ORDER BY window_time
    ROWS BETWEEN 1000 PRECEDING AND CURRENT ROW), 0) AS worn
FROM minutes
WHERE machine = 'mill';

INSERT INTO set_points
SELECT zone, machine, 'feed', CASE worn WHEN 1 THEN 60.0E0 ELSE 100.0E0 END
FROM (
  SELECT *, LAG(worn, 1, 0) OVER (PARTITION BY zone, machine ORDER BY window_time) AS worn_before
  FROM tools)
WHERE worn <> worn_before;
