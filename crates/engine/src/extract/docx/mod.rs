//! docx.
use super::Text;
use crate::provider::{ProviderError, ProviderResult};
pub(super) fn read(_bytes: &[u8]) -> ProviderResult<Text> { Err(ProviderError::Corrupt(String::new())) }
use std::io::{Read, Seek};
pub(super) fn open<R: Read + Seek>(file: R) -> ProviderResult<zip::ZipArchive<R>> {
    zip::ZipArchive::new(file).map_err(|error| ProviderError::Corrupt(error.to_string()))
}
