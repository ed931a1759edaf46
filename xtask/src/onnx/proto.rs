//! The little of the Protocol Buffers wire format that a message to be written needs.

/// A message under construction: its fields, encoded.
#[derive(Default)]
pub struct Message(Vec<u8>);

const VARINT: u64 = 0;
const LENGTH: u64 = 2;
const FIXED32: u64 = 5;

impl Message {
    /// A message without fields.
    pub fn new() -> Message {
        Message::default()
    }

    /// Adds an integer, an enum or a bool.
    pub fn int(mut self, field: u64, value: i64) -> Message {
        self.varint(field << 3 | VARINT);
        self.varint(value.cast_unsigned());
        self
    }

    /// Adds a `float`.
    pub fn float(mut self, field: u64, value: f32) -> Message {
        self.varint(field << 3 | FIXED32);
        self.0.extend(value.to_le_bytes());
        self
    }

    /// Adds bytes.
    pub fn bytes(mut self, field: u64, value: &[u8]) -> Message {
        self.varint(field << 3 | LENGTH);
        self.varint(value.len() as u64);
        self.0.extend(value);
        self
    }

    /// Adds a string.
    pub fn text(self, field: u64, value: &str) -> Message {
        self.bytes(field, value.as_bytes())
    }

    /// Adds a message.
    pub fn message(self, field: u64, value: &Message) -> Message {
        self.bytes(field, &value.0)
    }

    /// Adds each of several messages to a repeated field.
    pub fn messages<'a>(self, field: u64, values: impl IntoIterator<Item = &'a Message>) -> Message {
        values.into_iter().fold(self, |message, value| message.message(field, value))
    }

    /// Adds integers to a repeated field, one by one.
    pub fn ints(self, field: u64, values: &[i64]) -> Message {
        values.iter().fold(self, |message, value| message.int(field, *value))
    }

    /// The encoded message.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_wire_format_come_out() {
        // Both from the format's own description: field 1 = 150, field 2 = "testing".
        assert_eq!(Message::new().int(1, 150).into_bytes(), [0x08, 0x96, 0x01]);
        assert_eq!(Message::new().text(2, "testing").into_bytes(), b"\x12\x07testing");
    }

    #[test]
    fn negative_integers_take_ten_bytes() {
        assert_eq!(Message::new().int(1, -1).into_bytes().len(), 11);
    }

    #[test]
    fn messages_nest() {
        let inner = Message::new().int(1, 150);
        assert_eq!(Message::new().message(3, &inner).into_bytes(), [0x1a, 0x03, 0x08, 0x96, 0x01]);
    }
}
