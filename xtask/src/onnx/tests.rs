//! The structure of the graph: every value that a node reads is given once, by an input, a weight or a node before.

use std::collections::BTreeSet;

use super::*;

const CONFIG: &str = r#"{"model_type":"bert","hidden_act":"gelu","num_hidden_layers":2,"num_attention_heads":2,
    "hidden_size":4,"intermediate_size":8,"max_position_embeddings":5,"type_vocab_size":2,"vocab_size":7,
    "layer_norm_eps":1e-12}"#;

/// A safetensors file with every tensor of the small encoder, filled with zeros.
fn weights() -> Vec<u8> {
    let mut sizes = vec![
        ("embeddings.word_embeddings.weight".to_string(), vec![7, 4]),
        ("embeddings.token_type_embeddings.weight".to_string(), vec![2, 4]),
        ("embeddings.position_embeddings.weight".to_string(), vec![5, 4]),
        ("embeddings.LayerNorm.weight".to_string(), vec![4]),
        ("embeddings.LayerNorm.bias".to_string(), vec![4]),
    ];
    for layer in 0..2 {
        let dense = [
            ("attention.self.query", 4, 4),
            ("attention.self.key", 4, 4),
            ("attention.self.value", 4, 4),
            ("attention.output.dense", 4, 4),
            ("intermediate.dense", 8, 4),
            ("output.dense", 4, 8),
        ];
        for (name, to, from) in dense {
            sizes.push((format!("encoder.layer.{layer}.{name}.weight"), vec![to, from]));
            sizes.push((format!("encoder.layer.{layer}.{name}.bias"), vec![to]));
        }
        for name in ["attention.output", "output"] {
            sizes.push((format!("encoder.layer.{layer}.{name}.LayerNorm.weight"), vec![4]));
            sizes.push((format!("encoder.layer.{layer}.{name}.LayerNorm.bias"), vec![4]));
        }
    }
    let mut header = serde_json::Map::new();
    let mut end = 0;
    for (name, shape) in sizes {
        let length = shape.iter().product::<i64>() * 4;
        let entry = serde_json::json!({"dtype": "F32", "shape": shape, "data_offsets": [end, end + length]});
        header.insert(name, entry);
        end += length;
    }
    let header = Value::Object(header).to_string();
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.as_bytes());
    file.resize(file.len() + end as usize, 0);
    file
}

/// The fields of an encoded message: number, and what a length-delimited one holds (nothing for numbers).
fn fields(mut bytes: &[u8]) -> Vec<(u64, &[u8])> {
    fn varint(bytes: &mut &[u8]) -> u64 {
        let mut value = 0;
        for shift in (0..).step_by(7) {
            let byte = bytes[0];
            *bytes = &bytes[1..];
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        value
    }
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        let length = match key & 7 {
            0 => {
                varint(&mut bytes);
                0
            }
            2 => varint(&mut bytes) as usize,
            5 => 4,
            other => panic!("wire type {other}"),
        };
        let (held, rest) = bytes.split_at(length);
        found.push((key >> 3, held));
        bytes = rest;
    }
    found
}

fn texts(message: &[u8], field: u64) -> Vec<String> {
    let held = fields(message).into_iter().filter(|(number, _)| *number == field);
    held.map(|(_, text)| String::from_utf8(text.to_vec()).unwrap()).collect()
}

#[test]
fn every_value_is_given_once_and_before_it_is_read() {
    let file = weights();
    let shape = Shape::parse(CONFIG).unwrap();
    let model = encoder(&shape, &Weights::parse(&file).unwrap(), "model.safetensors").unwrap();
    let graph = fields(&model).into_iter().find(|(number, _)| *number == 7).unwrap().1;
    let parts = fields(graph);
    let of = |field: u64| parts.iter().filter(move |(number, _)| *number == field).map(|(_, held)| *held);

    let mut known = BTreeSet::new();
    for name in of(11).flat_map(|input| texts(input, 1)).chain(of(5).flat_map(|weight| texts(weight, 8))) {
        assert!(known.insert(name.clone()), "{name} is given twice");
    }
    for node in of(1) {
        for input in texts(node, 1) {
            assert!(known.contains(&input), "{input} is read before it is given");
        }
        for output in texts(node, 2) {
            assert!(known.insert(output.clone()), "{output} is given twice");
        }
    }
    let outputs: Vec<String> = of(12).flat_map(|output| texts(output, 1)).collect();
    assert_eq!(outputs, ["last_hidden_state"]);
    assert!(known.contains("last_hidden_state"));
}

#[test]
fn weights_of_another_shape_are_refused() {
    let file = weights();
    let wide = CONFIG.replace("\"intermediate_size\":8", "\"intermediate_size\":16");
    let error = encoder(&Shape::parse(&wide).unwrap(), &Weights::parse(&file).unwrap(), "w").unwrap_err();
    assert!(error.contains("intermediate.dense.weight"), "{error}");
}

#[test]
fn another_architecture_is_refused() {
    assert!(Shape::parse(&CONFIG.replace("\"bert\"", "\"gpt2\"")).is_err());
    assert!(Shape::parse(&CONFIG.replace("\"num_hidden_layers\":2,", "")).unwrap_err().contains("num_hidden_layers"));
}
