-- Jobs that the center gives to many sites, by versions. Times are milliseconds since 1970.
CREATE TABLE sedge_fleet_version (
  job         TEXT NOT NULL,
  version     INTEGER NOT NULL,
  action      TEXT NOT NULL,
  script      TEXT NOT NULL,
  merged      INTEGER NOT NULL,
  sites       TEXT NOT NULL,
  waves       TEXT NOT NULL,
  gate_millis INTEGER NOT NULL,
  max_lag     INTEGER NOT NULL,
  given_by    TEXT NOT NULL,
  given_at    INTEGER NOT NULL,
  wave        INTEGER NOT NULL,
  state       TEXT NOT NULL,
  detail      TEXT NOT NULL,
  state_at    INTEGER NOT NULL,
  PRIMARY KEY (job, version)
);

-- How far each version is at each of its sites.
CREATE TABLE sedge_fleet_rollout (
  job       TEXT NOT NULL,
  version   INTEGER NOT NULL,
  site      TEXT NOT NULL,
  wave      INTEGER NOT NULL,
  before    INTEGER NOT NULL,
  state     TEXT NOT NULL,
  detail    TEXT NOT NULL,
  state_at  INTEGER NOT NULL,
  order_id  TEXT,
  tries     INTEGER NOT NULL,
  gate_at   INTEGER,
  malformed INTEGER NOT NULL,
  failures  INTEGER NOT NULL,
  PRIMARY KEY (job, version, site)
);

-- Which version each site has, as far as it has said so.
CREATE TABLE sedge_fleet_site (
  job     TEXT NOT NULL,
  site    TEXT NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (job, site)
);
