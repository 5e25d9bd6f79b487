-- The mean of each machine a minute, from a topic of Kafka to another one. The same script runs on one machine, on
-- the devices of a site, and on a cluster of Flink 2.3, and gives the same rows:
--
--   ./sedge run examples/flink.sql
--   ./sedge job submit examples/flink.sql
--   ./sedge flink submit examples/flink.sql --to http://localhost:8081
--
-- docs/flink.md says what else Flink needs.

SET 'table.local-time-zone' = 'UTC';
SET 'sedge.commit-interval' = '1 s';                -- on Flink, the interval of checkpoints

CREATE TABLE readings (
  machine STRING,
  v DOUBLE,
  ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp',    -- when the record was written
  part STRING METADATA FROM 'partition',
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = 'readings',
  'properties.bootstrap.servers' = '${KAFKA:-localhost:9092}',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = '${UNTIL:-unbounded}',      -- latest-offset: ends with what is there
  'shard.by' = 'part', 'shard.values' = '*',        -- on a site, a device for each partition; Flink does so by itself
  'format' = 'json'
);

CREATE TABLE means (
  machine STRING, window_start TIMESTAMP_LTZ(3), mean DOUBLE, reading_count BIGINT
) WITH (
  'connector' = 'kafka',
  'topic' = '${MEANS:-means}',
  'properties.bootstrap.servers' = '${KAFKA:-localhost:9092}',
  'format' = 'json'
);

INSERT INTO means
SELECT machine, window_start, AVG(v), COUNT(*)
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
GROUP BY machine, window_start, window_end;
