-- The health of this machine: watches every sensor it has, and looks closer where something is odd.
--
--   ./sedge run examples/machine-health.sql
--
-- then, in another terminal, give it something to notice:
--
--   timeout 20 sh -c 'while :; do :; done'
--
-- It is Flink SQL. The only thing in it that Flink does not have is the connector 'host': with another
-- source of (quantity, unit, reading, ts) and another sink it runs there as it is.

-- The machine's sensors as a stream: the load of each core, memory, disks, network, temperatures, fans.
-- Each is read ten times a second. A watermark one second behind the newest reading says when a window
-- has all that belongs to it.
CREATE TABLE sensors (
  quantity STRING,                -- which sensor: cpu.load.0, memory.used, disk.sda.written
  unit STRING,                    -- of its readings: %, By, By/s, 1/s, Cel
  reading DOUBLE,
  ts TIMESTAMP_LTZ(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'host',
  'sampling.rate' = '10 Hz'
);

-- The same connector the other way: a row written here is a command. It sets how often that one sensor
-- is read from now on.
CREATE TABLE sampling_rates (
  quantity STRING,
  sampling_rate_hz DOUBLE,
  reason STRING
) WITH (
  'connector' = 'host'
);

-- Five seconds of each quantity in a row.
CREATE VIEW windows AS
SELECT
  quantity,
  unit,
  window_end,
  window_time,                    -- the window's last moment; the queries below go along it
  COUNT(*) AS readings,
  AVG(reading) AS mean,
  MIN(reading) AS lowest,
  MAX(reading) AS highest,
  STDDEV_POP(reading) AS deviation
FROM TABLE(TUMBLE(TABLE sensors, DESCRIPTOR(ts), INTERVAL '5' SECOND))
GROUP BY quantity, unit, window_start, window_end, window_time;

-- What is usual for a quantity: the mean of its last twelve windows, a minute, and how far they spread.
CREATE VIEW minutes AS
SELECT
  *,
  COUNT(*) OVER last_minute AS known,
  AVG(mean) OVER last_minute AS minute_mean,
  STDDEV_POP(mean) OVER last_minute AS minute_spread
FROM windows
WINDOW last_minute AS (
  PARTITION BY quantity ORDER BY window_time ROWS BETWEEN 11 PRECEDING AND CURRENT ROW);

-- A window is held against the minute before it, so that it does not excuse itself: LAG is the row before.
CREATE VIEW compared AS
SELECT
  *,
  LAG(known) OVER along AS before,
  LAG(minute_mean) OVER along AS usual,
  LAG(minute_spread) OVER along AS spread
FROM minutes
WINDOW along AS (PARTITION BY quantity ORDER BY window_time);

-- Odd is what is further from the usual than three times the spread. Some quantities hardly move, and
-- then everything would be odd: less than 10 points of a percentage or a quarter of the usual value is
-- not. Nor is anything until there are four windows to compare with.
CREATE VIEW judged AS
SELECT
  *,
  CASE
    WHEN before >= 4
      AND ABS(mean - usual)
        > GREATEST(3 * spread, CASE unit WHEN '%' THEN 10 ELSE 0.25 * ABS(usual) END)
    THEN 1 ELSE 0
  END AS odd
FROM compared;

-- One odd window is enough to look closer; to look away again takes two in a row that are not odd.
CREATE VIEW watched AS
SELECT
  *,
  MAX(odd) OVER (
    PARTITION BY quantity ORDER BY window_time ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS watching
FROM judged;

CREATE VIEW changes AS
SELECT
  *,
  LAG(watching, 1, 0) OVER (PARTITION BY quantity ORDER BY window_time) AS watching_before
FROM watched;

-- A command for each change, not for each window: 100 Hz when it becomes odd, 10 Hz when it is calm again.
INSERT INTO sampling_rates
SELECT
  quantity,
  CASE watching WHEN 1 THEN 100.0E0 ELSE 10.0E0 END,
  CASE watching
    WHEN 1 THEN CONCAT('mean ', CAST(CAST(mean AS DECIMAL(20, 1)) AS STRING), ' ', unit,
      ', usual ', CAST(CAST(usual AS DECIMAL(20, 1)) AS STRING), ' ', unit)
    ELSE 'calm again'
  END
FROM changes
WHERE watching <> watching_before;

-- What you see: one row for each quantity and window. A terminal shows the latest for each quantity, the
-- first column of text.
SELECT
  quantity,
  readings,
  mean,
  lowest,
  highest,
  deviation,
  usual,
  unit,
  DATE_FORMAT(window_end, 'HH:mm:ss') AS `until`,
  CASE watching WHEN 1 THEN 'odd' ELSE '' END AS verdict
FROM watched;
