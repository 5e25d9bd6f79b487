-- What the center knows of sites and of what they have sent. Times are milliseconds since 1970.
CREATE TABLE sedge_site (
  name        TEXT    NOT NULL PRIMARY KEY,
  ledger      TEXT    NOT NULL UNIQUE,
  fingerprint TEXT    NOT NULL UNIQUE,
  state       TEXT    NOT NULL,
  labels      TEXT    NOT NULL,
  enrolled_at BIGINT NOT NULL,
  seen_at     BIGINT,
  generation  BIGINT NOT NULL,
  held        TEXT
);

CREATE TABLE sedge_table (
  name             TEXT    NOT NULL PRIMARY KEY,
  columns          TEXT    NOT NULL,
  key_columns      TEXT    NOT NULL,
  rollup           TEXT,
  row_count        BIGINT NOT NULL,
  keep_ms          BIGINT,
  retention_column TEXT,
  created_at       BIGINT NOT NULL
);

CREATE TABLE sedge_stream (
  id           BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  site         TEXT    NOT NULL,
  job          TEXT    NOT NULL,
  task         TEXT    NOT NULL,
  sink         TEXT    NOT NULL,
  result_table TEXT    NOT NULL,
  columns      TEXT    NOT NULL,
  key_columns  TEXT    NOT NULL,
  generation   BIGINT NOT NULL,
  applied      BIGINT NOT NULL,
  row_count    BIGINT NOT NULL,
  byte_count   BIGINT NOT NULL,
  rejected     BIGINT NOT NULL,
  opened_at    BIGINT NOT NULL,
  UNIQUE (site, job, task, sink)
);

CREATE TABLE sedge_block (
  stream  BIGINT NOT NULL,
  last    BIGINT NOT NULL,
  first   BIGINT NOT NULL,
  version BIGINT NOT NULL,
  digest  BYTEA   NOT NULL,
  PRIMARY KEY (stream, last)
);

CREATE TABLE sedge_audit (
  id      BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at      BIGINT NOT NULL,
  who     TEXT    NOT NULL,
  what    TEXT    NOT NULL,
  subject TEXT    NOT NULL,
  detail  TEXT    NOT NULL
);

-- For each table with a time and without a key: its numbers, ten minutes at a time.
CREATE TABLE sedge_rollup_series (
  id           BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  result_table TEXT    NOT NULL,
  value_column TEXT    NOT NULL,
  group_values TEXT    NOT NULL,
  UNIQUE (result_table, value_column, group_values)
);

CREATE TABLE sedge_rollup (
  series    BIGINT NOT NULL,
  bucket    BIGINT NOT NULL,
  least     DOUBLE PRECISION NOT NULL,
  greatest  DOUBLE PRECISION NOT NULL,
  total     DOUBLE PRECISION NOT NULL,
  row_count BIGINT NOT NULL,
  PRIMARY KEY (series, bucket)
);

CREATE UNIQUE INDEX sedge_table_name ON sedge_table (lower(name));

-- Hashes of tokens, in a schema of their own: a user for people's queries gets no rights on it.
CREATE SCHEMA sedge_secret;

CREATE TABLE sedge_secret.sedge_enrolment (
  hash        TEXT    NOT NULL PRIMARY KEY,
  site        TEXT,
  created_at  BIGINT NOT NULL,
  ends_at     BIGINT NOT NULL,
  used_by     TEXT,
  fingerprint TEXT,
  used_at     BIGINT
);

CREATE TABLE sedge_secret.sedge_access (
  name       TEXT    NOT NULL PRIMARY KEY,
  hash       TEXT    NOT NULL UNIQUE,
  role       TEXT    NOT NULL,
  created_at BIGINT NOT NULL,
  ends_at    BIGINT,
  used_at    BIGINT
);
