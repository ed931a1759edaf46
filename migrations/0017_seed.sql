-- What every database begins with. Times are 0 here; the store stamps them when it makes the database.
-- Fixed ids: agents end in 0a (the human owner) and 0b (the system), spaces in 01 (user_core) and 02 (default),
-- memberships in 11 to 13, tags are numbered from 0100, relationship types from 0200, attribute keys from 0300.

INSERT INTO system_settings (key, value, updated_at) VALUES
  ('embedding_model_id', 'all-MiniLM-L6-v2', 0),
  ('embedding_dimensions', '384', 0),
  ('schema_version', '1', 0),
  ('compliance_mode', 'false', 0);

INSERT INTO agents (id, name, agent_type, default_trust_weight, created_at) VALUES
  ('00000000-0000-7000-8000-00000000000a', 'owner', 'human', 1.0, 0),
  ('00000000-0000-7000-8000-00000000000b', 'system', 'system', 1.0, 0);

INSERT INTO memory_spaces (id, name, space_type, read_policy, write_policy, description, created_at, created_by_actor) VALUES
  ('GLOBAL', 'Global', 'global', 'public', 'leaders',
   'What every space may name: shared entities, predefined tags and types.', 0, '00000000-0000-7000-8000-00000000000b'),
  ('00000000-0000-7000-8000-000000000001', 'Me', 'user_core', 'owner_only', 'owner_only',
   'Who you are and what you prefer.', 0, '00000000-0000-7000-8000-00000000000b'),
  ('00000000-0000-7000-8000-000000000002', 'default', 'project', 'members', 'members',
   'Where things go when no space is named.', 0, '00000000-0000-7000-8000-00000000000b');

UPDATE agents SET home_space_id = '00000000-0000-7000-8000-000000000001' WHERE name = 'owner';
UPDATE agents SET home_space_id = 'GLOBAL' WHERE name = 'system';

INSERT INTO space_memberships (id, space_id, agent_id, role, added_at, added_by_actor) VALUES
  ('00000000-0000-7000-8000-000000000011', 'GLOBAL', '00000000-0000-7000-8000-00000000000a', 'owner', 0, '00000000-0000-7000-8000-00000000000b'),
  ('00000000-0000-7000-8000-000000000012', '00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-00000000000a', 'owner', 0, '00000000-0000-7000-8000-00000000000b'),
  ('00000000-0000-7000-8000-000000000013', '00000000-0000-7000-8000-000000000002', '00000000-0000-7000-8000-00000000000a', 'owner', 0, '00000000-0000-7000-8000-00000000000b');

INSERT INTO tags (id, space_id, name, category, is_predefined, created_at) VALUES
  ('00000000-0000-7000-8000-000000000100', 'GLOBAL', 'python', 'language', 1, 0),
  ('00000000-0000-7000-8000-000000000101', 'GLOBAL', 'typescript', 'language', 1, 0),
  ('00000000-0000-7000-8000-000000000102', 'GLOBAL', 'javascript', 'language', 1, 0),
  ('00000000-0000-7000-8000-000000000103', 'GLOBAL', 'rust', 'language', 1, 0),
  ('00000000-0000-7000-8000-000000000104', 'GLOBAL', 'go', 'language', 1, 0),
  ('00000000-0000-7000-8000-000000000105', 'GLOBAL', 'java', 'language', 1, 0),
  ('00000000-0000-7000-8000-000000000106', 'GLOBAL', 'sql', 'language', 1, 0),
  ('00000000-0000-7000-8000-000000000107', 'GLOBAL', 'bash', 'language', 1, 0),
  ('00000000-0000-7000-8000-000000000108', 'GLOBAL', 'markdown', 'language', 1, 0),
  ('00000000-0000-7000-8000-000000000109', 'GLOBAL', 'web', 'domain', 1, 0),
  ('00000000-0000-7000-8000-00000000010a', 'GLOBAL', 'cli', 'domain', 1, 0),
  ('00000000-0000-7000-8000-00000000010b', 'GLOBAL', 'api', 'domain', 1, 0),
  ('00000000-0000-7000-8000-00000000010c', 'GLOBAL', 'database', 'domain', 1, 0),
  ('00000000-0000-7000-8000-00000000010d', 'GLOBAL', 'ml', 'domain', 1, 0),
  ('00000000-0000-7000-8000-00000000010e', 'GLOBAL', 'devops', 'domain', 1, 0),
  ('00000000-0000-7000-8000-00000000010f', 'GLOBAL', 'security', 'domain', 1, 0),
  ('00000000-0000-7000-8000-000000000110', 'GLOBAL', 'testing', 'domain', 1, 0),
  ('00000000-0000-7000-8000-000000000111', 'GLOBAL', 'documentation', 'domain', 1, 0),
  ('00000000-0000-7000-8000-000000000112', 'GLOBAL', 'deprecated', 'meta', 1, 0),
  ('00000000-0000-7000-8000-000000000113', 'GLOBAL', 'experimental', 'meta', 1, 0),
  ('00000000-0000-7000-8000-000000000114', 'GLOBAL', 'stable', 'meta', 1, 0),
  ('00000000-0000-7000-8000-000000000115', 'GLOBAL', 'required', 'meta', 1, 0),
  ('00000000-0000-7000-8000-000000000116', 'GLOBAL', 'optional', 'meta', 1, 0);

INSERT INTO relationship_types (id, space_id, name, inverse_name, cardinality, is_predefined, created_at) VALUES
  ('00000000-0000-7000-8000-000000000200', 'GLOBAL', 'works_at', 'employs', 'many_to_many', 1, 0),
  ('00000000-0000-7000-8000-000000000201', 'GLOBAL', 'member_of', 'has_member', 'many_to_many', 1, 0),
  ('00000000-0000-7000-8000-000000000202', 'GLOBAL', 'manages', 'managed_by', 'one_to_many', 1, 0),
  ('00000000-0000-7000-8000-000000000203', 'GLOBAL', 'founded', 'founded_by', 'many_to_many', 1, 0),
  ('00000000-0000-7000-8000-000000000204', 'GLOBAL', 'owns', 'owned_by', 'many_to_many', 1, 0),
  ('00000000-0000-7000-8000-000000000205', 'GLOBAL', 'located_in', 'contains', 'many_to_one', 1, 0),
  ('00000000-0000-7000-8000-000000000206', 'GLOBAL', 'lives_in', 'home_of', 'many_to_one', 1, 0),
  ('00000000-0000-7000-8000-000000000207', 'GLOBAL', 'born_in', 'birthplace_of', 'many_to_one', 1, 0),
  ('00000000-0000-7000-8000-000000000208', 'GLOBAL', 'studied_at', 'has_student', 'many_to_many', 1, 0),
  ('00000000-0000-7000-8000-000000000209', 'GLOBAL', 'married_to', 'married_to', 'one_to_one', 1, 0),
  ('00000000-0000-7000-8000-00000000020a', 'GLOBAL', 'partner_of', 'partner_of', 'many_to_many', 1, 0),
  ('00000000-0000-7000-8000-00000000020b', 'GLOBAL', 'parent_of', 'child_of', 'many_to_many', 1, 0),
  ('00000000-0000-7000-8000-00000000020c', 'GLOBAL', 'sibling_of', 'sibling_of', 'many_to_many', 1, 0),
  ('00000000-0000-7000-8000-00000000020d', 'GLOBAL', 'friend_of', 'friend_of', 'many_to_many', 1, 0),
  ('00000000-0000-7000-8000-00000000020e', 'GLOBAL', 'knows', 'knows', 'many_to_many', 1, 0),
  ('00000000-0000-7000-8000-00000000020f', 'GLOBAL', 'colleague_of', 'colleague_of', 'many_to_many', 1, 0),
  ('00000000-0000-7000-8000-000000000210', 'GLOBAL', 'reports_to', 'supervises', 'many_to_one', 1, 0),
  ('00000000-0000-7000-8000-000000000211', 'GLOBAL', 'created', 'created_by', 'many_to_many', 1, 0),
  ('00000000-0000-7000-8000-000000000212', 'GLOBAL', 'uses', 'used_by', 'many_to_many', 1, 0),
  ('00000000-0000-7000-8000-000000000213', 'GLOBAL', 'part_of', 'has_part', 'many_to_many', 1, 0),
  ('00000000-0000-7000-8000-000000000214', 'GLOBAL', 'depends_on', 'dependency_of', 'many_to_many', 1, 0),
  ('00000000-0000-7000-8000-000000000215', 'GLOBAL', 'bought_from', 'sold_to', 'many_to_many', 1, 0),
  ('00000000-0000-7000-8000-000000000216', 'GLOBAL', 'visited', 'visited_by', 'many_to_many', 1, 0),
  ('00000000-0000-7000-8000-000000000217', 'GLOBAL', 'attended', 'attended_by', 'many_to_many', 1, 0),
  ('00000000-0000-7000-8000-000000000218', 'GLOBAL', 'has_pet', 'pet_of', 'one_to_many', 1, 0),
  ('00000000-0000-7000-8000-000000000219', 'GLOBAL', 'related_to', 'related_to', 'many_to_many', 1, 0);

-- 'one' where a second value contradicts the first; unlisted keys may have many.
INSERT INTO attribute_keys (id, space_id, name, cardinality, value_kind, is_predefined, created_at) VALUES
  ('00000000-0000-7000-8000-000000000300', 'GLOBAL', 'birthday', 'one', 'date', 1, 0),
  ('00000000-0000-7000-8000-000000000301', 'GLOBAL', 'age', 'one', 'number', 1, 0),
  ('00000000-0000-7000-8000-000000000302', 'GLOBAL', 'full_name', 'one', 'text', 1, 0),
  ('00000000-0000-7000-8000-000000000303', 'GLOBAL', 'email', 'many', 'text', 1, 0),
  ('00000000-0000-7000-8000-000000000304', 'GLOBAL', 'phone', 'many', 'text', 1, 0),
  ('00000000-0000-7000-8000-000000000305', 'GLOBAL', 'address', 'many', 'text', 1, 0),
  ('00000000-0000-7000-8000-000000000306', 'GLOBAL', 'job_title', 'many', 'text', 1, 0),
  ('00000000-0000-7000-8000-000000000307', 'GLOBAL', 'nationality', 'many', 'text', 1, 0),
  ('00000000-0000-7000-8000-000000000308', 'GLOBAL', 'language', 'many', 'text', 1, 0),
  ('00000000-0000-7000-8000-000000000309', 'GLOBAL', 'diet', 'many', 'text', 1, 0),
  ('00000000-0000-7000-8000-00000000030a', 'GLOBAL', 'allergy', 'many', 'text', 1, 0),
  ('00000000-0000-7000-8000-00000000030b', 'GLOBAL', 'likes', 'many', 'text', 1, 0),
  ('00000000-0000-7000-8000-00000000030c', 'GLOBAL', 'dislikes', 'many', 'text', 1, 0),
  ('00000000-0000-7000-8000-00000000030d', 'GLOBAL', 'prefers', 'many', 'text', 1, 0),
  ('00000000-0000-7000-8000-00000000030e', 'GLOBAL', 'store', 'one', 'text', 1, 0),
  ('00000000-0000-7000-8000-00000000030f', 'GLOBAL', 'date', 'one', 'date', 1, 0),
  ('00000000-0000-7000-8000-000000000310', 'GLOBAL', 'total', 'one', 'number', 1, 0),
  ('00000000-0000-7000-8000-000000000311', 'GLOBAL', 'currency', 'one', 'text', 1, 0),
  ('00000000-0000-7000-8000-000000000312', 'GLOBAL', 'version', 'one', 'text', 1, 0),
  ('00000000-0000-7000-8000-000000000313', 'GLOBAL', 'status', 'one', 'text', 1, 0),
  ('00000000-0000-7000-8000-000000000314', 'GLOBAL', 'deadline', 'one', 'date', 1, 0),
  ('00000000-0000-7000-8000-000000000315', 'GLOBAL', 'price', 'one', 'number', 1, 0);
