//! Pictures: what is written on them.

use super::keep::{self, Read};
use super::{Reading, Stopped};
use crate::error::from_io;
use crate::extract;
use std::path::Path;
use um_model::{ViewId, ViewType};
use um_store::artifacts::{self, Measures};

pub(super) fn read(reading: &Reading<'_>, path: &Path) -> Result<Vec<ViewId>, Stopped> {
    let bytes = std::fs::read(path).map_err(|e| from_io("Reading", path, &e))?;
    let picture = extract::picture::decode_upright(&bytes)?;
    reading.was_made(extract::picture::captured_at(&bytes))?;
    drop(bytes);
    let measures = Measures { width: Some(picture.width()), height: Some(picture.height()), ..Measures::default() };
    let id = reading.artifact.id.clone();
    reading.engine.write(move |tx| Ok(artifacts::set_measures(tx, &id, measures)?))?;
    (reading.progress)(0.2, "recognising words");

    let languages = reading.engine.read(crate::settings::ocr_languages)?;
    let ocr = &reading.engine.providers().ocr;
    let config = format!("{} {languages}", ocr.config());
    if let Some(view) = keep::known(reading, None, ViewType::Ocr, ocr.extractor_id(), &config)? {
        return Ok(vec![view]);
    }
    let page = ocr.read(&picture, &languages, reading.cancel).map_err(super::recognising)?;
    let text = extract::compose_page(&page, Some(1));
    let parts = keep::word_parts(&text.anchors, &page.words, 1, true);
    let view = keep::keep(
        reading,
        Read {
            view_type: ViewType::Ocr,
            page: None,
            text,
            extractor_id: ocr.extractor_id().to_owned(),
            model_id: Some(ocr.model_id()),
            config,
            parts,
        },
    )?;
    Ok(vec![view])
}
