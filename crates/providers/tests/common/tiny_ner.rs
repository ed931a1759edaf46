//! A tagger that is made on the spot: each token has a number for each label, and what surrounds it does not count. So a
//! test knows what comes out.

use super::proto::Message;
use serde_json::{Value, json};
use std::path::Path;

const FLOAT: i64 = 1;
const INT64: i64 = 7;

/// The tokens with the label that each speaks for; a token's place is its number. Those with `##` go on with a word.
pub const TOKENS: [(&str, &str); 10] = [
    ("[CLS]", "B-PER"),
    ("[PAD]", "B-PER"),
    ("[SEP]", "B-PER"),
    ("[UNK]", "O"),
    ("maya", "B-PER"),
    ("okafor", "I-PER"),
    ("oslo", "B-LOC"),
    ("orb", "B-ORG"),
    ("##is", "O"),
    ("may", "O"),
];

/// How the model is made.
pub struct Tiny {
    /// The labels, by the numbers of the outputs.
    pub labels: Vec<&'static str>,
    /// Whether its graph gives one label more than it names.
    pub too_many: bool,
}

impl Default for Tiny {
    fn default() -> Tiny {
        Tiny { labels: vec!["O", "B-PER", "I-PER", "B-ORG", "I-ORG", "B-LOC", "I-LOC"], too_many: false }
    }
}

impl Tiny {
    /// Writes the three files.
    pub fn write(&self, folder: &Path) {
        std::fs::create_dir_all(folder).unwrap();
        let id2label: serde_json::Map<String, Value> =
            self.labels.iter().enumerate().map(|(id, label)| (id.to_string(), json!(label))).collect();
        let config = json!({"model_type": "bert", "architectures": ["BertForTokenClassification"],
            "max_position_embeddings": 64, "pad_token_id": 1, "id2label": id2label});
        std::fs::write(folder.join("config.json"), config.to_string()).unwrap();
        std::fs::write(folder.join("tokenizer.json"), tokenizer().to_string()).unwrap();
        std::fs::write(folder.join("model.onnx"), self.graph()).unwrap();
    }

    /// One look-up: the numbers of each token.
    fn graph(&self) -> Vec<u8> {
        let labels = self.labels.len() + usize::from(self.too_many);
        let row =
            |label: &str| (0..labels).map(|id| if self.labels.get(id) == Some(&label) { 4f32 } else { 0.0 }).collect();
        let table: Vec<f32> = TOKENS.iter().flat_map(|(_, label)| -> Vec<f32> { row(label) }).collect();
        let table: Vec<u8> = table.into_iter().flat_map(f32::to_le_bytes).collect();
        let shape = [TOKENS.len() as i64, labels as i64];
        let constants = [Message::new().ints(1, &shape).int(2, FLOAT).text(8, "table").bytes(9, &table)];
        let look_up =
            Message::new().text(1, "table").text(1, "input_ids").text(2, "logits").text(3, "logits").text(4, "Gather");
        let inputs =
            [value("input_ids", INT64, &["texts", "length"]), value("attention_mask", INT64, &["texts", "length"])];
        let outputs = [value("logits", FLOAT, &["texts", "length", "labels"])];
        let graph = Message::new().messages(1, &[look_up]).text(2, "tiny").messages(5, &constants);
        let graph = graph.messages(11, &inputs).messages(12, &outputs);
        let model = Message::new().int(1, 8).message(7, &graph);
        model.message(8, &Message::new().text(1, "").int(2, 17)).into_bytes()
    }
}

fn value(name: &str, kind: i64, dimensions: &[&str]) -> Message {
    let dimensions: Vec<Message> = dimensions.iter().map(|name| Message::new().text(2, name)).collect();
    let tensor = Message::new().int(1, kind).message(2, &Message::new().messages(1, &dimensions));
    Message::new().text(1, name).message(2, &Message::new().message(1, &tensor))
}

fn tokenizer() -> Value {
    let vocabulary: serde_json::Map<String, Value> =
        TOKENS.iter().enumerate().map(|(id, (token, _))| ((*token).to_owned(), json!(id))).collect();
    let special = |token: &str, id: u8| json!({"id": token, "ids": [id], "tokens": [token]});
    let mark = |id: &str| json!({"SpecialToken": {"id": id, "type_id": 0}});
    let text = json!({"Sequence": {"id": "A", "type_id": 0}});
    json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [mark("[CLS]"), text, mark("[SEP]")],
            "pair": [mark("[CLS]"), text, mark("[SEP]")],
            "special_tokens": {"[CLS]": special("[CLS]", 0), "[SEP]": special("[SEP]", 2)},
        },
        "decoder": null,
        "model": {"type": "WordPiece", "vocab": vocabulary, "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100},
    })
}
