//! The models that are known: what they are for, where they come from, and how their files are told from others.

use um_model::ModelKind;

/// Where models are published.
pub const BASE_URL: &str = "https://huggingface.co";

/// The embedding model.
pub const MINI_LM: &str = "all-MiniLM-L6-v2";
/// Any whisper model that a person brings and that is none of the catalogue's.
pub const OTHER_WHISPER: &str = "whisper-custom";
/// The model that tells speech from noise and silence.
pub const SILERO: &str = "silero-vad";
/// The small model that the project made to try the path from sound to words.
pub const MEMO_WHISPER: &str = "memo-whisper";

/// The entailment model.
pub const NLI_XSMALL: &str = "nli-deberta-v3-xsmall";
/// Any entailment model that a person brings and that is none of the catalogue's.
pub const OTHER_NLI: &str = "nli-custom";
/// The smaller reranker: English.
pub const JINA_TURBO: &str = "jina-reranker-v1-turbo-en";
/// The larger reranker: English and Chinese.
pub const BGE_BASE: &str = "bge-reranker-base";
/// Any reranker that a person brings and that is none of the catalogue's.
pub const OTHER_RERANKER: &str = "reranker-custom";
/// The model for names that a person brings: none is offered.
pub const OTHER_NER: &str = "names-custom";

/// A file of a model.
#[derive(Debug)]
pub struct File {
    /// Where it is published, below the repository and revision.
    pub path: &'static str,
    /// Its name in the model's folder.
    pub name: &'static str,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal.
    pub sha256: &'static str,
}

/// A model.
#[derive(Debug)]
pub struct Entry {
    /// Its id, and the name of its folder.
    pub id: &'static str,
    /// Its name as people know it.
    pub name: &'static str,
    /// What it is for, in a sentence.
    pub purpose: &'static str,
    /// What kind it is.
    pub kind: ModelKind,
    /// Its licence, as an SPDX expression.
    pub licence: &'static str,
    /// Repository and revision: `owner/name/resolve/revision`.
    pub source: &'static str,
    /// Its files; none for a model that cannot be fetched and is shown only once it is there.
    pub files: &'static [File],
    /// For speech models, the longest stretch that is heard at once, in seconds.
    pub window_seconds: usize,
}

impl Entry {
    /// Whether it can be fetched, and is offered before it is there.
    pub fn is_offered(&self) -> bool {
        !self.files.is_empty()
    }

    /// Bytes to fetch.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

/// The model of that id.
pub fn entry(id: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.id == id)
}

/// The speech models, the one to prefer first: what a person brought on purpose, then the larger.
pub fn speech() -> impl Iterator<Item = &'static Entry> {
    const ORDER: [&str; 5] = [OTHER_WHISPER, "whisper-small", "whisper-base", "whisper-tiny", MEMO_WHISPER];
    ORDER.iter().filter_map(|id| entry(id))
}

/// The entailment models, the one to prefer first: what a person brought on purpose.
pub fn entailment() -> impl Iterator<Item = &'static Entry> {
    [OTHER_NLI, NLI_XSMALL].into_iter().filter_map(entry)
}

/// The models for names.
pub fn names() -> impl Iterator<Item = &'static Entry> {
    [OTHER_NER].into_iter().filter_map(entry)
}

/// The rerankers, the one to prefer first: what a person brought on purpose, then the larger.
pub fn reranking() -> impl Iterator<Item = &'static Entry> {
    [OTHER_RERANKER, BGE_BASE, JINA_TURBO].into_iter().filter_map(entry)
}

// Lengths and SHA-256 are those of the published files: Git LFS names the large ones by them.
const MINI_LM_FILES: &[File] = &[
    File {
        path: "config.json",
        name: "config.json",
        bytes: 612,
        sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    },
    File {
        path: "special_tokens_map.json",
        name: "special_tokens_map.json",
        bytes: 112,
        sha256: "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
    },
    File {
        path: "tokenizer_config.json",
        name: "tokenizer_config.json",
        bytes: 350,
        sha256: "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    },
    File {
        path: "tokenizer.json",
        name: "tokenizer.json",
        bytes: 466_247,
        sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    },
    File {
        path: "onnx/model.onnx",
        name: "model.onnx",
        bytes: 90_405_214,
        sha256: "6fd5d72fe4589f189f8ebc006442dbb529bb7ce38f8082112682524616046452",
    },
];

// The graph whose weights are whole numbers: a third of the size, and it runs on every processor.
const NLI_FILES: &[File] = &[
    File {
        path: "config.json",
        name: "config.json",
        bytes: 1_053,
        sha256: "8d9f07bf7ba54a6fc3b1962483056f94c39dcf188db4cf61843e1c88f94b2342",
    },
    File {
        path: "tokenizer.json",
        name: "tokenizer.json",
        bytes: 8_656_624,
        sha256: "5124ef2ead1a10a717703bc436de7f353da76d6340e4587719b42b1693707964",
    },
    File {
        path: "onnx/model_quint8_avx2.onnx",
        name: "model.onnx",
        bytes: 87_377_068,
        sha256: "21b14751a95520953bfcc607ceeb617de7cbeaeb6d60f4c8966716c743985337",
    },
];

const NLI_PURPOSE: &str = "Tells whether two beliefs say the same, or contradict each other.";

const fn nli(id: &'static str, name: &'static str, source: &'static str, files: &'static [File]) -> Entry {
    Entry {
        id,
        name,
        purpose: NLI_PURPOSE,
        kind: ModelKind::Entailment,
        licence: "Apache-2.0",
        source,
        files,
        window_seconds: 0,
    }
}

const JINA_TURBO_FILES: &[File] = &[
    File {
        path: "config.json",
        name: "config.json",
        bytes: 1_206,
        sha256: "e050ff6a15ae9295e84882fa0e98051bd8754856cd5201395ebf00ce9f2d609b",
    },
    File {
        path: "tokenizer.json",
        name: "tokenizer.json",
        bytes: 2_030_772,
        sha256: "0046da43cc8c424b317f56b092b0512aaaa65c4f925d2f16af9d9eeb4d0ef902",
    },
    File {
        path: "onnx/model.onnx",
        name: "model.onnx",
        bytes: 151_296_975,
        sha256: "c1296c66c119de645fa9cdee536d8637740efe85224cfa270281e50f213aa565",
    },
];

// The graph whose weights are whole numbers: a quarter of the size, and several times as quick.
const BGE_BASE_FILES: &[File] = &[
    File {
        path: "config.json",
        name: "config.json",
        bytes: 782,
        sha256: "b6575b9d5be20d6747417c8e20c5a0db1636356e0b6d422d7244c628423c4d4c",
    },
    File {
        path: "tokenizer.json",
        name: "tokenizer.json",
        bytes: 17_098_079,
        sha256: "48564c5c7d3fa64d85d95e65414a542385f88b0f128fd8d4163fd7a57f2be05c",
    },
    File {
        path: "onnx/model_quantized.onnx",
        name: "model.onnx",
        bytes: 279_301_077,
        sha256: "dd98f3e67837d23210a6b7550c08cced4f61845b940ac45be3565840a10f3244",
    },
];

const fn reranker(
    (id, name): (&'static str, &'static str),
    licence: &'static str,
    source: &'static str,
    files: &'static [File],
) -> Entry {
    Entry {
        id,
        name,
        purpose: "Reads the best passages of each question together with it, and puts those first that answer it.",
        kind: ModelKind::Reranking,
        licence,
        source,
        files,
        window_seconds: 0,
    }
}

const WHISPER_SOURCE: &str = "ggerganov/whisper.cpp/resolve/5359861c739e955e79d9a303bcbc70fb988958b1";
const WHISPER_PURPOSE: &str = "Writes down what is said in recordings and films, in some hundred languages.";

/// The file of a model of whisper.cpp in its folder.
pub const WHISPER_FILE: &str = "model.bin";

const fn whisper(id: &'static str, name: &'static str, purpose: &'static str, files: &'static [File]) -> Entry {
    Entry {
        id,
        name,
        purpose,
        kind: ModelKind::Speech,
        licence: "MIT",
        source: WHISPER_SOURCE,
        files,
        // Whisper's own window is 30 seconds; a margin keeps the last words out of its end.
        window_seconds: 28,
    }
}

/// All models.
pub const ENTRIES: &[Entry] = &[
    Entry {
        id: MINI_LM,
        name: "all-MiniLM-L6-v2",
        purpose: "Finds passages by what they mean, not only by their words.",
        kind: ModelKind::TextEmbedding,
        licence: "Apache-2.0",
        source: "sentence-transformers/all-MiniLM-L6-v2/resolve/c9745ed1d9f207416be6d2e6f8de32d1f16199bf",
        files: MINI_LM_FILES,
        window_seconds: 0,
    },
    whisper(
        "whisper-tiny",
        "Whisper tiny",
        "Writes down what is said, quickly and with more errors; good for clear voice memos.",
        &[File {
            path: "ggml-tiny.bin",
            name: WHISPER_FILE,
            bytes: 77_691_713,
            sha256: "be07e048e1e599ad46341c8d2a135645097a538221678b7acdd1b1919c6e1b21",
        }],
    ),
    whisper(
        "whisper-base",
        "Whisper base",
        WHISPER_PURPOSE,
        &[File {
            path: "ggml-base.bin",
            name: WHISPER_FILE,
            bytes: 147_951_465,
            sha256: "60ed5bc3dd14eea856493d334349b405782ddcaf0028d4b5df4088345fba2efe",
        }],
    ),
    whisper(
        "whisper-small",
        "Whisper small",
        "Writes down what is said with fewer errors, several times slower.",
        &[File {
            path: "ggml-small.bin",
            name: WHISPER_FILE,
            bytes: 487_601_967,
            sha256: "1be3a9b2063867b937e64e2ec7483364a79917e157fa98c5d94b5c1fffea987b",
        }],
    ),
    whisper(OTHER_WHISPER, "Whisper, from your file", WHISPER_PURPOSE, &[]),
    Entry {
        id: SILERO,
        name: "Silero VAD 6.2",
        purpose: "Tells speech from noise and silence, so that fewer words are misheard in recordings with both.",
        kind: ModelKind::VoiceActivity,
        licence: "MIT",
        source: "ggml-org/whisper-vad/resolve/9ffd54a1e1ee413ddf265af9913beaf518d1639b",
        files: &[File {
            path: "ggml-silero-v6.2.0.bin",
            name: WHISPER_FILE,
            bytes: 885_098,
            sha256: "2aa269b785eeb53a82983a20501ddf7c1d9c48e33ab63a41391ac6c9f7fb6987",
        }],
        window_seconds: 0,
    },
    Entry {
        // It was trained on a few sentences at a time and loses count in longer stretches.
        window_seconds: 8,
        ..whisper(
            MEMO_WHISPER,
            "Memo whisper (for trying out)",
            "Knows some ninety English words, to try the way from sound to cited words; no recogniser for real recordings.",
            &[],
        )
    },
    nli(
        NLI_XSMALL,
        "DeBERTa v3 xsmall, NLI",
        "cross-encoder/nli-deberta-v3-xsmall/resolve/a150876415327c80daeff35ca6f68f5ed8cf5c24",
        NLI_FILES,
    ),
    Entry { licence: "LicenseRef-yours", ..nli(OTHER_NLI, "Entailment, from your folder", "", &[]) },
    reranker(
        (JINA_TURBO, "Jina reranker v1 turbo, English"),
        "Apache-2.0",
        "jinaai/jina-reranker-v1-turbo-en/resolve/b8c14f4e723d9e0aab4732a7b7b93741eeeb77c2",
        JINA_TURBO_FILES,
    ),
    reranker(
        (BGE_BASE, "BGE reranker base, English and Chinese"),
        "MIT",
        "Xenova/bge-reranker-base/resolve/280bcc27a84e0b898c251e06fddb25171bd9b101",
        BGE_BASE_FILES,
    ),
    reranker((OTHER_RERANKER, "Reranker, from your folder"), "LicenseRef-yours", "", &[]),
    Entry {
        id: OTHER_NER,
        name: "Names, from your folder",
        purpose: "Finds more names of people, organizations and places among what is personal.",
        kind: ModelKind::Names,
        licence: "LicenseRef-yours",
        source: "",
        files: &[],
        window_seconds: 0,
    },
];

/// SHA-256 of `memo-whisper`'s one file.
pub const MEMO_WHISPER_SHA256: &str = "8c0504797efd0c8a21df71781c8bf765344644f35f2df6edde28a3d2709e0107";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_offered_is_pinned_by_length_and_hash() {
        for file in ENTRIES.iter().flat_map(|entry| entry.files) {
            assert!(file.bytes > 0 && file.sha256.len() == 64, "{}", file.path);
            assert!(file.sha256.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')), "{}", file.path);
        }
        assert!(ENTRIES.iter().filter(|e| e.is_offered()).all(|e| e.source.contains("/resolve/")));
    }

    #[test]
    fn models_of_a_kind_that_has_several_have_their_ranks() {
        let check = |kind: ModelKind, ranked: Vec<&str>, last: &str| {
            let all = ENTRIES.iter().filter(|entry| entry.kind == kind);
            assert!(all.clone().all(|entry| ranked.contains(&entry.id)));
            assert_eq!(ranked.len(), all.count());
            assert_eq!(ranked.last(), Some(&last));
        };
        check(ModelKind::Speech, speech().map(|entry| entry.id).collect(), MEMO_WHISPER);
        check(ModelKind::Reranking, reranking().map(|entry| entry.id).collect(), JINA_TURBO);
        check(ModelKind::Names, names().map(|entry| entry.id).collect(), OTHER_NER);
        check(ModelKind::Entailment, entailment().map(|entry| entry.id).collect(), NLI_XSMALL);
    }
}
