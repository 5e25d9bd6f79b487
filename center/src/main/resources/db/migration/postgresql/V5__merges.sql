-- Jobs over many sites, whose windows the center merges. Times are milliseconds since 1970, those of
-- windows microseconds of what a clock in the windows' zone shows.
CREATE TABLE sedge_merge (
  job       text NOT NULL PRIMARY KEY,
  script    text NOT NULL,
  merged_at bigint NOT NULL
);

-- How far the parts of a stream have been looked at, and until when its site is done.
CREATE TABLE sedge_merge_stream (
  job        text NOT NULL,
  sink       text NOT NULL,
  stream     bigint NOT NULL,
  seen       bigint NOT NULL,
  done_until bigint NOT NULL,
  PRIMARY KEY (job, sink, stream)
);

-- Windows with parts. One is open while it has parts that its rows do not have.
CREATE TABLE sedge_merge_window (
  job          text NOT NULL,
  sink         text NOT NULL,
  parts_table  text NOT NULL,
  window_start bigint NOT NULL,
  window_end   bigint NOT NULL,
  open         bigint NOT NULL,
  given        bigint NOT NULL,
  changed      bigint NOT NULL,
  PRIMARY KEY (job, sink, window_end, window_start)
);
CREATE INDEX sedge_merge_window_open ON sedge_merge_window (job, sink, open, window_end);
