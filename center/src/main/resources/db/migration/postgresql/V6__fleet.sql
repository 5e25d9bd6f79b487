-- Jobs that the center gives to many sites, by versions. Times are milliseconds since 1970.
CREATE TABLE sedge_fleet_version (
  job         TEXT NOT NULL,
  version     BIGINT NOT NULL,
  action      TEXT NOT NULL,
  script      TEXT NOT NULL,
  merged      BIGINT NOT NULL,
  sites       TEXT NOT NULL,
  waves       TEXT NOT NULL,
  gate_millis BIGINT NOT NULL,
  max_lag     BIGINT NOT NULL,
  given_by    TEXT NOT NULL,
  given_at    BIGINT NOT NULL,
  wave        BIGINT NOT NULL,
  state       TEXT NOT NULL,
  detail      TEXT NOT NULL,
  state_at    BIGINT NOT NULL,
  PRIMARY KEY (job, version)
);

-- How far each version is at each of its sites.
CREATE TABLE sedge_fleet_rollout (
  job       TEXT NOT NULL,
  version   BIGINT NOT NULL,
  site      TEXT NOT NULL,
  wave      BIGINT NOT NULL,
  before    BIGINT NOT NULL,
  state     TEXT NOT NULL,
  detail    TEXT NOT NULL,
  state_at  BIGINT NOT NULL,
  order_id  TEXT,
  tries     BIGINT NOT NULL,
  gate_at   BIGINT,
  malformed BIGINT NOT NULL,
  failures  BIGINT NOT NULL,
  PRIMARY KEY (job, version, site)
);

-- Which version each site has, as far as it has said so.
CREATE TABLE sedge_fleet_site (
  job     TEXT NOT NULL,
  site    TEXT NOT NULL,
  version BIGINT NOT NULL,
  PRIMARY KEY (job, site)
);
