-- What the center knows of sites and of what they have sent. Times are milliseconds since 1970.
CREATE TABLE sedge_site (
  name        TEXT    NOT NULL PRIMARY KEY,
  ledger      TEXT    NOT NULL UNIQUE,
  fingerprint TEXT    NOT NULL UNIQUE,
  state       TEXT    NOT NULL,
  labels      TEXT    NOT NULL,
  enrolled_at INTEGER NOT NULL,
  seen_at     INTEGER,
  generation  INTEGER NOT NULL,
  held        TEXT
);

CREATE TABLE sedge_table (
  name             TEXT    NOT NULL PRIMARY KEY COLLATE NOCASE,
  columns          TEXT    NOT NULL,
  key_columns      TEXT    NOT NULL,
  rollup           TEXT,
  row_count        INTEGER NOT NULL,
  keep_ms          INTEGER,
  retention_column TEXT,
  created_at       INTEGER NOT NULL
);

CREATE TABLE sedge_stream (
  id           INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  site         TEXT    NOT NULL,
  job          TEXT    NOT NULL,
  task         TEXT    NOT NULL,
  sink         TEXT    NOT NULL,
  result_table TEXT    NOT NULL,
  columns      TEXT    NOT NULL,
  key_columns  TEXT    NOT NULL,
  generation   INTEGER NOT NULL,
  applied      INTEGER NOT NULL,
  row_count    INTEGER NOT NULL,
  byte_count   INTEGER NOT NULL,
  rejected     INTEGER NOT NULL,
  opened_at    INTEGER NOT NULL,
  UNIQUE (site, job, task, sink)
);

CREATE TABLE sedge_block (
  stream  INTEGER NOT NULL,
  last    INTEGER NOT NULL,
  first   INTEGER NOT NULL,
  version INTEGER NOT NULL,
  digest  BLOB    NOT NULL,
  PRIMARY KEY (stream, last)
) WITHOUT ROWID;

CREATE TABLE sedge_audit (
  id      INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  at      INTEGER NOT NULL,
  who     TEXT    NOT NULL,
  what    TEXT    NOT NULL,
  subject TEXT    NOT NULL,
  detail  TEXT    NOT NULL
);

-- For each table with a time and without a key: its numbers, ten minutes at a time.
CREATE TABLE sedge_rollup_series (
  id           INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  result_table TEXT    NOT NULL,
  value_column TEXT    NOT NULL,
  group_values TEXT    NOT NULL,
  UNIQUE (result_table, value_column, group_values)
);

CREATE TABLE sedge_rollup (
  series    INTEGER NOT NULL,
  bucket    INTEGER NOT NULL,
  least     REAL    NOT NULL,
  greatest  REAL    NOT NULL,
  total     REAL    NOT NULL,
  row_count INTEGER NOT NULL,
  PRIMARY KEY (series, bucket)
) WITHOUT ROWID;
