-- Windows of all sites that run topics-site.sql and report to Kafka: the mean of each machine and minute.
--
--   ./sedge flink submit examples/topics-flink.sql --to http://localhost:8081
--
-- docs/flink.md, "Windows of many sites", tells more.

SET 'table.local-time-zone' = 'UTC';
SET 'sedge.commit-interval' = '1 s';                -- on Flink, the interval of checkpoints

CREATE TABLE parts (
  _site STRING,                                     -- each row has who sent it; here it is not used
  machine STRING, part_time TIMESTAMP_LTZ(3), reading_count BIGINT, total DOUBLE, lowest DOUBLE, highest DOUBLE,
  WATERMARK FOR part_time AS part_time - INTERVAL '1' MINUTE            -- a window waits for all rows of the minute
) WITH (
  'connector' = 'kafka',
  'topic' = 'sedge.parts',
  'properties.bootstrap.servers' = '${KAFKA:-localhost:9092}',
  'properties.isolation.level' = 'read_committed',  -- rows of transactions that were committed
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = '${UNTIL:-unbounded}',
  'scan.watermark.idle-timeout' = '1 min',          -- so long a site that is silent is waited for
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
SELECT machine, window_start, SUM(total) / SUM(reading_count), SUM(reading_count)
FROM TABLE(TUMBLE(TABLE parts, DESCRIPTOR(part_time), INTERVAL '1' MINUTE))
GROUP BY machine, window_start, window_end;
