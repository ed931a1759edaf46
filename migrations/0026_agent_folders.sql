-- Folders of the machine that a person opened to an agent, so that it may bring in files from them.
ALTER TABLE agents ADD COLUMN folders TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(folders));
