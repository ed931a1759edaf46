//! The header of a safetensors file: which tensor lies where.
//!
//! The file starts with the header's length (8 bytes, little endian); the header is JSON, and offsets in it count
//! from its end.

use std::collections::BTreeMap;

use serde_json::Value;

/// Where one tensor of 32-bit floats lies.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor {
    /// Sizes, outermost first.
    pub shape: Vec<i64>,
    /// Bytes from the start of the file.
    pub offset: i64,
    /// Bytes.
    pub length: i64,
}

/// The tensors of a file, by name.
pub struct Weights(BTreeMap<String, Tensor>);

impl Weights {
    /// Reads the header of a whole file. Tensors of other types than 32-bit floats are left out.
    ///
    /// # Errors
    /// The header is cut off, is no JSON, or names bytes that the file does not have.
    pub fn parse(file: &[u8]) -> Result<Weights, String> {
        let (length, rest) = file.split_first_chunk::<8>().ok_or("the weights have no header")?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|e| e.to_string())?;
        let header = rest.get(..length).ok_or("the weights' header is cut off")?;
        let header: BTreeMap<String, Value> =
            serde_json::from_slice(header).map_err(|e| format!("the weights' header is no JSON: {e}"))?;
        let start = (8 + length) as i64;
        let mut tensors = BTreeMap::new();
        for (name, entry) in header {
            if entry["dtype"] == "F32" {
                let tensor = tensor(&entry, start).ok_or_else(|| format!("the weights' entry {name} is odd"))?;
                if tensor.offset + tensor.length > file.len() as i64 {
                    return Err(format!("the weights are cut off before {name}"));
                }
                tensors.insert(name, tensor);
            }
        }
        Ok(Weights(tensors))
    }

    /// One tensor.
    ///
    /// # Errors
    /// There is none of this name and shape.
    pub fn get(&self, name: &str, shape: &[i64]) -> Result<&Tensor, String> {
        match self.0.get(name) {
            Some(tensor) if tensor.shape == shape => Ok(tensor),
            Some(tensor) => Err(format!("{name} has shape {:?}, not {shape:?}", tensor.shape)),
            None => Err(format!("the weights have no {name}")),
        }
    }
}

fn tensor(entry: &Value, start: i64) -> Option<Tensor> {
    let numbers = |key: &str| entry[key].as_array()?.iter().map(Value::as_i64).collect::<Option<Vec<i64>>>();
    let shape = numbers("shape")?;
    let &[from, to] = numbers("data_offsets")?.as_slice() else {
        return None;
    };
    let length = to - from;
    let tensor = Tensor { offset: start + from, length, shape };
    let floats = tensor.shape.iter().try_fold(1i64, |product, size| product.checked_mul(*size))?;
    (from >= 0 && length == floats.checked_mul(4)?).then_some(tensor)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, data: usize) -> Vec<u8> {
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend(header.as_bytes());
        file.extend(vec![0; data]);
        file
    }

    #[test]
    fn offsets_count_from_the_start_of_the_file() {
        let header = r#"{"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2,3],"data_offsets":[8,32]}}"#;
        let weights = Weights::parse(&file(header, 32)).unwrap();
        let start = 8 + header.len() as i64;
        assert_eq!(weights.get("a", &[2, 3]).unwrap(), &Tensor { shape: vec![2, 3], offset: start + 8, length: 24 });
        assert!(weights.get("a", &[3, 2]).is_err());
        assert!(weights.get("b", &[1]).is_err());
    }

    #[test]
    fn a_broken_file_is_refused() {
        let header = r#"{"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}}"#;
        assert!(Weights::parse(&file(header, 23)).is_err());
        assert!(Weights::parse(b"\x09\0\0\0\0\0\0\0{}").is_err());
        assert!(Weights::parse(b"abc").is_err());
        let short = r#"{"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,20]}}"#;
        assert!(Weights::parse(&file(short, 24)).is_err());
    }
}
