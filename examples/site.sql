-- The plant on a site of several devices: each takes some of the machines, and any of them may die.
--
--   ./sedge job submit examples/site.sql --data a       (README, "A site of three", tells how to get there)
--
-- It is the plant of `sedge simulate plant`, with the broker of `sedge broker`. Alone it runs too: `sedge run`.

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
  -- Each machine is a shard, which one device reads at a time: the broker sends it that machine's topics only.
  'shard.by' = 'machine',
  'shard.values' = 'pump-1;filter-1;tank-1;pump-2;valve-1;heater-1;tank-2;valve-2'
);

-- Rows for files are written by one of the devices, in the directory where it was started.
CREATE TABLE machines (
  machine STRING, window_end TIMESTAMP(3), readings BIGINT, hottest DOUBLE
) WITH ('connector' = 'filesystem', 'path' = 'results/machines', 'format' = 'csv');

CREATE TABLE zones (
  zone STRING, quantity STRING, window_end TIMESTAMP(3), readings BIGINT, mean DOUBLE
) WITH ('connector' = 'filesystem', 'path' = 'results/zones', 'format' = 'csv');

CREATE TABLE set_points (
  zone STRING, machine STRING, quantity STRING, `value` DOUBLE
) WITH (
  'connector' = 'mqtt',
  'url' = '${BROKER:-mqtt://localhost:1883}',
  'topic' = 'plant/{zone}/{machine}/set/{quantity}',
  'format' = 'json'
);

EXECUTE STATEMENT SET BEGIN

-- A window of one machine needs that machine's shard alone.
INSERT INTO machines
SELECT machine, window_end, COUNT(*), MAX(`value`) FILTER (WHERE quantity = 'bearing_temperature')
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(event_time), INTERVAL '5' SECOND))
GROUP BY machine, window_start, window_end;

-- A window of a zone has readings of several machines: shards send its accumulators, and one task merges them.
INSERT INTO zones
SELECT zone, quantity, window_end, COUNT(*), AVG(`value`)
FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(event_time), INTERVAL '5' SECOND))
GROUP BY zone, quantity, window_start, window_end;

-- A pump whose bearing is hot runs slower: a row here is a command.
INSERT INTO set_points
SELECT zone, machine, 'speed', 1800.0E0
FROM (
  SELECT zone, machine, MAX(`value`) AS hottest
  FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(event_time), INTERVAL '10' SECOND))
  WHERE machine = 'pump-2' AND quantity = 'bearing_temperature'
  GROUP BY zone, machine, window_start, window_end)
WHERE hottest > 80;

END;
