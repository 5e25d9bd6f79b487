-- The alarms that sites have told of, in place of those before. Times are milliseconds since 1970.
CREATE TABLE sedge_alarm (
  site          TEXT    NOT NULL,
  id            BIGINT NOT NULL,
  job           TEXT    NOT NULL,
  sink          TEXT    NOT NULL,
  priority      BIGINT NOT NULL,
  row_key       TEXT    NOT NULL,
  state         TEXT    NOT NULL,
  attention     BIGINT NOT NULL,
  shelved       BIGINT NOT NULL,
  raised        BIGINT NOT NULL,
  raised_at     BIGINT NOT NULL,
  changed_at    BIGINT NOT NULL,
  last_value    DOUBLE PRECISION,
  message       TEXT    NOT NULL,
  shelved_until BIGINT NOT NULL,
  acted_by      TEXT    NOT NULL,
  note          TEXT    NOT NULL,
  PRIMARY KEY (site, id)
);

-- The most urgent first, of all sites.
CREATE INDEX sedge_alarm_urgency ON sedge_alarm (attention DESC, shelved, priority DESC, raised_at DESC);

-- How many alarms each site has, told or not.
CREATE TABLE sedge_alarm_site (
  site                  TEXT    NOT NULL PRIMARY KEY,
  told_at               BIGINT NOT NULL,
  ledger_index          BIGINT NOT NULL,
  changes               BIGINT NOT NULL,
  attention             BIGINT NOT NULL,
  active                BIGINT NOT NULL,
  shelved               BIGINT NOT NULL,
  raised_in_ten_minutes BIGINT NOT NULL,
  flood                 BIGINT NOT NULL,
  floods                BIGINT NOT NULL,
  raised                BIGINT NOT NULL,
  refused               BIGINT NOT NULL
);
