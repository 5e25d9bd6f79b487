-- The plant on a site that reports to a center: readings stay here, a row for each machine and five seconds goes there.
--
--   ./sedge job submit examples/center.sql --data north       (README, "A center", tells how to get there)
--
-- It is the plant of `sedge simulate plant`, with the broker of `sedge broker`.

CREATE TABLE readings (
  zone STRING,
  machine STRING,
  quantity STRING,
  ts BIGINT,                                  -- milliseconds since 1970
  `value` DOUBLE,
  event_time AS TO_TIMESTAMP_LTZ(ts, 3),
  WATERMARK FOR event_time AS event_time - INTERVAL '1' SECOND
) WITH (
  'connector' = 'mqtt',
  'url' = '${BROKER:-mqtt://localhost:1883}',
  'topic' = 'plant/{zone}/{machine}/{quantity}',
  'format' = 'json',
  'scan.watermark.max-ahead' = '0',           -- the simulated plant's clock may run ahead of this one
  'shard.by' = 'machine',
  'shard.values' = 'pump-1;filter-1;tank-1;pump-2;valve-1;heater-1;tank-2;valve-2'
);

-- The center has this table for all its sites; `sedge site report` has set the secret.
CREATE TABLE machines (
  machine STRING, quantity STRING, window_end TIMESTAMP(3), readings BIGINT, mean DOUBLE, highest DOUBLE
) WITH ('connector' = 'center', 'credential' = '${secret:center}');

INSERT INTO machines
SELECT machine, quantity, window_end, COUNT(*), AVG(`value`), MAX(`value`)
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(event_time), INTERVAL '5' SECOND))
GROUP BY machine, quantity, window_start, window_end;
