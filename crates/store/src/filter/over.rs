//! Which memories and units a statement of a filter goes through, and the conditions that it names.

use super::Then;
use crate::tags;

/// Which units a statement goes through.
pub(super) struct Over {
    /// The memories, as `m`.
    pub(super) from: &'static str,
    pub(super) use_of: &'static str,
    /// The units of each, as `u`, unless the memories are looked up from these.
    pub(super) units: &'static str,
    pub(super) units_use_of: &'static str,
    pub(super) order: &'static str,
    /// Whether these are what the indexes hold: nothing of it is cold.
    pub(super) in_use: bool,
    pub(super) mails: Mails,
}

/// How a statement meets the mails of mailboxes that say when they were sent: each is dated by itself, and not as its mailbox is.
pub(super) enum Mails {
    /// Like all else.
    Among,
    /// Not at all, as the dates of memories lead to what it goes through: they are gone through beside it.
    Beside(&'static Over),
    /// It goes through nothing else.
    Alone,
}

/// All units in use of some spaces.
pub(super) const OF_SPACES: Over = Over {
    from: "json_each(?1) given CROSS JOIN memories m ON m.space_id = given.value",
    use_of: "m.status = 'active'",
    units: UNITS,
    units_use_of: UNITS_IN_USE,
    order: "",
    in_use: true,
    mails: Mails::Among,
};
/// The same, where times are asked for: the index of memories leads to what is dated so.
pub(super) const OF_DATED: Over = Over { mails: Mails::Beside(&MAILS), ..OF_SPACES };
/// The mails of mailboxes among it, from the index of these.
pub(super) const MAILS: Over = Over {
    from: "json_each(?1) given CROSS JOIN text_units u INDEXED BY idx_units_mails ON u.space_id = given.value
           CROSS JOIN memories m ON m.id = u.owner_memory_id",
    use_of: "u.mail_sent_at >= ?2 AND u.mail_sent_at < ?3 AND m.status = 'active'",
    units: "",
    units_use_of: UNITS_IN_USE,
    order: "",
    in_use: true,
    mails: Mails::Alone,
};
/// The same, from the files of the types that are asked for, where text is none of these: notes are text, and most have no file. What is
/// of such a type without a file is among it, and nothing is twice where a type is named twice.
pub(super) const OF_TYPED: Over = Over {
    from: "(SELECT DISTINCT n.rid FROM json_each(?1) given CROSS JOIN json_each(?4) type
             CROSS JOIN artifacts f INDEXED BY idx_artifacts_type
               ON f.space_id = given.value AND f.modality = type.value AND f.modality <> 'text'
             CROSS JOIN memories n INDEXED BY idx_memories_artifact ON n.primary_artifact_id = f.id
           UNION ALL SELECT DISTINCT n.rid FROM json_each(?1) given CROSS JOIN json_each(?4) type
             CROSS JOIN memories n INDEXED BY idx_memories_type ON n.space_id = given.value AND n.modality = type.value
               AND n.primary_artifact_id IS NULL AND n.modality <> 'text') typed
           CROSS JOIN memories m ON m.rid = typed.rid",
    ..OF_SPACES
};
/// The same, from the files that are mails or mailboxes.
pub(super) const OF_MAIL_FILES: Over = Over {
    from: "json_each(?1) given CROSS JOIN artifacts f INDEXED BY idx_artifacts_mails
             ON f.space_id = given.value AND f.mime_type = 'message/rfc822'
           CROSS JOIN memories m INDEXED BY idx_memories_artifact ON m.primary_artifact_id = f.id",
    ..OF_SPACES
};
/// The same, from the names that something goes by: all that [`FROM`] and [`from_sender`] let through, and nothing else, where it is not
/// [the person's name](OF_PERSON) that is asked for. Who sent mails of mailboxes is looked at once for all of these; what costs most to look
/// at, the mails that are files, comes last.
pub(super) const OF_NAMED: Over = Over {
    from: "(SELECT DISTINCT rid FROM (
             SELECT u.rid FROM json_each(?1) given CROSS JOIN agents g
               CROSS JOIN memories m INDEXED BY idx_memories_of_agents ON m.space_id = given.value AND m.actor_id = g.id
                 AND m.status = 'active' AND m.actor_id <> '00000000-0000-7000-8000-00000000000a'
               CROSS JOIN text_units u ON u.owner_memory_id = m.id
             WHERE EXISTS (SELECT 1 FROM json_each(?6) part WHERE instr(found_name(g.name), part.value))
             UNION ALL SELECT u.rid FROM json_each(?1) given CROSS JOIN memories m INDEXED BY idx_memories_owned
                 ON m.space_id = given.value AND m.owner IS NOT NULL AND m.status = 'active'
               CROSS JOIN text_units u ON u.owner_memory_id = m.id
             WHERE EXISTS (SELECT 1 FROM json_each(?6) part WHERE instr(found_name(m.owner), part.value))
             UNION ALL SELECT u.rid FROM (
                 WITH RECURSIVE sender(space, name) AS (
                   SELECT given.value, (SELECT min(n.mail_from) FROM text_units n INDEXED BY idx_units_mail_from
                     WHERE n.space_id = given.value AND n.mail_from IS NOT NULL) FROM json_each(?1) given
                   UNION ALL SELECT s.space, (SELECT min(n.mail_from) FROM text_units n INDEXED BY idx_units_mail_from
                     WHERE n.space_id = s.space AND n.mail_from > s.name) FROM sender s WHERE s.name IS NOT NULL)
                 SELECT space, name FROM sender WHERE name IS NOT NULL) sender
               CROSS JOIN text_units u INDEXED BY idx_units_mail_from
                 ON u.space_id = sender.space AND u.mail_from = sender.name
             WHERE EXISTS (SELECT 1 FROM json_each(?6) part WHERE instr(found_name(sender.name), part.value))
             UNION ALL SELECT u.rid FROM json_each(?1) given CROSS JOIN memories m INDEXED BY idx_memories_titled
                 ON m.space_id = given.value AND m.title IS NOT NULL AND m.status = 'active'
               CROSS JOIN text_units u ON u.owner_memory_id = m.id
             WHERE EXISTS (SELECT 1 FROM json_each(?6) part WHERE instr(found_name(m.title), part.value))
             UNION ALL SELECT u.rid FROM json_each(?1) given
               CROSS JOIN artifacts f INDEXED BY idx_artifacts_newest ON f.space_id = given.value
               CROSS JOIN memories m INDEXED BY idx_memories_artifact ON m.primary_artifact_id = f.id
               CROSS JOIN text_units u ON u.owner_memory_id = m.id
             WHERE EXISTS (SELECT 1 FROM json_each(?6) part WHERE instr(found_name(f.original_filename), part.value))
             UNION ALL SELECT u.rid FROM json_each(?1) given CROSS JOIN artifacts f INDEXED BY idx_artifacts_mails
                 ON f.space_id = given.value AND f.mime_type = 'message/rfc822'
               CROSS JOIN memories m INDEXED BY idx_memories_artifact ON m.primary_artifact_id = f.id
               CROSS JOIN text_units u ON u.owner_memory_id = m.id
             WHERE EXISTS (SELECT 1 FROM json_each(?6) part CROSS JOIN (
                 SELECT mail_sender(v.text) AS name FROM derived_text_views v WHERE v.artifact_id = f.id
                   AND v.view_type = 'document_text' AND v.status = 'active' ORDER BY v.ordinal LIMIT 1) sender
               WHERE instr(sender.name, part.value)))) named
           CROSS JOIN text_units u ON u.rid = named.rid CROSS JOIN memories m ON m.id = u.owner_memory_id",
    units: "",
    ..OF_SPACES
};
/// Whether the name of the person, who is `?1`, has one of the parts `?2`: most of what there is may be theirs.
pub(super) const OF_PERSON: &str = "SELECT 1 FROM agents g CROSS JOIN json_each(?2) part
   WHERE g.id = ?1 AND instr(found_name(g.name), part.value)";
/// All units in use of some spaces, from what carries the first of the tags: most carry none.
pub(super) const OF_TAGGED: Over = Over {
    from: "memories m",
    use_of: "m.id IN (SELECT i.item_id FROM tags t CROSS JOIN item_tags i INDEXED BY idx_item_tags_found
           ON i.tag_id = t.id AND i.item_type = 'memory'
         WHERE found_name(t.name) = ?7 ->> 0)
       AND +m.space_id IN (SELECT value FROM json_each(?1)) AND m.status = 'active'",
    units: UNITS,
    units_use_of: UNITS_IN_USE,
    order: "",
    in_use: true,
    mails: Mails::Among,
};
/// The same as of another time: from what carries it, or did.
pub(super) const OF_TAGGED_THEN: Over = Over {
    from: OF_TAGGED.from,
    use_of: "m.id IN (SELECT i.item_id FROM tags t CROSS JOIN item_tags i INDEXED BY idx_item_tags_found
           ON i.tag_id = t.id AND i.item_type = 'memory'
         WHERE found_name(t.name) = ?7 ->> 0
         UNION ALL SELECT i.item_id FROM tags t CROSS JOIN past_item_tags i INDEXED BY idx_past_item_tags_tag
           ON i.tag_id = t.id AND i.item_type = 'memory'
         WHERE found_name(t.name) = ?7 ->> 0)
       AND +m.space_id IN (SELECT value FROM json_each(?1)) AND m.status = 'active'",
    units: UNITS,
    units_use_of: UNITS_IN_USE,
    order: "",
    in_use: true,
    mails: Mails::Among,
};
/// Those of the given units that are in use. CROSS JOIN keeps this order: from the given, which are few.
pub(super) const OF_GIVEN: Over = Over {
    from: "json_each(?1) given CROSS JOIN text_units u ON u.rid = given.value
           CROSS JOIN memories m ON m.id = u.owner_memory_id",
    use_of: "m.status = 'active'",
    units: "",
    units_use_of: UNITS_IN_USE,
    order: "",
    in_use: true,
    mails: Mails::Among,
};
/// One unit of each memory in use of a space, the newest memory first: its first passage, and a file's name where it has no other; of a
/// mailbox, the first of a mail that is [from whom is asked for](of_sender_first), where that says so and is not dated by itself.
pub(super) const NEWEST: Over = Over {
    from: "memories m",
    use_of: "m.space_id = ?1 AND m.status = 'active'",
    units: "CROSS JOIN text_units u ON u.rid = (SELECT n.rid FROM text_units n
             LEFT JOIN derived_text_views v ON v.id = n.text_view_id WHERE n.owner_memory_id = m.id AND n.status = 'active'
             AND n.mail_sent_at IS NULL ORDER BY v.view_type IS 'metadata_text', n.rid LIMIT 1)",
    units_use_of: "",
    order: "ORDER BY ifnull(m.occurred_at, m.created_at) DESC",
    in_use: true,
    mails: Mails::Beside(&NEWEST_MAILS),
};
/// The same, from what carries the first of the tags: these are put in their order.
pub(super) const NEWEST_TAGGED: Over = Over {
    use_of: CARRY_TAG,
    order: "ORDER BY ifnull(m.occurred_at, m.created_at) DESC, m.rid DESC",
    mails: Mails::Beside(&NEWEST_TAGGED_MAILS),
    ..NEWEST
};
/// The same as of another time: from what carries it, or did.
pub(super) const NEWEST_TAGGED_THEN: Over =
    Over { use_of: CARRIED_TAG, mails: Mails::Beside(&NEWEST_TAGGED_MAILS_THEN), ..NEWEST_TAGGED };
/// What of a space carries the first of the tags.
pub(super) const CARRY_TAG: &str =
    "m.id IN (SELECT i.item_id FROM tags t CROSS JOIN item_tags i INDEXED BY idx_item_tags_found
           ON i.tag_id = t.id AND i.item_type = 'memory' AND i.space_id = ?1
         WHERE found_name(t.name) = ?7 ->> 0) AND +m.space_id = ?1 AND +m.status = 'active'";
/// What of a space carries it, or did.
pub(super) const CARRIED_TAG: &str =
    "m.id IN (SELECT i.item_id FROM tags t CROSS JOIN item_tags i INDEXED BY idx_item_tags_found
           ON i.tag_id = t.id AND i.item_type = 'memory' AND i.space_id = ?1
         WHERE found_name(t.name) = ?7 ->> 0
         UNION ALL SELECT i.item_id FROM tags t CROSS JOIN past_item_tags i INDEXED BY idx_past_item_tags_tag
           ON i.tag_id = t.id AND i.item_type = 'memory' AND i.space_id = ?1
         WHERE found_name(t.name) = ?7 ->> 0) AND +m.space_id = ?1 AND +m.status = 'active'";
/// The first passage of each mail of the mailboxes in use of a space, the latest mail first.
pub(super) const NEWEST_MAILS: Over = Over {
    from: "text_units u INDEXED BY idx_units_mails CROSS JOIN memories m ON m.id = u.owner_memory_id",
    use_of: "u.space_id = ?1 AND u.mail_sent_at >= ?2 AND u.mail_sent_at < ?3 AND u.start_offset = u.mail_start
       AND m.status = 'active'",
    units: "",
    units_use_of: UNITS_IN_USE,
    order: "ORDER BY u.mail_sent_at DESC",
    in_use: true,
    mails: Mails::Alone,
};
/// The same, from what carries the first of the tags.
pub(super) const NEWEST_TAGGED_MAILS: Over = Over {
    from: NEWEST.from,
    use_of: CARRY_TAG,
    units: "CROSS JOIN text_units u ON u.owner_memory_id = m.id AND u.mail_sent_at IS NOT NULL
             AND u.start_offset = u.mail_start",
    units_use_of: UNITS_IN_USE,
    order: "ORDER BY u.mail_sent_at DESC, u.rid DESC",
    in_use: true,
    mails: Mails::Alone,
};
/// The same as of another time: from what carries it, or did.
pub(super) const NEWEST_TAGGED_MAILS_THEN: Over = Over { use_of: CARRIED_TAG, ..NEWEST_TAGGED_MAILS };
/// How many memories of a space `?1` carry a tag `?2`, as far as `?3`.
pub(super) const CARRYING: &str =
    "SELECT count(*) FROM (SELECT 1 FROM tags t CROSS JOIN item_tags i INDEXED BY idx_item_tags_found
       ON i.tag_id = t.id AND i.item_type = 'memory' AND i.space_id = ?1
     WHERE found_name(t.name) = ?2 LIMIT ?3)";
/// All units of a space that are out of use, the latest change first: what is out of use left it with its last change. The
/// condition is that of the index `idx_memories_past`, word for word. What the person removed or had forgotten is in no past.
pub(super) const PAST: Over = Over {
    from: "memories m",
    use_of: "m.space_id = ?1 AND m.status NOT IN ('active', 'deleted') AND m.is_redacted = 0
       AND m.status_changed_at > min(ifnull(?8, ?9), ifnull(?9, ?8))",
    units: UNITS,
    units_use_of: UNITS_OF_VIEWS_IN_USE,
    order: "ORDER BY m.status_changed_at DESC",
    in_use: false,
    mails: Mails::Among,
};
/// All units of a space that are cold, the latest memory first.
pub(super) const COLD: Over = Over {
    from: "memories m INDEXED BY idx_memories_cold",
    use_of: "m.space_id = ?1 AND m.tier = 'cold' AND m.status = 'active'",
    units: UNITS,
    units_use_of: UNITS_OF_VIEWS_IN_USE,
    order: "ORDER BY m.rid DESC",
    in_use: false,
    mails: Mails::Among,
};
/// Whether more memories than `?4` in use of some spaces are dated so: told by an index.
pub(super) const MANY_DATED: &str =
    "SELECT 1 FROM json_each(?1) given CROSS JOIN memories m ON m.space_id = given.value
   WHERE m.status = 'active' AND ifnull(m.occurred_at, m.created_at) >= ?2 AND ifnull(m.occurred_at, m.created_at) < ?3
   LIMIT 1 OFFSET ?4";
/// Of what [`UnitFilter::times`] has, that which is so dated by the clock for which [`UnitFilter::past_noon`] is bound so.
pub(super) fn by_clock(past_noon: &str) -> String {
    let dated = format!("{UNIT_DATED} - iif({UNIT_OCCURRED} % 86400000 = 0, {past_noon}, 0)");
    format!("{dated} >= ?2 - min({past_noon}, 0) AND {dated} < ?3 - max({past_noon}, 0)")
}
/// When a memory is dated, as the index of memories has it.
pub(super) const DATED: &str = "ifnull(m.occurred_at, m.created_at)";
/// When a unit is dated: as its memory is, or by itself.
pub(crate) const UNIT_DATED: &str = "ifnull(u.mail_sent_at, ifnull(m.occurred_at, m.created_at))";
/// All units of a memory.
pub(super) const UNITS: &str = "CROSS JOIN text_units u ON u.owner_memory_id = m.id";
pub(super) const UNITS_IN_USE: &str = "AND u.status = 'active'";
/// Those that no index holds are not in use themselves.
pub(super) const UNITS_OF_VIEWS_IN_USE: &str = "AND (u.text_view_id IS NULL
         OR EXISTS (SELECT 1 FROM derived_text_views v WHERE v.id = u.text_view_id AND v.status = 'active'))";
pub(super) const OF_MODALITY: &str =
    "ifnull((SELECT a.modality FROM artifacts a WHERE a.id = m.primary_artifact_id), m.modality)
     IN (SELECT value FROM json_each(?4))";
/// Whether a memory `m` is a mail, or a mailbox.
pub(super) const OF_MAILS: &str =
    "EXISTS (SELECT 1 FROM artifacts a WHERE a.id = m.primary_artifact_id AND a.mime_type = 'message/rfc822')";
/// Whether a part of a name, as `part`, in the form in which names are found, is in one of those that a memory `m` goes by, or in that of
/// whom the mail of a mailbox is from that a unit `u` is of.
pub(super) const FROM: &str = "EXISTS (SELECT 1 FROM json_each(?6) part WHERE
       instr(found_name(m.title), part.value)
       OR instr(found_name(u.mail_from), part.value)
       OR instr(found_name(m.owner), part.value)
       OR instr((SELECT found_name(name) FROM agents WHERE id = m.actor_id), part.value)
       OR instr((SELECT found_name(original_filename) FROM artifacts WHERE id = m.primary_artifact_id), part.value))";
/// The same of who a mail is from that is a file of its own, among those memories `m` that a statement goes through. A text may have many
/// megabytes and many thousand units: this depends on nothing outside of it, so that SQLite reads each text once for all units, and goes
/// through none of these for it. Of the newest, each memory is gone through once, and not all of them are. The head alone is looked at.
pub(super) fn from_sender(Over { from, use_of, units, mails, .. }: &Over) -> String {
    if matches!(mails, Mails::Alone) {
        return "0".to_owned();
    }
    let mails = match *units == NEWEST.units {
        true => "SELECT m.primary_artifact_id AS id".to_owned(),
        false => format!(
            "SELECT DISTINCT m.primary_artifact_id AS id FROM {from} WHERE {use_of}
               AND ifnull(m.occurred_at, m.created_at) >= ?2 AND ifnull(m.occurred_at, m.created_at) < ?3"
        ),
    };
    format!(
        "m.primary_artifact_id IN (SELECT a.id FROM ({mails}) mails
           CROSS JOIN artifacts a ON a.id = mails.id CROSS JOIN json_each(?6) part
         WHERE a.mime_type = 'message/rfc822'
           AND instr((SELECT mail_sender(v.text) FROM derived_text_views v WHERE v.artifact_id = a.id
               AND v.view_type = 'document_text' AND v.status = 'active' ORDER BY v.ordinal LIMIT 1), part.value))"
    )
}
/// The units of [`NEWEST`], so that the one of a mailbox is of a mail from whom `?6` asks for, where its undated mails have one: together
/// these are one of the newest, and not each of them need be from there.
pub(super) fn of_sender_first(units: &str) -> String {
    let is_other = "iif(n.mail_from IS NULL, 1, NOT EXISTS (SELECT 1 FROM json_each(?6) part
               WHERE instr(found_name(n.mail_from), part.value)))";
    units.replace("ORDER BY v.view_type", &format!("ORDER BY {is_other}, v.view_type"))
}
/// Which mail of its mailbox a unit is of, where that mail is dated by itself; else -1.
pub(super) fn dated_mail(unit: &str) -> String {
    format!("iif({unit}.mail_sent_at IS NULL, -1, {unit}.mail_start)")
}

/// What carries the tags, or carried those that [count](tags::counts) at the times that are bound as ?8 and ?9.
pub(super) fn tagged(then: Then) -> String {
    let carries = |table: &str, when: &str| {
        format!(
            "EXISTS (SELECT 1 FROM {table} i JOIN tags t ON t.id = i.tag_id
               WHERE i.item_type = 'memory' AND i.item_id = m.id AND found_name(t.name) = wanted.value{when})"
        )
    };
    let carries = match then.is_now() {
        true => carries("item_tags", ""),
        false => {
            let [on, taken_off] = tags::counts("?8", "?9").map(|when| format!(" AND {when}"));
            format!("({} OR {})", carries("item_tags", &on), carries("past_item_tags", &taken_off))
        }
    };
    format!("NOT EXISTS (SELECT 1 FROM json_each(?7) wanted WHERE NOT {carries})")
}
/// Since when a memory `m` is so: since it happened, where `occurred_at` tells that. A file may tell so only once it is read, and be told
/// otherwise later. What is dated later was only to come until then; but what took another one's place did so at once, whatever it says
/// of itself.
pub(super) fn so_since(occurred_at: &str) -> String {
    format!("iif(m.supersedes_id IS NULL, ifnull({occurred_at}, m.valid_from), m.valid_from)")
}
/// When what a unit `u` of a memory `m` says happened, where that is known: each mail of a mailbox when it was sent.
pub(super) const UNIT_OCCURRED: &str = "ifnull(u.mail_sent_at, m.occurred_at)";
/// Valid at `as_of`, and on file at `known_at`: what ended after that had no end yet, and its history tells whether it was in use.
/// At `known_at`, where nothing else is asked; else at `as_of`, by the changes that were known at `known_at` (now, where it is null).
/// What was known as removed, or as never so, was not so at any time. Without a change, a memory is in use.
/// `since` is since when it is so, as [`so_since`] has it.
pub(super) fn was_so(since: &str, as_of: &str, known_at: &str) -> String {
    let latest = |among: &str| {
        format!(
            "ifnull((SELECT h.to_status FROM memory_status_history h WHERE h.memory_id = m.id
               AND h.changed_at <= ifnull({known_at}, h.changed_at) AND {among} ORDER BY h.rid DESC LIMIT 1), 'active')"
        )
    };
    let (known, so) = (latest("1"), latest(&format!("h.valid_from <= {as_of}")));
    format!(
        "({as_of} IS NULL OR {since} <= {as_of}) AND m.created_at <= ifnull({known_at}, m.created_at)
         AND ({as_of} IS NULL OR m.valid_to IS NULL OR m.valid_to > {as_of} OR m.status_changed_at > {known_at})
         AND CASE WHEN {as_of} IS NULL THEN {known} = 'active'
           ELSE {known} NOT IN ('retracted', 'deleted') AND {so} = 'active' END"
    )
}
