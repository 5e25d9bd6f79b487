-- A quarter of an hour of the plant from a file, minute by minute: which bearing is getting warmer?
--
--   ./sedge run examples/files.sql
--
-- The file was recorded with the simulator: a reading of each sensor every ten seconds, and from the fifth
-- minute on a bearing of pump-2 wears. A file ends, and so does this job. With 'replay.speed' = '60' in the
-- options it would come at sixty times its own speed.

CREATE TABLE readings (
  ts TIMESTAMP(3),
  zone STRING,
  machine STRING,
  quantity STRING,
  reading DOUBLE,
  seq BIGINT,
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'examples/data/plant.csv',         -- from where you give the command
  'format' = 'csv'
);

CREATE VIEW minutes AS
SELECT
  machine,
  window_start,
  window_time,
  AVG(reading) AS temperature
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
WHERE quantity = 'bearing_temperature'
GROUP BY machine, window_start, window_end, window_time;

SELECT
  machine,
  DATE_FORMAT(window_start, 'HH:mm') AS `minute`,
  ROUND(temperature, 1) AS temperature,
  ROUND(temperature - LAG(temperature) OVER along, 1) AS rise
FROM minutes
WINDOW along AS (PARTITION BY machine ORDER BY window_time);
