-- A mailbox is one text of many mails, and each passage of it is of one of these: where that begins in the text, whom it is from and when
-- it was sent, as its own head says. What is of no mailbox has none of it, and the index holds nothing of that.
ALTER TABLE text_units ADD COLUMN mail_start INTEGER;
ALTER TABLE text_units ADD COLUMN mail_from TEXT;
ALTER TABLE text_units ADD COLUMN mail_sent_at INTEGER;
CREATE INDEX idx_units_mails ON text_units(space_id, mail_sent_at) WHERE mail_sent_at IS NOT NULL;
