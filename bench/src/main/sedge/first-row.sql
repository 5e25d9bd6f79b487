-- How long until the first row: every sensor of this machine, as it is read.
CREATE TABLE sensors (quantity STRING, unit STRING, reading DOUBLE, ts TIMESTAMP_LTZ(3))
WITH ('connector' = 'host', 'sampling.rate' = '10 Hz');

SELECT quantity, reading, unit FROM sensors WHERE reading >= 0;
