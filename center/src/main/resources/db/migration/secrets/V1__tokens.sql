-- Hashes of tokens, in a file of their own: queries of people cannot reach it.
CREATE TABLE sedge_enrolment (
  hash        TEXT    NOT NULL PRIMARY KEY,
  site        TEXT,
  created_at  INTEGER NOT NULL,
  ends_at     INTEGER NOT NULL,
  used_by     TEXT,
  fingerprint TEXT,
  used_at     INTEGER
);

CREATE TABLE sedge_access (
  name       TEXT    NOT NULL PRIMARY KEY,
  hash       TEXT    NOT NULL UNIQUE,
  role       TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  ends_at    INTEGER,
  used_at    INTEGER
);
