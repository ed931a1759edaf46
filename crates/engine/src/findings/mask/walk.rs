//! What an answer's parts are: whose space they are of, and which part of which source's text they show.

use super::{Kinds, Masks};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use um_model::findings::FindingKind;
use um_model::span::utf16_len;
use um_model::{ClaimId, EntityId, EvidenceId, MemoryId, SpaceId, UnitId, Utf16Span, ViewId};
use um_store::parts::Text;

/// An object of an answer.
pub(super) type Object = Map<String, Value>;

/// What is hidden in a part of an answer.
#[derive(Debug, Clone)]
pub(super) enum Scope {
    /// It belongs to spaces that are known: what any of them hides.
    Known(Kinds),
    /// To none that is known: what any space hides.
    Unknown(Kinds),
}

impl Scope {
    /// That of a whole answer.
    pub(super) fn of_all(masks: &Masks) -> Self {
        Self::Unknown(masks.any.clone())
    }

    /// That of an object within.
    pub(super) fn within(&self, masks: &Masks, object: &Object) -> Self {
        match (self, space_of(object)) {
            (_, None) => self.clone(),
            (Self::Unknown(_), Some(space)) => Self::Known(masks.of(&space)),
            (Self::Known(outer), Some(space)) => Self::Known(outer.union(&masks.of(&space)).copied().collect()),
        }
    }

    pub(super) fn kinds(&self) -> &Kinds {
        let (Self::Known(kinds) | Self::Unknown(kinds)) = self;
        kinds
    }
}

fn text_at<'a>(object: &'a Object, path: &[&str]) -> Option<&'a str> {
    let (last, before) = path.split_last()?;
    let mut object = object;
    for key in before {
        object = object.get(*key)?.as_object()?;
    }
    object.get(*last)?.as_str()
}

fn space_of(object: &Object) -> Option<SpaceId> {
    let paths: [&[&str]; 3] = [&["space_id"], &["ids", "space"], &["view", "space_id"]];
    paths.iter().find_map(|path| SpaceId::parse(text_at(object, path)?).ok())
}

/// The source whose words an object shows: a view's text, or a memory's own words.
pub(super) fn source_of(object: &Object) -> Option<Text> {
    let views: [&[&str]; 3] = [&["view_id"], &["ids", "view"], &["view", "id"]];
    let memories: [&[&str]; 3] = [&["memory_id"], &["ids", "memory"], &["memory"]];
    let view = views.iter().find_map(|path| ViewId::parse(text_at(object, path)?).ok());
    let memory = || memories.iter().find_map(|path| MemoryId::parse(text_at(object, path)?).ok());
    let own = || MemoryId::parse(object.get("content").and(text_at(object, &["id"]))?).ok();
    view.map(Text::View).or_else(|| memory().or_else(own).map(Text::Memory))
}

/// What the words of an object are of, where it says that by a type and an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Told {
    /// A text, which they are the beginning of.
    Text(Text),
    /// A passage, or one with those around it.
    Passage(UnitId),
    /// A quote, which they are the beginning of.
    Quote(EvidenceId),
    /// A claim: what it says, and the words that it rests on.
    Claim(ClaimId),
    /// An entity: what it is called.
    Name(EntityId),
}

/// What the words of an object are of.
pub(super) fn told(object: &Object) -> Vec<Told> {
    // An item of a pack or of an answer, a row's name, a sample or a request for a copy.
    let named: [[&[&str]; 2]; 4] = [
        [&["item", "item_type"], &["item", "id"]],
        [&["item_type"], &["id"]],
        // A request has an id of its own, too.
        [&["kind"], &["object_id"]],
        [&["kind"], &["id"]],
    ];
    let of_type = named.iter().find_map(|[of, id]| told_of(object, text_at(object, of)?, text_at(object, id)?));
    let claims: [(&str, &[&str]); 4] = [
        ("statement", &["id"]),
        ("relation", &["claim_id"]),
        ("claim_a", &["claim_a", "id"]),
        ("claim_b", &["claim_b", "id"]),
    ];
    let claims = claims.iter().filter(|(beside, _)| object.contains_key(*beside));
    let claims = claims.filter_map(|(_, id)| ClaimId::parse(text_at(object, id)?).ok()).map(Told::Claim);
    let name = || EntityId::parse(object.get("entity_type").and(text_at(object, &["id"]))?).ok();
    of_type.into_iter().chain(claims).chain(name().map(Told::Name)).collect()
}

fn told_of(object: &Object, of: &str, id: &str) -> Option<Told> {
    Some(match of {
        "memory" => match text_at(object, &["metadata", "unit"]).filter(|_| object.contains_key("item")) {
            Some(unit) => Told::Passage(UnitId::parse(unit).ok()?),
            None => Told::Text(Text::Memory(MemoryId::parse(id).ok()?)),
        },
        "text" => Told::Text(Text::View(ViewId::parse(id).ok()?)),
        "quote" => Told::Quote(EvidenceId::parse(id).ok()?),
        "claim" | "fact" => Told::Claim(ClaimId::parse(id).ok()?),
        "entity" | "alias" | "name" => Told::Name(EntityId::parse(id).ok()?),
        _ => return None,
    })
}

/// The kind and the words of a finding that an object shows.
pub(super) fn finding(object: &Object) -> Option<(FindingKind, &str)> {
    object.get("detector")?;
    Some((text_at(object, &["kind"])?.parse().ok()?, text_at(object, &["value"])?))
}

/// Which words of its source an object shows: the key that they stand under, and where they stand.
pub(super) fn shown_words(object: &Object) -> Option<(&'static str, Utf16Span)> {
    if let Some(content) = text_at(object, &["content"]) {
        return Some(("content", Utf16Span::new(0, utf16_len(content))));
    }
    let span: Utf16Span = serde_json::from_value(object.get("span")?.clone()).ok()?;
    let fits =
        |key: &&'static str| object.get(*key).and_then(Value::as_str).is_some_and(|s| utf16_len(s) == span.len());
    ["quote", "text"].into_iter().find(fits).map(|key| (key, span))
}

/// The label before a value: `phone` of a claim whose attribute is `phone`.
pub(super) fn label(object: &Object) -> Option<String> {
    object.get("object")?.get("value")?.as_str()?;
    Some(format!("{}: ", text_at(object, &["predicate"])?.replace('_', " ")))
}

/// Whether an object stands for a person and carries their names: an entity, or a step of a way that leads by one.
pub(super) fn names_a_person(object: &Object) -> bool {
    text_at(object, &["entity_type"]) == Some("person")
}

/// The entity that a step of a way may begin at: where it begins at a memory, nothing is known by that id.
pub(super) fn begin_of_step(step: &Value) -> Option<EntityId> {
    EntityId::parse(text_at(step.as_object()?, &["from"])?).ok()
}

/// What a step leads by, where that is the name of an entity.
pub(super) fn entity_of_step(step: &mut Value) -> Option<&mut String> {
    let step = step.as_object_mut().filter(|step| step.contains_key("entity_type"))?;
    match step.get_mut("via") {
        Some(Value::String(via)) => Some(via),
        _ => None,
    }
}

/// Whether an object is a file, whose hash is of all that it says.
pub(super) fn is_file(object: &Object) -> bool {
    object.contains_key("content_hash") && object.contains_key("filename")
}

/// Whether a value is a hash: that of words that are hidden tells whether a guess is right.
pub(super) fn is_hash(key: &str) -> bool {
    matches!(key, "span_hash" | "text_hash" | "content_hash")
}

/// Empties the hashes of an object. Where it shows the whole text of a pack, that one's is of the text as it is shown.
pub(super) fn empty_hashes(object: &mut Object) {
    let of_shown = text_at(object, &["full_text"]).map(|text| format!("{:x}", Sha256::digest(text)));
    for (key, hash) in object.iter_mut().filter(|(key, value)| is_hash(key) && value.is_string()) {
        *hash = Value::from(of_shown.as_deref().filter(|_| key == "text_hash").unwrap_or_default());
    }
}
