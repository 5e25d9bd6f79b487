-- Alarms of a plant: who is too hot, which tank runs empty, who says nothing.
--
--   ./sedge broker
--   ./sedge simulate plant --speed 10 --fault bearing-wear@2m..8m
--   ./sedge run examples/alarm.sql --console           or, on a site: ./sedge job submit examples/alarm.sql --data a
--
-- docs/alarms.md tells how to see alarms, acknowledge them and have people told.

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
  'scan.watermark.max-ahead' = '0'            -- the simulated plant's clock may run ahead of this one
);

-- Each machine is an alarm. It is raised when its bearing is above 80 °C for 10 seconds, and clears at 60 °C.
CREATE TABLE hot_bearings (
  machine STRING,
  temperature DOUBLE,
  event_time TIMESTAMP_LTZ(3),
  PRIMARY KEY (machine) NOT ENFORCED
) WITH (
  'connector' = 'alarm',
  'priority' = 'high',
  'value-column' = 'temperature',
  'time-column' = 'event_time',
  'high-limit' = '80',
  'deadband' = '20',
  'on-delay' = '10 s'
  -- To have people told:
  -- , 'webhook.url' = 'https://chat.example/hooks/plant', 'webhook.authorization' = 'Bearer ${secret:chat}'
  -- , 'email.server' = 'smtp://mail.example:587', 'email.from' = 'sedge@plant.example', 'email.to' = 'shift@plant.example'
);

-- Whether a tank runs empty is said by the query; the message too.
CREATE TABLE low_tanks (
  machine STRING,
  low BOOLEAN,
  message STRING,
  PRIMARY KEY (machine) NOT ENFORCED
) WITH (
  'connector' = 'alarm',
  'condition-column' = 'low',
  'message-column' = 'message',
  'off-delay' = '30 s'
);

EXECUTE STATEMENT SET BEGIN

INSERT INTO hot_bearings
SELECT machine, `value`, event_time FROM readings WHERE quantity = 'bearing_temperature';

INSERT INTO low_tanks
SELECT machine, `value` < 1.0, 'level ' || CAST(ROUND(`value`, 2) AS STRING) || ' m'
FROM readings WHERE quantity = 'level';

END;
