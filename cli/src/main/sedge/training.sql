-- Run once when sedge is built, so that the virtual machine can keep what it learns from it:
-- it goes through what most scripts use, and shows nothing to anybody.
CREATE TABLE numbers (
  sensor STRING,
  quantity DOUBLE,
  ts AS LOCALTIMESTAMP,
  WATERMARK FOR ts AS ts - INTERVAL '0.1' SECOND
) WITH ('connector' = 'datagen', 'rows-per-second' = '1000', 'fields.sensor.length' = '1');

SELECT window_start, sensor, COUNT(*) AS n, AVG(quantity) AS mean, STDDEV_POP(quantity) AS deviation
FROM TABLE(TUMBLE(TABLE numbers, DESCRIPTOR(ts), INTERVAL '1' SECOND))
WHERE quantity > 0
GROUP BY window_start, window_end, sensor;
