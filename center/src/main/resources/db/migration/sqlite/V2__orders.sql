-- What the center asks of sites, and what they have made of it. Times are milliseconds since 1970.
CREATE TABLE sedge_order (
  id         TEXT    NOT NULL PRIMARY KEY,
  site       TEXT    NOT NULL,
  ledger     TEXT    NOT NULL,
  number     INTEGER NOT NULL,
  kind       TEXT    NOT NULL,
  body       BLOB NOT NULL,
  given_by   TEXT    NOT NULL,
  given_at   INTEGER NOT NULL,
  expires_at INTEGER,
  state      TEXT    NOT NULL,
  detail     TEXT    NOT NULL,
  state_at   INTEGER NOT NULL,
  UNIQUE (site, number)
);

CREATE INDEX sedge_order_state ON sedge_order (site, state);

-- How far each site has come with its orders, and how it is.
CREATE TABLE sedge_order_site (
  site         TEXT    NOT NULL PRIMARY KEY,
  ledger       TEXT    NOT NULL,
  last         INTEGER NOT NULL,
  applied      INTEGER NOT NULL,
  ledger_index INTEGER NOT NULL,
  told         BLOB,
  told_at      INTEGER
);
