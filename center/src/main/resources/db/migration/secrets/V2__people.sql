-- People who log in with a password, of which its argon2id hash is kept. The code of a link is kept as its SHA-256.
CREATE TABLE sedge_person (
  name         TEXT    NOT NULL PRIMARY KEY,
  role         TEXT    NOT NULL,
  password     TEXT,
  created_at   INTEGER NOT NULL,
  seen_at      INTEGER,
  code         TEXT    UNIQUE,
  code_ends_at INTEGER
);
