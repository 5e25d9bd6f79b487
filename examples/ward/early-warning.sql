-- The early-warning score of each patient (NEWS2, Royal College of Physicians, 2017): the score leaves
-- the ward, the vital signs do not. Of who scores high the heart is read ten times a second.
-- An example, not a medical device.
--
--   ./sedge broker
--   ./sedge simulate ward --speed 10 --fault sepsis@2m..8m
--   ./sedge run examples/ward/early-warning.sql

CREATE TABLE readings (
  zone STRING, machine STRING, quantity STRING,
  ts BIGINT, `value` DOUBLE,
  event_time AS TO_TIMESTAMP_LTZ(ts, 3),
  WATERMARK FOR event_time AS event_time - INTERVAL '1' SECOND
) WITH (
  'connector' = 'mqtt',
  'url' = '${BROKER:-mqtt://localhost:1883}',
  'topic' = 'ward/{zone}/{machine}/{quantity}',
  'format' = 'json',
  'scan.watermark.max-ahead' = '0'            -- the simulated clock may run ahead of this one
);

CREATE TABLE sampling_rates (zone STRING, machine STRING, quantity STRING, `value` DOUBLE) WITH (
  'connector' = 'mqtt',
  'url' = '${BROKER:-mqtt://localhost:1883}',
  'topic' = 'ward/{zone}/{machine}/rate/{quantity}',
  'format' = 'json'
);

-- The mean of half a minute, as whole as the chart has it.
CREATE VIEW signs AS
SELECT
  zone, machine, window_end, window_time,
  ROUND(AVG(`value`) FILTER (WHERE quantity = 'respiration_rate')) AS respiration,
  ROUND(AVG(`value`) FILTER (WHERE quantity = 'oxygen_saturation')) AS oxygen,
  ROUND(AVG(`value`) FILTER (WHERE quantity = 'systolic_pressure')) AS pressure,
  ROUND(AVG(`value`) FILTER (WHERE quantity = 'heart_rate')) AS pulse,
  ROUND(AVG(`value`) FILTER (WHERE quantity = 'temperature'), 1) AS temperature
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(event_time), INTERVAL '30' SECOND))
GROUP BY zone, machine, window_start, window_end, window_time;

-- Breathing air, and awake: both would add points.
CREATE VIEW scores AS
SELECT
  zone, machine, window_end, window_time,
  CASE WHEN respiration <= 8 THEN 3 WHEN respiration <= 11 THEN 1 WHEN respiration <= 20 THEN 0
       WHEN respiration <= 24 THEN 2 ELSE 3 END
  + CASE WHEN oxygen <= 91 THEN 3 WHEN oxygen <= 93 THEN 2 WHEN oxygen <= 95 THEN 1 ELSE 0 END
  + CASE WHEN pressure <= 90 THEN 3 WHEN pressure <= 100 THEN 2 WHEN pressure <= 110 THEN 1
         WHEN pressure <= 219 THEN 0 ELSE 3 END
  + CASE WHEN pulse <= 40 THEN 3 WHEN pulse <= 50 THEN 1 WHEN pulse <= 90 THEN 0
         WHEN pulse <= 110 THEN 1 WHEN pulse <= 130 THEN 2 ELSE 3 END
  + CASE WHEN temperature <= 35.0 THEN 3 WHEN temperature <= 36.0 THEN 1 WHEN temperature <= 38.0 THEN 0
         WHEN temperature <= 39.0 THEN 1 ELSE 2 END AS score
FROM signs
WHERE respiration IS NOT NULL AND oxygen IS NOT NULL AND pressure IS NOT NULL
  AND pulse IS NOT NULL AND temperature IS NOT NULL;

SELECT
  zone AS room, machine AS bed,
  DATE_FORMAT(window_end, 'HH:mm:ss') AS `until`,
  score,
  CASE WHEN score >= 7 THEN 'emergency' WHEN score >= 5 THEN 'urgent' ELSE '' END AS answer
FROM scores;

CREATE VIEW watched AS
SELECT zone, machine, window_time, CASE WHEN score >= 5 THEN 1 ELSE 0 END AS high FROM scores;

INSERT INTO sampling_rates
SELECT zone, machine, 'heart_rate', CASE high WHEN 1 THEN 10.0E0 ELSE 1.0E0 END
FROM (
  SELECT *, LAG(high, 1, 0) OVER (PARTITION BY zone, machine ORDER BY window_time) AS high_before
  FROM watched)
WHERE high <> high_before;
