-- Asks what examples/history-keep.sql has kept: the last ten minutes of every sensor of this machine.
--
--   ./sedge run examples/history.sql

CREATE TABLE past (
  quantity STRING,
  unit STRING,
  reading DOUBLE,
  ts TIMESTAMP_LTZ(3),
  WATERMARK FOR ts AS ts
) WITH (
  'connector' = 'history',
  'table' = 'sensors',
  'job' = 'history-keep',
  'scan.last' = '10 min'
);

-- Minutes of each sensor. The same query over the sensors themselves would have given the same rows.
SELECT quantity, unit, window_end, COUNT(*) AS readings, MIN(reading) AS lowest, MAX(reading) AS highest
FROM TABLE(TUMBLE(TABLE past, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
GROUP BY quantity, unit, window_start, window_end;
