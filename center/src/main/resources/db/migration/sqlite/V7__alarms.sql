-- The alarms that sites have told of, in place of those before. Times are milliseconds since 1970.
CREATE TABLE sedge_alarm (
  site          TEXT    NOT NULL,
  id            INTEGER NOT NULL,
  job           TEXT    NOT NULL,
  sink          TEXT    NOT NULL,
  priority      INTEGER NOT NULL,
  row_key       TEXT    NOT NULL,
  state         TEXT    NOT NULL,
  attention     INTEGER NOT NULL,
  shelved       INTEGER NOT NULL,
  raised        INTEGER NOT NULL,
  raised_at     INTEGER NOT NULL,
  changed_at    INTEGER NOT NULL,
  last_value    REAL,
  message       TEXT    NOT NULL,
  shelved_until INTEGER NOT NULL,
  acted_by      TEXT    NOT NULL,
  note          TEXT    NOT NULL,
  PRIMARY KEY (site, id)
);

-- The most urgent first, of all sites.
CREATE INDEX sedge_alarm_urgency ON sedge_alarm (attention DESC, shelved, priority DESC, raised_at DESC);

-- How many alarms each site has, told or not.
CREATE TABLE sedge_alarm_site (
  site                  TEXT    NOT NULL PRIMARY KEY,
  told_at               INTEGER NOT NULL,
  ledger_index          INTEGER NOT NULL,
  changes               INTEGER NOT NULL,
  attention             INTEGER NOT NULL,
  active                INTEGER NOT NULL,
  shelved               INTEGER NOT NULL,
  raised_in_ten_minutes INTEGER NOT NULL,
  flood                 INTEGER NOT NULL,
  floods                INTEGER NOT NULL,
  raised                INTEGER NOT NULL,
  refused               INTEGER NOT NULL
);
