-- The state of a machine from a web service, asked each second, and what others send by POST: their means each
-- ten seconds go to another service.
--
--   ./sedge run examples/http.sql
--
-- examples/README.md says how to start the services for it in one line each, and what to try.

CREATE TABLE machines (
  machine STRING,
  reading DOUBLE,
  ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp',    -- when the answer came
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'http',
  'url' = '${MACHINES:-http://localhost:8000/machines.json}',
  'poll-interval' = '1 s',
  'scan.watermark.idle-timeout' = '5 s',            -- a version that was read is not read again
  'format' = 'json'
);

CREATE TABLE sent (
  machine STRING,
  reading DOUBLE,
  ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp',
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'webhook',
  'listen' = '127.0.0.1:8088',
  'path' = '/readings',
  'scan.watermark.idle-timeout' = '5 s',
  'format' = 'json'
);

CREATE TABLE means (
  machine STRING, window_end TIMESTAMP_LTZ(3), mean DOUBLE
) WITH (
  'connector' = 'http',
  'url' = '${MEANS:-http://localhost:8089/means}',
  'format' = 'json'
);

CREATE VIEW readings AS
SELECT machine, reading, ts FROM machines UNION ALL SELECT machine, reading, ts FROM sent;

INSERT INTO means
SELECT machine, window_end, AVG(reading)
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '10' SECOND))
GROUP BY machine, window_start, window_end;
