-- At which sites one may change something: names as JSON; NULL for all.
ALTER TABLE sedge_access ADD COLUMN sites TEXT;
ALTER TABLE sedge_person ADD COLUMN sites TEXT;
