//! An ONNX graph under construction. Values are known by their names.

use super::proto::Message;
use super::safetensors::Tensor;

const FLOAT: i64 = 1;
const INT64: i64 = 7;
const EXTERNAL: i64 = 1;
const IR_VERSION: i64 = 8;
const OPERATOR_SET: i64 = 17;

/// The name of a value: an input, a weight, a constant, or what a node gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(String);

impl From<&str> for Name {
    fn from(name: &str) -> Name {
        Name(name.to_string())
    }
}

/// An attribute of a node.
pub enum Attribute {
    /// A number with a fraction.
    Float(&'static str, f32),
    /// A whole number.
    Int(&'static str, i64),
    /// Whole numbers.
    Ints(&'static str, Vec<i64>),
}

/// The graph.
#[derive(Default)]
pub struct Graph {
    nodes: Vec<Message>,
    initializers: Vec<Message>,
    inputs: Vec<Message>,
    outputs: Vec<Message>,
}

impl Graph {
    /// An input of whole numbers; each of its sizes is known by a name only.
    pub fn input(&mut self, name: &str, sizes: &[&str]) -> Name {
        self.inputs.push(value(name, INT64, sizes.iter().map(|size| Message::new().text(2, size))));
        name.into()
    }

    /// Makes a value an output of floats: sizes known by name, and the last one as a number.
    pub fn output(&mut self, name: &Name, sizes: &[&str], last: i64) {
        let sizes = sizes.iter().map(|size| Message::new().text(2, size));
        self.outputs.push(value(&name.0, FLOAT, sizes.chain([Message::new().int(1, last)])));
    }

    /// A tensor that lies in a file beside the graph.
    pub fn external(&mut self, name: &str, file: &str, tensor: &Tensor) -> Name {
        let entry = |key: &str, value: &str| Message::new().text(1, key).text(2, value);
        let place = [
            entry("location", file),
            entry("offset", &tensor.offset.to_string()),
            entry("length", &tensor.length.to_string()),
        ];
        let dims = Message::new().ints(1, &tensor.shape).int(2, FLOAT).text(8, name);
        self.initializers.push(dims.messages(13, &place).int(14, EXTERNAL));
        name.into()
    }

    /// One float.
    pub fn float(&mut self, name: &str, number: f32) -> Name {
        self.constant(name, Message::new().int(2, FLOAT), &number.to_le_bytes())
    }

    /// A list of whole numbers.
    pub fn ints(&mut self, name: &str, numbers: &[i64]) -> Name {
        let raw: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.constant(name, Message::new().ints(1, &[numbers.len() as i64]).int(2, INT64), &raw)
    }

    fn constant(&mut self, name: &str, head: Message, raw: &[u8]) -> Name {
        self.initializers.push(head.text(8, name).bytes(9, raw));
        name.into()
    }

    /// A node with one result, which bears the node's name.
    pub fn node(&mut self, name: &str, operator: &str, inputs: &[&Name], attributes: &[Attribute]) -> Name {
        let node = inputs.iter().fold(Message::new(), |node, input| node.text(1, &input.0));
        let node = node.text(2, name).text(3, name).text(4, operator);
        let attributes: Vec<Message> = attributes.iter().map(attribute).collect();
        self.nodes.push(node.messages(5, &attributes));
        name.into()
    }

    /// The whole model, encoded.
    pub fn into_model(self, name: &str) -> Vec<u8> {
        let graph = Message::new()
            .messages(1, &self.nodes)
            .text(2, name)
            .messages(5, &self.initializers)
            .messages(11, &self.inputs)
            .messages(12, &self.outputs);
        let operators = Message::new().text(1, "").int(2, OPERATOR_SET);
        let model = Message::new().int(1, IR_VERSION).text(2, "ultimate-memory");
        model.message(7, &graph).message(8, &operators).into_bytes()
    }
}

fn value(name: &str, element: i64, sizes: impl Iterator<Item = Message>) -> Message {
    let shape = sizes.fold(Message::new(), |shape, size| shape.message(1, &size));
    let tensor = Message::new().int(1, element).message(2, &shape);
    Message::new().text(1, name).message(2, &Message::new().message(1, &tensor))
}

fn attribute(attribute: &Attribute) -> Message {
    const TYPE: u64 = 20;
    match attribute {
        Attribute::Float(name, number) => Message::new().text(1, name).float(2, *number).int(TYPE, 1),
        Attribute::Int(name, number) => Message::new().text(1, name).int(3, *number).int(TYPE, 2),
        Attribute::Ints(name, numbers) => Message::new().text(1, name).ints(8, numbers).int(TYPE, 7),
    }
}
