-- The tables of all cases. ${dir} is a folder with one file a table.
CREATE TABLE readings (
  sensor STRING,
  zone STRING,
  ts TIMESTAMP(3),
  v DOUBLE,
  f FLOAT,
  i INT,
  b BIGINT,
  s SMALLINT,
  t TINYINT,
  d DECIMAL(10, 2),
  ok BOOLEAN,
  note STRING,
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
) WITH ('connector' = 'filesystem', 'path' = '${dir}/readings.json', 'format' = 'json');

-- The same rows, with a watermark so far behind that none is late.
CREATE TABLE patient (
  sensor STRING,
  zone STRING,
  ts TIMESTAMP(3),
  v DOUBLE,
  f FLOAT,
  i INT,
  b BIGINT,
  s SMALLINT,
  t TINYINT,
  d DECIMAL(10, 2),
  ok BOOLEAN,
  note STRING,
  WATERMARK FOR ts AS ts - INTERVAL '1' HOUR
) WITH ('connector' = 'filesystem', 'path' = '${dir}/readings.json', 'format' = 'json');

CREATE TABLE zoned (
  sensor STRING,
  ts TIMESTAMP_LTZ(3),
  v DOUBLE,
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
) WITH ('connector' = 'filesystem', 'path' = '${dir}/zoned.json', 'format' = 'json');

-- Many rows of equal times, on whole five seconds.
CREATE TABLE ticks (
  sensor STRING,
  ts TIMESTAMP(3),
  v INT,
  WATERMARK FOR ts AS ts - INTERVAL '10' SECOND
) WITH ('connector' = 'filesystem', 'path' = '${dir}/ticks.json', 'format' = 'json');

-- The same rows, with a watermark so far behind that none is late. Of joins and unions of late rows Flink gives other rows each time,
-- because which of two inputs is ahead is left to chance.
CREATE TABLE steady (
  sensor STRING,
  ts TIMESTAMP(3),
  v INT,
  WATERMARK FOR ts AS ts - INTERVAL '2' MINUTE
) WITH ('connector' = 'filesystem', 'path' = '${dir}/ticks.json', 'format' = 'json');

CREATE TABLE alarms (
  sensor STRING,
  severity INT,
  raised TIMESTAMP(3),
  WATERMARK FOR raised AS raised - INTERVAL '5' SECOND
) WITH ('connector' = 'filesystem', 'path' = '${dir}/alarms.json', 'format' = 'json');

CREATE TABLE nothing (
  sensor STRING,
  ts TIMESTAMP(3),
  v DOUBLE,
  WATERMARK FOR ts AS ts
) WITH ('connector' = 'filesystem', 'path' = '${dir}/nothing.json', 'format' = 'json');

-- Values at the edges of their types, one row a case.
CREATE TABLE edges (
  id INT,
  x DOUBLE,
  y DOUBLE,
  f FLOAT,
  t TINYINT,
  s SMALLINT,
  i INT,
  j INT,
  b BIGINT,
  d DECIMAL(10, 2),
  e DECIMAL(20, 6),
  p BOOLEAN,
  q BOOLEAN,
  str STRING,
  str2 STRING,
  num STRING,
  dy DATE,
  tod TIME(0),
  stamp TIMESTAMP(3),
  js STRING,
  arr ARRAY<INT>,
  rec ROW<a INT, b STRING>
) WITH ('connector' = 'filesystem', 'path' = '${dir}/edges.json', 'format' = 'json');

-- A stream that looks up, by the clock.
CREATE TABLE asking (
  sensor STRING,
  ts TIMESTAMP(3),
  v INT,
  proc AS PROCTIME(),
  WATERMARK FOR ts AS ts - INTERVAL '2' MINUTE
) WITH ('connector' = 'filesystem', 'path' = '${dir}/ticks.json', 'format' = 'json');

-- What it looks up; without a watermark.
CREATE TABLE known (
  sensor STRING,
  severity INT,
  raised TIMESTAMP(3)
) WITH ('connector' = 'filesystem', 'path' = '${dir}/alarms.json', 'format' = 'json');
