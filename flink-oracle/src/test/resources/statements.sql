-- One of every statement that docs/sql.md lists, over the tables of tables.sql. What it writes is compared with what Flink selects.
SET 'pipeline.name' = 'statements';
RESET 'pipeline.name';

CREATE TABLE IF NOT EXISTS out_rows (
  sensor STRING,
  v DOUBLE,
  PRIMARY KEY (sensor) NOT ENFORCED
) WITH ('connector' = 'filesystem', 'path' = '${dir}/out-rows', 'format' = 'json');

CREATE TEMPORARY TABLE out_counts (
  zone STRING,
  window_start TIMESTAMP(3),
  n BIGINT
) WITH ('connector' = 'filesystem', 'path' = '${dir}/out-counts', 'format' = 'json');

CREATE TABLE out_constants WITH ('connector' = 'filesystem', 'path' = '${dir}/out-constants', 'format' = 'json')
LIKE out_rows (EXCLUDING OPTIONS);

CREATE TABLE parts (
  sensor STRING,
  v DOUBLE,
  doubled AS v * 2,
  `file.name` STRING METADATA VIRTUAL
) PARTITIONED BY (sensor) WITH ('connector' = 'filesystem', 'path' = '${dir}/parts', 'format' = 'json');
DROP TABLE parts;

CREATE TEMPORARY VIEW shouted (name, loud, ts) AS SELECT sensor, v, ts FROM patient WHERE v > 10;
CREATE VIEW gone AS SELECT sensor FROM patient;
DROP VIEW gone;

CREATE TEMPORARY FUNCTION halved AS 'io.sedge.flink.Halved' LANGUAGE JAVA;

INSERT INTO out_rows SELECT name, halved(loud) FROM shouted;
INSERT INTO out_constants (v, sensor) VALUES (1.5, 'a'), (CAST(NULL AS DOUBLE), 'b');
INSERT INTO out_constants VALUES ('c', 2.5), ('d', 3.5);
EXECUTE STATEMENT SET BEGIN
INSERT INTO out_counts SELECT zone, window_start, COUNT(*) FROM TABLE(TUMBLE(TABLE patient, DESCRIPTOR(ts), INTERVAL '20' SECOND)) GROUP BY zone, window_start, window_end;
END;
BEGIN STATEMENT SET;
INSERT INTO out_constants VALUES ('e', 4.5);
END;
EXECUTE INSERT INTO out_constants SELECT sensor, v FROM patient WHERE v > 200;
