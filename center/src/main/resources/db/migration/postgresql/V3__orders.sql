-- What the center asks of sites, and what they have made of it. Times are milliseconds since 1970.
CREATE TABLE sedge_order (
  id         TEXT    NOT NULL PRIMARY KEY,
  site       TEXT    NOT NULL,
  ledger     TEXT    NOT NULL,
  number     BIGINT NOT NULL,
  kind       TEXT    NOT NULL,
  body       BYTEA NOT NULL,
  given_by   TEXT    NOT NULL,
  given_at   BIGINT NOT NULL,
  expires_at BIGINT,
  state      TEXT    NOT NULL,
  detail     TEXT    NOT NULL,
  state_at   BIGINT NOT NULL,
  UNIQUE (site, number)
);

CREATE INDEX sedge_order_state ON sedge_order (site, state);

-- How far each site has come with its orders, and how it is.
CREATE TABLE sedge_order_site (
  site         TEXT    NOT NULL PRIMARY KEY,
  ledger       TEXT    NOT NULL,
  last         BIGINT NOT NULL,
  applied      BIGINT NOT NULL,
  ledger_index BIGINT NOT NULL,
  told         BYTEA,
  told_at      BIGINT
);
