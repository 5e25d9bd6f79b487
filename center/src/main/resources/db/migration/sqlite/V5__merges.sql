-- Jobs over many sites, whose windows the center merges. Times are milliseconds since 1970, those of
-- windows microseconds of what a clock in the windows' zone shows.
CREATE TABLE sedge_merge (
  job       TEXT    NOT NULL PRIMARY KEY,
  script    TEXT    NOT NULL,
  merged_at INTEGER NOT NULL
);

-- How far the parts of a stream have been looked at, and until when its site is done.
CREATE TABLE sedge_merge_stream (
  job        TEXT NOT NULL,
  sink       TEXT NOT NULL,
  stream     INTEGER NOT NULL,
  seen       INTEGER NOT NULL,
  done_until INTEGER NOT NULL,
  PRIMARY KEY (job, sink, stream)
) WITHOUT ROWID;

-- Windows with parts. One is open while it has parts that its rows do not have.
CREATE TABLE sedge_merge_window (
  job          TEXT NOT NULL,
  sink         TEXT NOT NULL,
  parts_table  TEXT NOT NULL,
  window_start INTEGER NOT NULL,
  window_end   INTEGER NOT NULL,
  open         INTEGER NOT NULL,
  given        INTEGER NOT NULL,
  changed      INTEGER NOT NULL,
  PRIMARY KEY (job, sink, window_end, window_start)
) WITHOUT ROWID;
CREATE INDEX sedge_merge_window_open ON sedge_merge_window (job, sink, open, window_end);
