-- Made-up readings of machines, joined with what a database knows of the machines: the number of readings
-- and their mean, for each hall, kept up to date in the database; and each reading above its machine's limit.
--
--   ./sedge run examples/jdbc.sql
--
-- examples/README.md says how to start a database for it, and what to try.

CREATE TABLE readings (
  machine INT,
  reading DOUBLE,
  proctime AS PROCTIME()
) WITH (
  'connector' = 'datagen',
  'rows-per-second' = '100',
  'fields.machine.min' = '1', 'fields.machine.max' = '3',
  'fields.reading.min' = '0', 'fields.reading.max' = '100'
);

CREATE TABLE machines (
  id INT, hall STRING, max_reading DOUBLE,
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'connector' = 'jdbc',
  'url' = '${DATABASE:-jdbc:postgresql://localhost:5432/postgres}',
  'table-name' = 'machines',
  'username' = '${DATABASE_USER:-postgres}', 'password' = '${secret:database}'
);

CREATE TABLE halls (
  hall STRING, reading_count BIGINT, mean DOUBLE,
  PRIMARY KEY (hall) NOT ENFORCED                   -- each hall has one row, which is replaced
) WITH (
  'connector' = 'jdbc',
  'url' = '${DATABASE:-jdbc:postgresql://localhost:5432/postgres}',
  'table-name' = 'halls',
  'username' = '${DATABASE_USER:-postgres}', 'password' = '${secret:database}'
);

CREATE TABLE high_readings (
  machine INT, reading DOUBLE
) WITH (
  'connector' = 'jdbc',                             -- without a key: each row is added, once
  'url' = '${DATABASE:-jdbc:postgresql://localhost:5432/postgres}',
  'table-name' = 'high_readings',
  'username' = '${DATABASE_USER:-postgres}', 'password' = '${secret:database}'
);

INSERT INTO halls
SELECT m.hall, COUNT(*), AVG(r.reading)
FROM readings AS r
JOIN machines FOR SYSTEM_TIME AS OF r.proctime AS m ON m.id = r.machine
GROUP BY m.hall;

INSERT INTO high_readings
SELECT r.machine, r.reading
FROM readings AS r
JOIN machines FOR SYSTEM_TIME AS OF r.proctime AS m ON m.id = r.machine
WHERE r.reading > m.max_reading;
