-- Which readings of this machine are strange? Each is scored by those before it; nothing is trained.
--
--   ./sedge run examples/anomaly.sql
--
-- then, in another terminal, give it something to notice:
--
--   timeout 20 sh -c 'while :; do :; done'
--
-- docs/learning.md says what the scores mean. The connector 'host' and the scores are Sedge's own.

CREATE TABLE sensors (
  quantity STRING,                -- which sensor: cpu.load.0, memory.used, disk.sda.written
  unit STRING,                    -- of its readings: %, By, By/s, 1/s, Cel
  reading DOUBLE,
  ts TIMESTAMP_LTZ(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'host',
  'sampling.rate' = '1 Hz'
);

-- Two questions of each sensor: is this reading far from the mean of the last ones, and has the level changed?
CREATE VIEW scored AS
SELECT
  quantity, unit, reading, ts,
  ANOMALY_SCORE(reading) OVER sensor AS strange,
  CUSUM_SCORE(reading) OVER sensor AS changed
FROM sensors
WINDOW sensor AS (PARTITION BY quantity ORDER BY ts);

-- 8 deviations from the mean; 1 says that the level has changed.
SELECT ts, quantity, reading, unit, ROUND(strange, 1) AS strange, ROUND(changed, 1) AS changed
FROM scored
WHERE strange > 8 OR changed >= 1;
