-- Where a question names a type of files or whose something is, what may be found is looked up by that, and the space is not gone through.
-- Each of these holds only what has such a thing: a note of the person without a title costs nothing here.
CREATE INDEX idx_artifacts_mails ON artifacts(space_id) WHERE mime_type = 'message/rfc822';
CREATE INDEX idx_artifacts_type ON artifacts(space_id, modality) WHERE modality <> 'text';
CREATE INDEX idx_memories_type ON memories(space_id, modality) WHERE primary_artifact_id IS NULL AND modality <> 'text';

-- Names are found by parts of them: titles and owners are gone through one by one, those who sent the mails of mailboxes each once, and
-- what an agent brought in is looked up. The person, who brings in most, is left out.
CREATE INDEX idx_memories_of_agents ON memories(space_id, actor_id)
WHERE status = 'active' AND actor_id <> '00000000-0000-7000-8000-00000000000a';
CREATE INDEX idx_memories_owned ON memories(space_id) WHERE owner IS NOT NULL AND status = 'active';
CREATE INDEX idx_memories_titled ON memories(space_id) WHERE title IS NOT NULL AND status = 'active';
CREATE INDEX idx_units_mail_from ON text_units(space_id, mail_from) WHERE mail_from IS NOT NULL;
