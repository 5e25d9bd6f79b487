-- Who logs in at a provider of OpenID Connect has no password: the issuer, a blank, and what the person is called there for good.
ALTER TABLE sedge_secret.sedge_person ADD COLUMN subject TEXT;
CREATE UNIQUE INDEX sedge_person_subject ON sedge_secret.sedge_person (subject);
-- When an admin has shut the person out, whom the provider still knows.
ALTER TABLE sedge_secret.sedge_person ADD COLUMN shut_out_at BIGINT;
