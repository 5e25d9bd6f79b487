-- Signals that follow the traffic: each road gets of the green time what comes on it.
--
--   ./sedge broker
--   ./sedge simulate traffic --speed 10 --fault rush@4m..14m
--   ./sedge run examples/traffic/signals.sql

CREATE TABLE readings (
  zone STRING, machine STRING, quantity STRING,
  ts BIGINT, `value` DOUBLE,
  event_time AS TO_TIMESTAMP_LTZ(ts, 3),
  WATERMARK FOR event_time AS event_time - INTERVAL '1' SECOND
) WITH (
  'connector' = 'mqtt',
  'url' = '${BROKER:-mqtt://localhost:1883}',
  'topic' = 'traffic/{zone}/{machine}/{quantity}',
  'format' = 'json',
  'scan.watermark.max-ahead' = '0'            -- the simulated clock may run ahead of this one
);

CREATE TABLE set_points (zone STRING, machine STRING, quantity STRING, `value` DOUBLE) WITH (
  'connector' = 'mqtt',
  'url' = '${BROKER:-mqtt://localhost:1883}',
  'topic' = 'traffic/{zone}/{machine}/set/{quantity}',
  'format' = 'json'
);

CREATE VIEW minutes AS
SELECT
  zone AS crossing, window_end, window_time,
  MAX(`value`) FILTER (WHERE machine = 'main' AND quantity = 'arrived') AS main_count,
  MAX(`value`) FILTER (WHERE machine = 'side' AND quantity = 'arrived') AS side_count,
  MAX(`value`) FILTER (WHERE machine = 'main' AND quantity = 'queue') AS main_queue,
  MAX(`value`) FILTER (WHERE machine = 'side' AND quantity = 'queue') AS side_queue,
  MAX(`value`) FILTER (WHERE quantity = 'green') AS green
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(event_time), INTERVAL '2' MINUTE))
GROUP BY zone, window_start, window_end, window_time;

-- Detectors count from their start on, so what came in a window is what has come to the count.
CREATE VIEW came AS
SELECT
  crossing, window_end, window_time, main_queue, side_queue, green,
  main_count - LAG(main_count) OVER (PARTITION BY crossing ORDER BY window_time) AS main_cars,
  side_count - LAG(side_count) OVER (PARTITION BY crossing ORDER BY window_time) AS side_cars
FROM minutes;

-- Webster's rule (1958): 56 of the 60 s of a cycle, divided as the flows are.
CREATE VIEW plans AS
SELECT
  *,
  ROUND(GREATEST(10E0, LEAST(46E0, 56 * main_cars / (main_cars + side_cars)))) AS wanted
FROM came
WHERE main_cars + side_cars > 0;

SELECT
  crossing,
  DATE_FORMAT(window_end, 'HH:mm') AS `until`,
  main_cars, side_cars, main_queue, side_queue, green, wanted
FROM plans;

-- Small differences are chance.
INSERT INTO set_points
SELECT crossing, 'main', 'green', wanted FROM plans WHERE ABS(wanted - green) >= 4;
