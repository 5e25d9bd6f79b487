-- What each of many sites computes of its own readings, so that a cluster of Flink can make the windows of all of them:
-- counts, sums, least and greatest of each machine and minute. Each site's rows go to a topic of Kafka, once:
--
--   ./sedge site report --to kafka://localhost:9092 --as north
--   ./sedge job submit examples/topics-site.sql
--
-- topics-flink.sql merges them. docs/flink.md, "Windows of many sites", tells more.

SET 'table.local-time-zone' = 'UTC';

CREATE TABLE readings (
  machine STRING,
  v DOUBLE,
  ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp',
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = '${READINGS:-readings}',
  'properties.bootstrap.servers' = '${KAFKA:-localhost:9092}',
  'scan.startup.mode' = 'earliest-offset',
  'scan.bounded.mode' = '${UNTIL:-unbounded}',
  'format' = 'json'
);

CREATE TABLE parts (
  machine STRING, part_time TIMESTAMP_LTZ(3), reading_count BIGINT, total DOUBLE, lowest DOUBLE, highest DOUBLE
) WITH ('connector' = 'center', 'credential' = '${secret:center}');      -- the topic sedge.parts

INSERT INTO parts
SELECT machine, window_start, COUNT(v), SUM(v), MIN(v), MAX(v)
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
GROUP BY machine, window_start, window_end;
