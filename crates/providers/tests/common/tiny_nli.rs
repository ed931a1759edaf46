//! An entailment model that is made on the spot: each word has three numbers, and a pair's logits are the sums of
//! those of its words. So a test knows what comes out, and a token that is filled in or cut off shows.

use super::proto::Message;
use serde_json::{Value, json};
use std::path::Path;

const FLOAT: i64 = 1;
const INT64: i64 = 7;

/// The words of the vocabulary; a word's place is its number.
pub const WORDS: [&str; 7] = ["<s>", "<pad>", "</s>", "<unk>", "surely", "never", "perhaps"];
/// The label that a word speaks for, and by how much. Filling would drown all.
const WEIGHTS: [(&str, f32); 7] = [
    ("", 0.0),
    ("neutral", 1000.0),
    ("", 0.0),
    ("", 0.0),
    ("entailment", 4.0),
    ("contradiction", 4.0),
    ("neutral", 4.0),
];

/// How the model is made.
pub struct Tiny {
    /// The labels, by the numbers of the outputs.
    pub labels: Vec<&'static str>,
    /// Whether only the words of the hypothesis count.
    pub typed: bool,
    /// An input that no pair of texts gives.
    pub strange: Option<&'static str>,
    /// What stands in `config.json` in place of or beside the usual.
    pub config: Value,
}

impl Tiny {
    /// A model with this order of labels.
    pub fn new(labels: &[&'static str]) -> Tiny {
        Tiny { labels: labels.to_vec(), typed: false, strange: None, config: json!({}) }
    }

    /// Writes the three files.
    pub fn write(&self, folder: &Path) {
        std::fs::create_dir_all(folder).unwrap();
        let id2label: serde_json::Map<String, Value> =
            self.labels.iter().enumerate().map(|(id, label)| (id.to_string(), json!(label))).collect();
        let mut config = json!({"model_type": "roberta", "architectures": ["TinyForSequenceClassification"],
            "max_position_embeddings": 34, "pad_token_id": 1, "id2label": id2label});
        config.as_object_mut().unwrap().extend(self.config.as_object().unwrap().clone());
        std::fs::write(folder.join("config.json"), config.to_string()).unwrap();
        std::fs::write(folder.join("tokenizer.json"), tokenizer().to_string()).unwrap();
        std::fs::write(folder.join("model.onnx"), self.graph()).unwrap();
    }

    fn graph(&self) -> Vec<u8> {
        let mut inputs = vec!["input_ids", "attention_mask"];
        inputs.extend(self.typed.then_some("token_type_ids"));
        inputs.extend(self.strange);
        let mask = if self.typed { "theirs" } else { "mask" };
        let mut nodes = vec![
            node("Gather", &["table", "input_ids"], "words", &[]),
            node("Cast", &["attention_mask"], "mask", &[("to", FLOAT)]),
        ];
        if self.typed {
            nodes.push(node("Cast", &["token_type_ids"], "types", &[("to", FLOAT)]));
            nodes.push(node("Mul", &["mask", "types"], "theirs", &[]));
        }
        nodes.extend([
            node("Unsqueeze", &[mask, "two"], "column", &[]),
            node("Mul", &["words", "column"], "counted", &[]),
            node("ReduceSum", &["counted", "one"], "logits", &[("keepdims", 0)]),
        ]);
        let table: Vec<u8> = WEIGHTS.iter().flat_map(|weight| self.row(*weight)).flat_map(f32::to_le_bytes).collect();
        let shape = [WORDS.len() as i64, self.labels.len() as i64];
        let constants = [
            Message::new().ints(1, &shape).int(2, FLOAT).text(8, "table").bytes(9, &table),
            Message::new().ints(1, &[1]).int(2, INT64).text(8, "one").bytes(9, &1i64.to_le_bytes()),
            Message::new().ints(1, &[1]).int(2, INT64).text(8, "two").bytes(9, &2i64.to_le_bytes()),
        ];
        let inputs: Vec<Message> = inputs.into_iter().map(|name| value(name, INT64, "length")).collect();
        let outputs = [value("logits", FLOAT, "labels")];
        let graph = Message::new().messages(1, &nodes).text(2, "tiny").messages(5, &constants);
        let graph = graph.messages(11, &inputs).messages(12, &outputs);
        let model = Message::new().int(1, 8).message(7, &graph);
        model.message(8, &Message::new().text(1, "").int(2, 17)).into_bytes()
    }

    /// A word's number for each label.
    fn row(&self, (label, weight): (&str, f32)) -> Vec<f32> {
        let speaks_for = |name: &&str| name.to_lowercase() == label;
        self.labels.iter().map(|name| if speaks_for(name) { weight } else { 0.0 }).collect()
    }
}

fn node(operator: &str, inputs: &[&str], output: &str, attributes: &[(&str, i64)]) -> Message {
    let node = inputs.iter().fold(Message::new(), |node, input| node.text(1, input));
    let attributes: Vec<Message> =
        attributes.iter().map(|(name, number)| Message::new().text(1, name).int(3, *number).int(20, 2)).collect();
    node.text(2, output).text(3, output).text(4, operator).messages(5, &attributes)
}

fn value(name: &str, element: i64, second: &str) -> Message {
    let sizes = [Message::new().text(2, "batch"), Message::new().text(2, second)];
    let tensor = Message::new().int(1, element).message(2, &Message::new().messages(1, &sizes));
    Message::new().text(1, name).message(2, &Message::new().message(1, &tensor))
}

/// `<s> premise </s> hypothesis </s>`, words at white space.
fn tokenizer() -> Value {
    let vocabulary: serde_json::Map<String, Value> =
        WORDS.iter().enumerate().map(|(id, word)| ((*word).to_owned(), json!(id))).collect();
    let mark = |id: &str, kind: u8| json!({"SpecialToken": {"id": id, "type_id": kind}});
    let text = |id: &str, kind: u8| json!({"Sequence": {"id": id, "type_id": kind}});
    let special = |word: &str, id: u8| json!({"id": word, "ids": [id], "tokens": [word]});
    json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [mark("<s>", 0), text("A", 0), mark("</s>", 0)],
            "pair": [mark("<s>", 0), text("A", 0), mark("</s>", 0), text("B", 1), mark("</s>", 1)],
            "special_tokens": {"<s>": special("<s>", 0), "</s>": special("</s>", 2)},
        },
        "decoder": null,
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "<unk>"},
    })
}
