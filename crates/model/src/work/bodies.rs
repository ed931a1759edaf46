//! What versions of entries say: of each type the fields that it has.

use super::EntryType;
use crate::EpochMs;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a version of an entry says. Which fields there are depends on the type: a tool has `description`, `parameters`,
/// `examples` as a list, and `constraints`; a guideline `content`, `rationale`, and `examples` as good and bad ones; knowledge
/// `content`, `source`, `confidence` and `valid_until`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EntryBody {
    /// The text of a guideline or of knowledge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// What a tool does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What a tool takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<ToolParameters>,
    /// What a tool cannot do, or must not be used for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraints: Option<String>,
    /// Why a guideline is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    /// Of a tool a list of uses, of a guideline good and bad examples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub examples: Option<Examples>,
    /// Where knowledge comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// How sure knowledge is, 0 to 1; 1 where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// When knowledge stops to hold, in milliseconds since 1970. What ran out is told with that, and comes last in packs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<EpochMs>,
}

/// What a tool takes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ToolParameters {
    /// Names of what has to be given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<String>,
    /// Names of what may be given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub optional: Vec<String>,
    /// A JSON Schema of it all.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub schema: Map<String, Value>,
}

/// Examples of an entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(untagged)]
pub enum Examples {
    /// How a tool is used.
    Uses(Vec<ToolExample>),
    /// How a guideline is followed, and how not.
    GoodAndBad(GoodAndBad),
}

/// One use of a tool.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolExample {
    /// What is done.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// What is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// What comes of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
}

/// Examples of a guideline.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoodAndBad {
    /// So.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub good: Vec<String>,
    /// Not so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bad: Vec<String>,
}

impl EntryBody {
    /// Whether it is one of an entry of that type.
    ///
    /// # Errors
    /// What is wrong with it, in a sentence.
    pub fn check(&self, of: EntryType) -> Result<(), String> {
        let foreign = match of {
            EntryType::Tool => [
                ("content", self.content.is_some()),
                ("rationale", self.rationale.is_some()),
                ("source", self.source.is_some()),
                ("confidence", self.confidence.is_some()),
                ("valid_until", self.valid_until.is_some()),
            ],
            EntryType::Guideline | EntryType::Knowledge => [
                ("description", self.description.is_some()),
                ("parameters", self.parameters.is_some()),
                ("constraints", self.constraints.is_some()),
                ("confidence", of == EntryType::Guideline && self.confidence.is_some()),
                ("valid_until", of == EntryType::Guideline && self.valid_until.is_some()),
            ],
        };
        let more = match of {
            EntryType::Guideline => ("source", self.source.is_some()),
            EntryType::Knowledge => ("rationale", self.rationale.is_some()),
            EntryType::Tool => ("content", false),
        };
        if let Some((field, _)) = foreign.iter().chain([&more]).find(|(_, is_there)| *is_there) {
            return Err(format!("{} has no field {field}.", of.called()));
        }
        match (&self.examples, of) {
            (None, _) | (Some(Examples::Uses(_)), EntryType::Tool) => {}
            (Some(Examples::GoodAndBad(_)), EntryType::Guideline) => {}
            (Some(_), EntryType::Tool) => return Err("The examples of a tool are a list.".to_owned()),
            (Some(_), EntryType::Guideline) => {
                return Err("The examples of a guideline are {\"good\": […], \"bad\": […]}.".to_owned());
            }
            (Some(_), EntryType::Knowledge) => return Err(format!("{} has no field examples.", of.called())),
        }
        let says = if of == EntryType::Tool { &self.description } else { &self.content };
        if says.as_ref().is_none_or(|says| says.trim().is_empty()) {
            let field = if of == EntryType::Tool { "description" } else { "content" };
            return Err(format!("{} needs a {field}.", of.called()));
        }
        match self.confidence {
            Some(sure) if !(0.0..=1.0).contains(&sure) => Err("A confidence lies between 0 and 1.".to_owned()),
            _ => Ok(()),
        }
    }

    /// Whether it stopped to hold by a time.
    pub fn ran_out(&self, by: EpochMs) -> bool {
        self.valid_until.is_some_and(|until| until <= by)
    }

    /// All that it says, part by part.
    pub fn words(&self) -> Vec<&str> {
        fn within<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
            match value {
                Value::String(text) => found.push(text),
                Value::Array(items) => items.iter().for_each(|item| within(item, found)),
                Value::Object(fields) => fields.iter().for_each(|(name, field)| {
                    found.push(name);
                    within(field, found);
                }),
                _ => {}
            }
        }
        let texts = [&self.content, &self.description, &self.constraints, &self.rationale, &self.source];
        let mut found: Vec<&str> = texts.into_iter().flatten().map(String::as_str).collect();
        if let Some(parameters) = &self.parameters {
            found.extend(parameters.required.iter().chain(&parameters.optional).map(String::as_str));
            parameters.schema.iter().for_each(|(name, field)| {
                found.push(name);
                within(field, &mut found);
            });
        }
        match &self.examples {
            Some(Examples::Uses(uses)) => uses.iter().for_each(|one| {
                found.push(&one.description);
                found.extend(one.input.iter().chain(&one.output).map(String::as_str));
            }),
            Some(Examples::GoodAndBad(both)) => {
                found.extend(both.good.iter().chain(&both.bad).map(String::as_str));
            }
            None => {}
        }
        found.retain(|words| !words.is_empty());
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_misspelt_field_of_a_body_is_refused() {
        let read = |text: &str| serde_json::from_str::<EntryBody>(text).is_ok();
        assert!(read(r#"{"content": "Feed the walrus."}"#));
        assert!(!read(r#"{"contnet": "Feed the walrus."}"#));
    }

    #[test]
    fn what_holds_until_a_time_has_run_out_from_then_on() {
        for (valid_until, expected) in [(None, false), (Some(6), true), (Some(7), true), (Some(8), false)] {
            assert_eq!(EntryBody { valid_until, ..EntryBody::default() }.ran_out(7), expected, "{valid_until:?}");
        }
    }

    #[test]
    fn a_body_fits_its_type_or_says_what_is_wrong() {
        let check = |of: EntryType, body: Value, wrong: Option<&str>| {
            let read: EntryBody = serde_json::from_value(body.clone()).unwrap();
            assert_eq!(read.check(of).err().as_deref(), wrong, "{of} {body}");
            if wrong.is_none() {
                assert_eq!(serde_json::to_value(&read).unwrap(), body, "nothing is lost and nothing is added");
            }
        };
        use EntryType::*;
        check(Tool, json!({"description": "Runs the tests."}), None);
        check(
            Tool,
            json!({"description": "x", "constraints": "slow", "parameters": {"required": ["path"],
            "optional": ["flag"], "schema": {"type": "object"}}, "examples": [{"description": "all", "input": "t", "output": "ok"}]}),
            None,
        );
        check(Tool, json!({"content": "x"}), Some("A tool has no field content."));
        check(Tool, json!({}), Some("A tool needs a description."));
        check(
            Tool,
            json!({"description": "x", "examples": {"good": ["a"]}}),
            Some("The examples of a tool are a list."),
        );
        check(
            Guideline,
            json!({"content": "Use tabs.", "rationale": "So we agreed.", "examples": {"good": ["\t"], "bad": ["  "]}}),
            None,
        );
        check(Guideline, json!({"content": " "}), Some("A guideline needs a content."));
        check(Guideline, json!({"content": "x", "source": "y"}), Some("A guideline has no field source."));
        check(Guideline, json!({"content": "x", "confidence": 0.5}), Some("A guideline has no field confidence."));
        check(
            Guideline,
            json!({"content": "x", "examples": []}),
            Some("The examples of a guideline are {\"good\": […], \"bad\": […]}."),
        );
        check(Knowledge, json!({"content": "x", "source": "y", "confidence": 0.5, "valid_until": 7}), None);
        check(Knowledge, json!({"content": "x", "confidence": 1.5}), Some("A confidence lies between 0 and 1."));
        check(Knowledge, json!({"content": "x", "rationale": "y"}), Some("Knowledge has no field rationale."));
        check(Knowledge, json!({"content": "x", "examples": []}), Some("Knowledge has no field examples."));
    }
}
