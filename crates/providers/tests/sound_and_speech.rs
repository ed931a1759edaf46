//! Recordings to samples, samples to words.

mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{error_rate, fixture, locations, program, providers, shared};
use um_engine::provider::{Cancel, ProviderError, ProviderResult, Providers, Sound, Transcript};
use um_model::{ModelKind, ModelState};

/// A second of a tone of 440 Hz, in 16 bits.
fn wav(dir: &Path, rate: u32, channels: u16) -> PathBuf {
    let sample = |i: u32| ((f64::from(i) / f64::from(rate) * 440.0 * std::f64::consts::TAU).sin() * 16_000.0) as i16;
    let data: Vec<u8> = (0..rate).flat_map(|i| sample(i).to_le_bytes().repeat(channels.into())).collect();
    let mut file = b"RIFF".to_vec();
    file.extend((36 + data.len() as u32).to_le_bytes());
    file.extend(b"WAVEfmt \x10\0\0\0\x01\0");
    file.extend(channels.to_le_bytes());
    file.extend(rate.to_le_bytes());
    file.extend((rate * u32::from(channels) * 2).to_le_bytes());
    file.extend((channels * 2).to_le_bytes());
    file.extend(b"\x10\0data");
    file.extend((data.len() as u32).to_le_bytes());
    file.extend(data);
    let path = dir.join(format!("{rate}-{channels}.wav"));
    std::fs::write(&path, file).unwrap();
    path
}

fn decode(path: &Path) -> ProviderResult<Sound> {
    decode_with(&providers(), path)
}

fn decode_with(providers: &Providers, path: &Path) -> ProviderResult<Sound> {
    let mut samples = Vec::new();
    providers.sound.decode(path, &Cancel::default(), &mut |piece| {
        samples.extend_from_slice(piece);
        Ok(())
    })?;
    Ok(Sound { samples })
}

/// Whether it is the tone, a second long, give or take what encoders put around it.
fn is_tone(sound: &Sound) -> bool {
    let middle = &sound.samples[4000..12_000];
    let crossings = middle.windows(2).filter(|pair| (pair[0] < 0.0) != (pair[1] < 0.0)).count();
    let loudest = middle.iter().fold(0.0_f32, |most, s| most.max(s.abs()));
    (950..1200).contains(&sound.duration_ms()) && (430..450).contains(&crossings) && (0.4..0.6).contains(&loudest)
}

#[test]
fn wave_files_of_any_rate_and_width_are_decoded() {
    let dir = tempfile::tempdir().unwrap();
    for (rate, channels) in [(8000, 1), (16_000, 1), (44_100, 2), (48_000, 6)] {
        let sound = decode(&wav(dir.path(), rate, channels)).unwrap();
        assert!(is_tone(&sound) && sound.samples.len() == 16_000, "{rate} {channels}");
    }
}

#[test]
fn the_type_is_told_by_content() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("-oddly: named.mp3");
    std::fs::rename(wav(dir.path(), 16_000, 1), &path).unwrap();
    assert!(is_tone(&decode(&path).unwrap()));
}

#[test]
fn every_format_that_people_have_is_decoded() {
    let Some(()) = program("ffmpeg", "-version") else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let source = wav(dir.path(), 44_100, 2);
    let kinds: &[(&str, &[&str])] = &[
        ("mp3", &[]),
        ("flac", &[]),
        ("ogg", &["-c:a", "libvorbis"]),
        ("opus", &["-c:a", "libopus"]),
        ("webm", &["-c:a", "libopus"]),
        ("m4a", &["-c:a", "aac"]),
        ("alac.m4a", &["-c:a", "alac"]),
        ("aiff", &[]),
        ("wma", &[]),
        ("mkv", &["-c:a", "ac3"]),
        ("mp4", &["-f", "mp4", "-c:a", "aac"]),
    ];
    for (extension, options) in kinds {
        let path = dir.path().join(format!("tone.{extension}"));
        let made = Command::new("ffmpeg")
            .args(["-nostdin", "-v", "error", "-i"])
            .arg(&source)
            .args(*options)
            .arg(&path)
            .status();
        assert!(made.unwrap().success(), "{extension}");
        let sound = decode(&path).unwrap_or_else(|error| panic!("{extension}: {error:?}"));
        assert!(is_tone(&sound), "{extension}: {} ms", sound.duration_ms());
    }
}

#[test]
fn what_has_no_sound_or_is_none_is_told_apart() {
    let Some(()) = program("ffmpeg", "-version") else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let film = dir.path().join("silent.mp4");
    let arguments = ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=size=64x64:duration=1", "-an"];
    assert!(Command::new("ffmpeg").args(arguments).arg(&film).status().unwrap().success());
    assert!(matches!(decode(&film), Err(ProviderError::Unsupported(why)) if why.contains("no sound")));
    assert!(matches!(decode(&fixture("text.pdf")), Err(ProviderError::Corrupt(_) | ProviderError::Unsupported(_))));
    assert!(matches!(decode(&dir.path().join("absent")), Err(ProviderError::Failed(_))));
    let playlist = dir.path().join("list.m3u8");
    let target = wav(dir.path(), 16_000, 1);
    std::fs::write(&playlist, format!("#EXTM3U\n#EXTINF:1,\n{}\n#EXT-X-ENDLIST\n", target.display())).unwrap();
    assert!(decode(&playlist).is_err(), "a playlist must not read other files");
}

#[test]
fn a_file_cut_short_gives_what_is_there() {
    let dir = tempfile::tempdir().unwrap();
    let path = wav(dir.path(), 16_000, 1);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let sound = decode(&path).unwrap();
    assert!((400..600).contains(&sound.duration_ms()), "{}", sound.duration_ms());
}

/// The readers with the project's own small model installed, by way of the library.
fn with_memo_model(models_dir: &Path) -> Option<Providers> {
    let file = shared("asr/memo-whisper.bin")?;
    let providers = um_providers::with_locations(locations(models_dir));
    let model = providers.models.add(&file, None).unwrap();
    assert_eq!((model.id.as_str(), model.state), ("memo-whisper", ModelState::Installed));
    Some(providers)
}

fn hear(providers: &Providers, file: &Path) -> Transcript {
    let sound = decode_with(providers, file).unwrap();
    providers.asr.transcribe(&sound, &|_| {}, &Cancel::default()).unwrap()
}

fn words(text: &str) -> Vec<String> {
    let letters = |c: char| c.is_alphanumeric() || c.is_whitespace();
    text.to_lowercase()
        .chars()
        .filter(|c| letters(*c))
        .collect::<String>()
        .split_whitespace()
        .map(str::to_string)
        .collect()
}

#[derive(serde::Deserialize)]
struct Sentence {
    text: String,
    start_ms: u64,
    end_ms: u64,
}

#[test]
fn memos_are_transcribed_with_their_times() {
    let dir = tempfile::tempdir().unwrap();
    let Some(providers) = with_memo_model(dir.path()) else {
        return;
    };
    let Some(folder) = shared("asr/memo") else {
        return;
    };
    check_memos(&providers, &folder, "by loudness");
    if let Some(model) = shared("asr/for-tests-silero-v6.2.0-ggml.bin") {
        providers.models.add(&model, None).unwrap();
        check_memos(&providers, &folder, "by the model for voice activity");
    }
}

/// Every memo is written down nearly as it was said, and when.
fn check_memos(providers: &Providers, folder: &Path, told: &str) {
    let reference = std::fs::read(folder.join("reference.json")).unwrap();
    let reference: BTreeMap<String, Vec<Sentence>> = serde_json::from_slice(&reference).unwrap();
    let (mut expected, mut heard) = (Vec::new(), Vec::new());
    for (name, sentences) in &reference {
        let started = std::time::Instant::now();
        let transcript = hear(providers, &folder.join(format!("{name}.wav")));
        let text = |texts: &mut dyn Iterator<Item = &str>| words(&texts.collect::<Vec<_>>().join(" "));
        let want = text(&mut sentences.iter().map(|s| s.text.as_str()));
        let have = text(&mut transcript.utterances.iter().map(|u| u.text.as_str()));
        println!("{name}: WER {:.3}, {:.2} s", error_rate(&want, &have), started.elapsed().as_secs_f32());
        for said in &transcript.utterances {
            println!("  {:>6}-{:<6} {:.2} {}", said.start_ms, said.end_ms, said.confidence, said.text);
            let near = |s: &&Sentence| s.start_ms < said.end_ms + 500 && said.start_ms < s.end_ms + 500;
            assert!(sentences.iter().find(near).is_some(), "{said:?}");
            assert!(said.start_ms < said.end_ms && said.confidence > 0.0 && said.confidence <= 1.0);
        }
        assert_eq!(transcript.language.as_deref(), Some("en"));
        expected.extend(want);
        heard.extend(have);
    }
    let rate = error_rate(&expected, &heard);
    println!("all, cut {told}: WER {rate:.4} over {} words", expected.len());
    assert!(rate <= 0.05, "{rate}");
}

#[test]
fn long_sound_is_heard_in_windows_with_times_of_the_whole() {
    let dir = tempfile::tempdir().unwrap();
    let Some(providers) = with_memo_model(dir.path()) else {
        return;
    };
    let Some(file) = shared("asr/memo/memo-1.wav") else {
        return;
    };
    let memo = decode_with(&providers, &file).unwrap().samples;
    let minute = vec![0.0; 60 * 16_000];
    let sound = Sound { samples: [&memo[..], &minute, &memo].concat() };
    let told = std::sync::Mutex::new(Vec::new());
    let progress = |part: f32| told.lock().unwrap().push(part);
    let heard = providers.asr.transcribe(&sound, &progress, &Cancel::default()).unwrap().utterances;
    let later = (memo.len() / 16 + 60_000) as u64;
    let (first, second): (Vec<_>, Vec<_>) = heard.into_iter().partition(|said| said.end_ms < 10_000);
    assert!(!first.is_empty() && first.len() == second.len());
    for (a, b) in first.iter().zip(&second) {
        // The small model now and then hears a word twice after silence.
        assert!(error_rate(&words(&a.text), &words(&b.text)) < 0.4, "{a:?} {b:?}");
        assert!((a.start_ms + later).abs_diff(b.start_ms) < 500, "{a:?} {b:?}");
    }
    let told = told.into_inner().unwrap();
    assert!(told.is_sorted() && told.last() == Some(&1.0) && told.len() > 2, "{told:?}");
}

#[test]
fn models_are_known_loaded_and_unloaded() {
    let dir = tempfile::tempdir().unwrap();
    let Some(providers) = with_memo_model(dir.path()) else {
        return;
    };
    let state = || providers.models.state(ModelKind::Speech);
    assert_eq!((providers.asr.model_id().as_deref(), state()), (Some("memo-whisper"), ModelState::Installed));
    let cancel = Cancel::default();
    let silence = Sound { samples: vec![0.0; 32_000] };
    assert_eq!(providers.asr.transcribe(&silence, &|_| {}, &cancel).unwrap().utterances, []);
    assert_eq!(state(), ModelState::Loaded);
    providers.models.unload_idle(std::time::Duration::from_secs(3600));
    assert_eq!(state(), ModelState::Loaded);
    providers.models.unload_idle(std::time::Duration::ZERO);
    assert_eq!(state(), ModelState::Installed);
    cancel.cancel();
    assert_eq!(providers.asr.transcribe(&silence, &|_| {}, &cancel), Err(ProviderError::Cancelled));
}

#[test]
fn a_model_without_weights_is_not_taken() {
    let dir = tempfile::tempdir().unwrap();
    let Some(stub) = shared("asr/for-tests-ggml-tiny.en.bin") else {
        return;
    };
    let providers = um_providers::with_locations(locations(dir.path()));
    assert!(
        matches!(providers.models.add(&stub, None), Err(ProviderError::Corrupt(why)) if why.contains("no weights"))
    );
    let Some(other) = shared("asr/for-tests-silero-v6.2.0-ggml.bin") else {
        return;
    };
    // Of the model for voice activity, no other bytes are taken than those of the catalogue.
    let mut bytes = std::fs::read(other).unwrap();
    bytes[100_000] ^= 1;
    let changed = dir.path().with_extension("changed");
    std::fs::write(&changed, bytes).unwrap();
    assert!(matches!(providers.models.add(&changed, None), Err(ProviderError::Corrupt(_))));
    std::fs::remove_file(changed).unwrap();
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

/// Noise that is as loud as speech: by its loudness alone, nothing tells them apart.
fn noise(seconds: usize) -> Vec<f32> {
    let mut state = 1_u32;
    let mut next = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32 - 0.5
    };
    (0..seconds * 16_000).map(|_| next() * 0.2).collect()
}

#[test]
fn noise_is_told_from_speech_where_the_model_for_it_is_installed() {
    let dir = tempfile::tempdir().unwrap();
    let Some(providers) = with_memo_model(dir.path()) else {
        return;
    };
    let (Some(model), Some(file)) = (shared("asr/for-tests-silero-v6.2.0-ggml.bin"), shared("asr/memo/memo-1.wav"))
    else {
        return;
    };
    let memo = decode_with(&providers, &file).unwrap().samples;
    let said = |samples: Vec<f32>| {
        let heard = providers.asr.transcribe(&Sound { samples }, &|_| {}, &Cancel::default()).unwrap().utterances;
        let all: Vec<&str> = heard.iter().map(|said| said.text.as_str()).collect();
        (words(&all.join(" ")), heard.first().map_or(0, |first| first.start_ms))
    };
    let (plain, _) = said(memo.clone());
    let (by_loudness, _) = said(noise(20));
    println!("20 s of noise, by loudness: {by_loudness:?}");
    let before = providers.asr.config();

    let added = providers.models.add(&model, None).unwrap();
    assert_eq!(
        (added.id.as_str(), added.kind, added.state),
        ("silero-vad", ModelKind::VoiceActivity, ModelState::Installed)
    );
    assert_ne!(providers.asr.config(), before, "it is another reading");
    assert_eq!(said(noise(20)).0, Vec::<String>::new(), "noise says nothing");
    let started = std::time::Instant::now();
    let (heard, start) = said([noise(20), vec![0.0; 16_000], memo].concat());
    println!("{heard:?} from {start} ms, in {:.2} s", started.elapsed().as_secs_f32());
    assert!(error_rate(&plain, &heard) < 0.3, "{plain:?} {heard:?}");
    assert!((20_500..25_000).contains(&start), "{start}");
}

#[test]
fn a_model_said_to_be_another_is_not_taken() {
    let dir = tempfile::tempdir().unwrap();
    let Some(file) = shared("asr/memo-whisper.bin") else {
        return;
    };
    let providers = um_providers::with_locations(locations(dir.path()));
    let refused = providers.models.add(&file, Some("whisper-small"));
    assert!(matches!(refused, Err(ProviderError::Corrupt(why)) if why.contains("not Whisper small")));
}
