-- People who log in with a password, of which its argon2id hash is kept. The code of a link is kept as its SHA-256.
CREATE TABLE sedge_secret.sedge_person (
  name         TEXT   NOT NULL PRIMARY KEY,
  role         TEXT   NOT NULL,
  password     TEXT,
  created_at   BIGINT NOT NULL,
  seen_at      BIGINT,
  code         TEXT   UNIQUE,
  code_ends_at BIGINT
);
