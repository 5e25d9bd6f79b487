-- Readings of machines from a topic of Kafka: their means each ten seconds to another topic, and the last
-- mean of each machine to a third one, which keeps one record for each machine.
--
--   ./sedge run examples/kafka.sql
--
-- examples/README.md says how to start a broker for it in one line, and what to try.

CREATE TABLE readings (
  machine STRING,
  reading DOUBLE,
  ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp',    -- when the record was written
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = 'readings',
  'properties.bootstrap.servers' = '${KAFKA:-localhost:9092}',
  'properties.group.id' = 'sedge-example',          -- shows how far the job is; the job has its own commits
  'scan.startup.mode' = 'earliest-offset',
  'scan.watermark.idle-timeout' = '5 s',
  'format' = 'json'
);

CREATE TABLE means (
  machine STRING, window_end TIMESTAMP_LTZ(3), mean DOUBLE
) WITH (
  'connector' = 'kafka',
  'topic' = 'means',
  'properties.bootstrap.servers' = '${KAFKA:-localhost:9092}',
  'sink.delivery-guarantee' = 'exactly-once',
  'key.format' = 'raw', 'key.fields' = 'machine',
  'value.format' = 'json'
);

CREATE TABLE latest (
  machine STRING, reading_count BIGINT, mean DOUBLE,
  PRIMARY KEY (machine) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka',
  'topic' = 'latest',
  'properties.bootstrap.servers' = '${KAFKA:-localhost:9092}',
  'key.format' = 'raw',
  'value.format' = 'json'
);

INSERT INTO means
SELECT machine, window_end, AVG(reading)
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '10' SECOND))
GROUP BY machine, window_start, window_end;

INSERT INTO latest
SELECT machine, COUNT(*), AVG(reading) FROM readings GROUP BY machine;
