-- When those that speak for a claim said so first and last, as settling keeps it by the sources that are in use: what is
-- said without a time is so from the first of these days on, and still so on the last.
ALTER TABLE claims ADD COLUMN first_said_at INTEGER;
ALTER TABLE claims ADD COLUMN last_said_at INTEGER;
