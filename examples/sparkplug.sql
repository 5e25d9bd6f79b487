-- A packing line that is a Sparkplug B edge node: its mean speed each 5 s, and the boxes of its packer.
--
--   ./sedge run examples/sparkplug.sql
--
-- examples/README.md says how to start a broker and an edge node for it, and what to try.

CREATE TABLE metrics (
  `value` DOUBLE,
  edge_node_id STRING METADATA,
  device_id STRING METADATA,                               -- NULL for the edge node's own metrics
  name STRING METADATA,
  ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp',           -- the metric's own time
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'sparkplug',
  'url' = '${BROKER:-mqtt://127.0.0.1:1883}',
  'group' = 'plant',
  'edge-node' = 'line1',
  'host-id' = 'sedge',
  'metrics' = 'Speed;Boxes'
);

SELECT edge_node_id, name, AVG(`value`) AS mean, MAX(`value`) AS most, DATE_FORMAT(window_end, 'HH:mm:ss') AS `until`
FROM TABLE(TUMBLE(TABLE metrics, DESCRIPTOR(ts), INTERVAL '5' SECOND))
GROUP BY window_start, window_end, edge_node_id, name;
