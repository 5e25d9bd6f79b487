-- Keeps what this machine's sensors say for an hour, in at most 64 MB, while it watches them.
--
--   ./sedge run examples/history-keep.sql
--
-- Then, or meanwhile in another terminal, ask what was: ./sedge run examples/history.sql

CREATE TABLE sensors (
  quantity STRING,                -- which sensor: cpu.load.0, memory.used, disk.sda.written
  unit STRING,
  reading DOUBLE,
  ts TIMESTAMP_LTZ(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'host',
  'sampling.rate' = '10 Hz',
  'keep' = '1 h',                 -- in ~/.sedge/history, or below what --data says
  'keep.bytes' = '64 mb'
);

-- What is kept are the readings. What a query makes of them is another matter, and may be little.
SELECT quantity, unit, window_end, AVG(reading) AS mean
FROM TABLE(TUMBLE(TABLE sensors, DESCRIPTOR(ts), INTERVAL '10' SECOND))
WHERE quantity LIKE 'cpu.load.%'
GROUP BY quantity, unit, window_start, window_end;
