//! The encoder of BERT (Devlin et al., 2019) as an ONNX graph: embeddings, then per layer multi-head attention and
//! a feed-forward pair, each followed by a residual sum and a layer normalisation.

use serde_json::Value;

use super::graph::{Attribute, Graph, Name};
use super::safetensors::Weights;

/// The sizes of an encoder.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    layers: i64,
    heads: i64,
    hidden: i64,
    inner: i64,
    positions: i64,
    kinds: i64,
    words: i64,
    epsilon: f32,
}

impl Shape {
    /// Reads a model's `config.json`.
    ///
    /// # Errors
    /// It describes another architecture, or lacks a size.
    pub fn parse(config: &str) -> Result<Shape, String> {
        let config: Value = serde_json::from_str(config).map_err(|e| format!("config.json is no JSON: {e}"))?;
        if config["model_type"] != "bert" || config["hidden_act"] != "gelu" {
            return Err("config.json describes no BERT encoder with GELU".into());
        }
        let size = |key: &str| config[key].as_i64().ok_or_else(|| format!("config.json lacks {key}"));
        Ok(Shape {
            layers: size("num_hidden_layers")?,
            heads: size("num_attention_heads")?,
            hidden: size("hidden_size")?,
            inner: size("intermediate_size")?,
            positions: size("max_position_embeddings")?,
            kinds: size("type_vocab_size")?,
            words: size("vocab_size")?,
            epsilon: config["layer_norm_eps"].as_f64().ok_or("config.json lacks layer_norm_eps")? as f32,
        })
    }
}

/// Encodes the graph. Its inputs are `input_ids`, `attention_mask` and `token_type_ids`, whole numbers
/// `[batch, sequence]`; its output is `last_hidden_state`, floats `[batch, sequence, hidden]`. Weights stay in
/// `file`, beside the graph.
///
/// # Errors
/// A tensor is missing, or has another shape than `shape` wants.
pub fn encoder(shape: &Shape, weights: &Weights, file: &str) -> Result<Vec<u8>, String> {
    let mut writer = Writer { graph: Graph::default(), shape, weights, file };
    let bias = writer.mask();
    let mut state = writer.embeddings()?;
    for layer in 0..shape.layers {
        let prefix = format!("encoder.layer.{layer}.");
        let attended = writer.attention(&prefix, &state, &bias)?;
        state = writer.feed_forward(&prefix, &attended)?;
    }
    let graph = &mut writer.graph;
    let output = graph.node("last_hidden_state", "Identity", &[&state], &[]);
    graph.output(&output, &["batch", "sequence"], shape.hidden);
    Ok(writer.graph.into_model("bert-encoder"))
}

struct Writer<'a> {
    graph: Graph,
    shape: &'a Shape,
    weights: &'a Weights,
    file: &'a str,
}

impl Writer<'_> {
    fn weight(&mut self, name: &str, shape: &[i64]) -> Result<Name, String> {
        let tensor = self.weights.get(name, shape)?;
        Ok(self.graph.external(name, self.file, tensor))
    }

    /// What is added to attention scores: 0 where a token stands, a large negative number where padding does.
    fn mask(&mut self) -> Name {
        let graph = &mut self.graph;
        let mask = graph.input("attention_mask", &["batch", "sequence"]);
        let float = graph.node("mask.float", "Cast", &[&mask], &[Attribute::Int("to", 1)]);
        let axes = graph.ints("mask.axes", &[1, 2]);
        let wide = graph.node("mask.wide", "Unsqueeze", &[&float, &axes], &[]);
        let one = graph.float("one", 1.0);
        let absent = graph.node("mask.absent", "Sub", &[&one, &wide], &[]);
        let low = graph.float("mask.low", -10_000.0);
        graph.node("mask.bias", "Mul", &[&absent, &low], &[])
    }

    fn embeddings(&mut self) -> Result<Name, String> {
        let Shape { hidden, positions, kinds, words, .. } = *self.shape;
        let ids = self.graph.input("input_ids", &["batch", "sequence"]);
        let kind_ids = self.graph.input("token_type_ids", &["batch", "sequence"]);
        let word_table = self.weight("embeddings.word_embeddings.weight", &[words, hidden])?;
        let kind_table = self.weight("embeddings.token_type_embeddings.weight", &[kinds, hidden])?;
        let place_table = self.weight("embeddings.position_embeddings.weight", &[positions, hidden])?;
        let graph = &mut self.graph;
        let word = graph.node("embeddings.word", "Gather", &[&word_table, &ids], &[]);
        let kind = graph.node("embeddings.kind", "Gather", &[&kind_table, &kind_ids], &[]);
        let shape = graph.node("shape", "Shape", &[&ids], &[]);
        let (zero, second) = (graph.ints("zero", &[0]), graph.ints("second", &[1]));
        let length = graph.node("length", "Gather", &[&shape, &second], &[]);
        let place = graph.node("embeddings.place", "Slice", &[&place_table, &zero, &length, &zero], &[]);
        let both = graph.node("embeddings.both", "Add", &[&word, &kind], &[]);
        let sum = graph.node("embeddings.sum", "Add", &[&both, &place], &[]);
        self.normalise("embeddings.LayerNorm", &sum)
    }

    fn normalise(&mut self, name: &str, input: &Name) -> Result<Name, String> {
        let scale = self.weight(&format!("{name}.weight"), &[self.shape.hidden])?;
        let shift = self.weight(&format!("{name}.bias"), &[self.shape.hidden])?;
        let attributes = [Attribute::Int("axis", -1), Attribute::Float("epsilon", self.shape.epsilon)];
        Ok(self.graph.node(name, "LayerNormalization", &[input, &scale, &shift], &attributes))
    }

    /// `input · Wᵀ + b`: the weights lie with their outputs first.
    fn dense(&mut self, name: &str, input: &Name, from: i64, to: i64) -> Result<Name, String> {
        let weight = self.weight(&format!("{name}.weight"), &[to, from])?;
        let bias = self.weight(&format!("{name}.bias"), &[to])?;
        let graph = &mut self.graph;
        let turn = [Attribute::Ints("perm", vec![1, 0])];
        let turned = graph.node(&format!("{name}.turned"), "Transpose", &[&weight], &turn);
        let product = graph.node(&format!("{name}.product"), "MatMul", &[input, &turned], &[]);
        Ok(graph.node(name, "Add", &[&product, &bias], &[]))
    }

    /// One projection, cut into heads; `order` puts the axes batch, sequence, head, width in their new places.
    fn heads(&mut self, name: &str, state: &Name, order: [i64; 4]) -> Result<Name, String> {
        let Shape { hidden, heads, .. } = *self.shape;
        let dense = self.dense(name, state, hidden, hidden)?;
        let graph = &mut self.graph;
        // A zero keeps the size that is there.
        let sizes = graph.ints(&format!("{name}.sizes"), &[0, 0, heads, hidden / heads]);
        let cut = graph.node(&format!("{name}.cut"), "Reshape", &[&dense, &sizes], &[]);
        let order = [Attribute::Ints("perm", order.to_vec())];
        Ok(graph.node(&format!("{name}.heads"), "Transpose", &[&cut], &order))
    }

    fn attention(&mut self, prefix: &str, state: &Name, bias: &Name) -> Result<Name, String> {
        let Shape { hidden, heads, .. } = *self.shape;
        let own = format!("{prefix}attention.");
        let query = self.heads(&format!("{own}self.query"), state, [0, 2, 1, 3])?;
        let key = self.heads(&format!("{own}self.key"), state, [0, 2, 3, 1])?;
        let value = self.heads(&format!("{own}self.value"), state, [0, 2, 1, 3])?;
        let name = |step: &str| format!("{own}{step}");
        let graph = &mut self.graph;
        let raw = graph.node(&name("raw"), "MatMul", &[&query, &key], &[]);
        let root = graph.float(&name("root"), ((hidden / heads) as f32).sqrt());
        let scaled = graph.node(&name("scaled"), "Div", &[&raw, &root], &[]);
        let masked = graph.node(&name("masked"), "Add", &[&scaled, bias], &[]);
        let shares = graph.node(&name("shares"), "Softmax", &[&masked], &[Attribute::Int("axis", -1)]);
        let mixed = graph.node(&name("mixed"), "MatMul", &[&shares, &value], &[]);
        let back = [Attribute::Ints("perm", vec![0, 2, 1, 3])];
        let turned = graph.node(&name("turned"), "Transpose", &[&mixed], &back);
        let sizes = graph.ints(&name("sizes"), &[0, 0, hidden]);
        let joined = graph.node(&name("joined"), "Reshape", &[&turned, &sizes], &[]);
        let dense = self.dense(&name("output.dense"), &joined, hidden, hidden)?;
        let sum = self.graph.node(&name("output.sum"), "Add", &[&dense, state], &[]);
        self.normalise(&name("output.LayerNorm"), &sum)
    }

    fn feed_forward(&mut self, prefix: &str, state: &Name) -> Result<Name, String> {
        let Shape { hidden, inner, .. } = *self.shape;
        let wide = self.dense(&format!("{prefix}intermediate.dense"), state, hidden, inner)?;
        let active = self.gelu(&format!("{prefix}intermediate.gelu"), &wide);
        let narrow = self.dense(&format!("{prefix}output.dense"), &active, inner, hidden)?;
        let sum = self.graph.node(&format!("{prefix}output.sum"), "Add", &[&narrow, state], &[]);
        self.normalise(&format!("{prefix}output.LayerNorm"), &sum)
    }

    /// x · (1 + erf(x / √2)) · ½ (Hendrycks and Gimpel, 2016), in the order that ONNX Runtime fuses to one kernel.
    fn gelu(&mut self, name: &str, input: &Name) -> Name {
        let graph = &mut self.graph;
        let root = graph.float(&format!("{name}.root"), std::f32::consts::SQRT_2);
        let (one, half) = (Name::from("one"), graph.float(&format!("{name}.half"), 0.5));
        let scaled = graph.node(&format!("{name}.scaled"), "Div", &[input, &root], &[]);
        let erf = graph.node(&format!("{name}.erf"), "Erf", &[&scaled], &[]);
        let raised = graph.node(&format!("{name}.raised"), "Add", &[&erf, &one], &[]);
        let product = graph.node(&format!("{name}.product"), "Mul", &[input, &raised], &[]);
        graph.node(name, "Mul", &[&product, &half], &[])
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
