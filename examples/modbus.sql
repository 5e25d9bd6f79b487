-- A tank whose pump a PLC drives: its level and its pump are read over Modbus, and the pump is switched.
--
--   ./sedge run examples/modbus.sql
--
-- examples/README.md says how to start a PLC for it in one line, and what to try.

CREATE TABLE tank (
  level DOUBLE,                                    -- cm
  pump BOOLEAN,
  unit INT METADATA,
  ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp'    -- when the PLC answered
) WITH (
  'connector' = 'modbus',
  'url' = '${PLC:-modbus-tcp://127.0.0.1:5020}',
  'units' = '1',
  'poll-interval' = '1 s',
  'fields.level.register' = 'holding:0:uint16',
  'fields.level.scale' = '0.1',
  'fields.pump.register' = 'coil:0'
);

-- A row written here switches the pump. One that waited for longer than 10 s is not written any more.
CREATE TABLE switches (
  pump BOOLEAN,
  unit INT METADATA,
  given TIMESTAMP_LTZ(3) METADATA FROM 'timestamp'
) WITH (
  'connector' = 'modbus',
  'url' = '${PLC:-modbus-tcp://127.0.0.1:5020}',
  'units' = '1',
  'sink.max-age' = '10 s',
  'fields.pump.register' = 'coil:0'
);

-- On below 30 cm, off above 80 cm. A row for each poll in which the pump is not as it should be.
INSERT INTO switches
SELECT level < 30, unit, ts
FROM tank
WHERE (level < 30 AND NOT pump) OR (level > 80 AND pump);

SELECT unit, level, pump, DATE_FORMAT(ts, 'HH:mm:ss') AS `at` FROM tank;
