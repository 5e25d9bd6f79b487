-- A service that takes the means of examples/http.sql and shows them.
--
--   ./sedge run examples/http-means.sql

CREATE TABLE means (
  machine STRING, window_end TIMESTAMP_LTZ(3), mean DOUBLE
) WITH (
  'connector' = 'webhook', 'listen' = '127.0.0.1:8089', 'path' = '/means', 'format' = 'json'
);

SELECT * FROM means;
