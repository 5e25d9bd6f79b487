-- Tanks whose pumps an OPC UA server drives: their levels and pumps are read, and the pumps are switched.
--
--   ./sedge run examples/opcua.sql
--
-- examples/README.md says how to start a server for it, and what to try.

CREATE TABLE levels (
  tank STRING,                                             -- from the node's id
  level DOUBLE,                                            -- cm
  ts TIMESTAMP_LTZ(3) METADATA FROM 'source-timestamp',    -- by the server's clock
  came TIMESTAMP_LTZ(3) METADATA FROM 'timestamp'          -- by this device's clock, which max-age looks at
) WITH (
  'connector' = 'opc-ua',
  'url' = '${SERVER:-opc.tcp://127.0.0.1:4840}',
  'nodes' = 'ns=1;s={tank}.level',
  'sampling-interval' = '500 ms'
);

-- A row written here switches a pump. One that waited for longer than 10 s is not written any more.
CREATE TABLE pumps (
  pump BOOLEAN,
  tank STRING,
  given TIMESTAMP_LTZ(3) METADATA FROM 'source-timestamp'
) WITH (
  'connector' = 'opc-ua',
  'url' = '${SERVER:-opc.tcp://127.0.0.1:4840}',
  'nodes' = 'ns=1;s={tank}.pump',
  'sink.max-age' = '10 s'
);

-- On below 30 cm, off above 60 cm.
INSERT INTO pumps
SELECT level < 30, tank, came
FROM levels
WHERE level < 30 OR level > 60;

SELECT tank, level, DATE_FORMAT(ts, 'HH:mm:ss') AS `at` FROM levels;
