//! The way to the engine. This module alone touches `window.__TAURI__`.

use crate::text::{base64_decode, percent_encode};
use js_sys::{Array, Function, JSON, Object, Promise, Reflect, Uint8Array};
use serde::{Serialize, de::DeserializeOwned};
use um_model::{
    ApiError, ArtifactId, ErrorCode, SpaceId,
    capture::{IngestedFile, Media, MediaPart, MediaRead},
    health::Event,
    ops::Request,
};
use wasm_bindgen::{JsCast, JsValue, prelude::Closure};
use wasm_bindgen_futures::JsFuture;

/// Runs an operation of the engine.
///
/// # Errors
/// The engine's own, or `Internal` when the shell cannot be reached.
pub async fn call<R: Request>(request: R) -> Result<R::Response, ApiError> {
    #[derive(Serialize)]
    struct Call<'a, R> {
        name: &'a str,
        request: R,
    }
    from_js(&invoke("call", &to_js(&Call { name: R::NAME, request })?, &JsValue::UNDEFINED).await?)
}

/// Bytes of a file for display: their type and the bytes.
///
/// # Errors
/// The engine's.
pub async fn media(id: &ArtifactId, part: MediaPart) -> Result<(String, Vec<u8>), ApiError> {
    let request = MediaRead { id: id.clone(), part };
    let arguments = to_js(&serde_json::json!({ "name": MediaRead::NAME, "request": request }))?;
    let answer = invoke("call", &arguments, &JsValue::UNDEFINED).await?;
    // Not by way of JSON text: a recording's sound is tens of megabytes.
    let media: Media = serde_wasm_bindgen::from_value(answer).map_err(|e| internal(e.to_string()))?;
    let bytes = base64_decode(&media.base64).ok_or_else(|| internal("The picture or sound came damaged."))?;
    Ok((media.mime_type, bytes))
}

/// Brings in a file whose bytes the window holds.
///
/// # Errors
/// The engine's.
pub async fn ingest_bytes(name: &str, space: &SpaceId, bytes: &Uint8Array) -> Result<IngestedFile, ApiError> {
    let headers = serde_json::json!({ "x-name": percent_encode(name), "x-space": space.as_str() });
    let options = to_js(&serde_json::json!({ "headers": headers }))?;
    from_js(&invoke("ingest_bytes", bytes, &options).await?)
}

/// Lets the person choose files, or a folder, in the system's own dialog. Empty when they chose none.
///
/// # Errors
/// When there is no such dialog.
pub async fn pick_paths(folder: bool) -> Result<Vec<String>, ApiError> {
    from_js(&invoke("pick_paths", &to_js(&serde_json::json!({ "folder": folder }))?, &JsValue::UNDEFINED).await?)
}

/// How many files and bytes lie under paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
pub struct Weight {
    /// Files, those of folders included.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Weighs files and folders before they are brought in.
///
/// # Errors
/// When the shell cannot tell.
pub async fn weigh_paths(paths: &[String]) -> Result<Weight, ApiError> {
    from_js(&invoke("weigh_paths", &to_js(&serde_json::json!({ "paths": paths }))?, &JsValue::UNDEFINED).await?)
}

/// Opens a file in the program that the system has for it.
///
/// # Errors
/// The shell's.
pub async fn open_original(id: &ArtifactId) -> Result<(), ApiError> {
    invoke("open_original", &to_js(&serde_json::json!({ "id": id }))?, &JsValue::UNDEFINED).await.map(drop)
}

/// Opens the data folder in the system's file manager.
///
/// # Errors
/// The shell's.
pub async fn open_data_folder() -> Result<(), ApiError> {
    invoke("open_data_folder", &Object::new(), &JsValue::UNDEFINED).await.map(drop)
}

/// What came of the keys that bring the window to the question from any program.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum AskKeys {
    /// None are chosen.
    Off,
    /// The desktop hands them to the window.
    On,
    /// The desktop does not hand over these.
    Refused {
        /// Why, and what to do.
        why: String,
    },
    /// The desktop hands keys to nobody.
    Impossible {
        /// Why, and what to do instead.
        why: String,
    },
}

/// What came of the keys that the settings name.
///
/// # Errors
/// When the shell cannot tell.
pub async fn ask_keys() -> Result<AskKeys, ApiError> {
    from_js(&invoke("ask_keys", &Object::new(), &JsValue::UNDEFINED).await?)
}

/// Calls `act` whenever these keys were pressed, in whatever program.
pub fn on_ask(act: impl Fn() + 'static) {
    listen("ask", move |_| act());
}

/// Gives the native window its title. Not worth an error where the shell does not allow it.
pub async fn set_title(title: &str) {
    let current = tauri("window").and_then(|module| method(&module, "getCurrentWindow").and_then(|f| f.call0(&module)));
    let Ok(window) = current else { return };
    if let Ok(promise) = method(&window, "setTitle").and_then(|f| f.call1(&window, &title.into())) {
        let _ = JsFuture::from(Promise::resolve(&promise)).await;
    }
}

/// Calls `act` at every change in the engine, as long as the window lives.
pub fn on_changed(act: impl Fn(Event) + 'static) {
    listen("changed", move |payload| {
        if let Ok(event) = from_js(&payload) {
            act(event);
        }
    });
}

/// What a drag of files over the window does. Positions are in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub enum Drag {
    /// Files came over the window.
    Enter {
        /// Their paths.
        paths: Vec<String>,
        /// Where the pointer is.
        at: (f64, f64),
    },
    /// The pointer moved.
    Over {
        /// Where the pointer is.
        at: (f64, f64),
    },
    /// The files were let go.
    Drop {
        /// Their paths.
        paths: Vec<String>,
        /// Where the pointer is.
        at: (f64, f64),
    },
    /// They left again.
    Leave,
}

/// Calls `act` for every drag of files, as long as the window lives.
pub fn on_drag(act: impl Fn(Drag) + Clone + 'static) {
    #[derive(serde::Deserialize, Default)]
    struct Position {
        x: f64,
        y: f64,
    }
    #[derive(serde::Deserialize, Default)]
    struct Payload {
        #[serde(default)]
        paths: Vec<String>,
        #[serde(default)]
        position: Position,
    }
    // The shell counts in the screen's own pixels.
    let scale = || leptos::prelude::window().device_pixel_ratio().max(0.1);
    type Made = fn(Vec<String>, (f64, f64)) -> Drag;
    let events: [(&str, Made); 4] = [
        ("tauri://drag-enter", |paths, at| Drag::Enter { paths, at }),
        ("tauri://drag-over", |_, at| Drag::Over { at }),
        ("tauri://drag-drop", |paths, at| Drag::Drop { paths, at }),
        ("tauri://drag-leave", |_, _| Drag::Leave),
    ];
    for (name, made) in events {
        let act = act.clone();
        listen(name, move |payload| {
            let Payload { paths, position } = from_js(&payload).unwrap_or_default();
            act(made(paths, (position.x / scale(), position.y / scale())));
        });
    }
}

fn listen(name: &'static str, act: impl Fn(JsValue) + 'static) {
    let heard = Closure::<dyn Fn(JsValue)>::new(move |event: JsValue| {
        act(Reflect::get(&event, &"payload".into()).unwrap_or(JsValue::NULL));
    });
    let Ok(module) = tauri("event") else { return };
    let listening = method(&module, "listen").and_then(|f| f.call2(&module, &name.into(), heard.as_ref()));
    if let Ok(promise) = listening {
        // Nobody waits for the promise, but its failure must not be reported as unhandled.
        wasm_bindgen_futures::spawn_local(async move {
            let _ = JsFuture::from(Promise::resolve(&promise)).await;
        });
    }
    // The window listens until it is closed.
    heard.forget();
}

async fn invoke(command: &str, arguments: &JsValue, options: &JsValue) -> Result<JsValue, ApiError> {
    let core = tauri("core").map_err(|_| no_shell())?;
    let invoke = method(&core, "invoke").map_err(|_| no_shell())?;
    let promise = invoke.call3(&core, &command.into(), arguments, options).map_err(|e| error_of(&e))?;
    JsFuture::from(Promise::resolve(&promise)).await.map_err(|e| error_of(&e))
}

fn tauri(module: &str) -> Result<JsValue, JsValue> {
    let tauri = Reflect::get(&js_sys::global(), &"__TAURI__".into())?;
    Reflect::get(&tauri, &module.into())
}

fn method(of: &JsValue, name: &str) -> Result<Function, JsValue> {
    Reflect::get(of, &name.into())?.dyn_into()
}

fn no_shell() -> ApiError {
    internal("The window is not connected to the application.").hint("Close it and open Ultimate Memory again.")
}

fn internal(message: impl Into<String>) -> ApiError {
    ApiError::new(ErrorCode::Internal, message)
}

/// What the shell refused with: the engine's error, or Tauri's own text.
fn error_of(refusal: &JsValue) -> ApiError {
    if let Some(text) = refusal.as_string() {
        return internal(text);
    }
    from_js::<ApiError>(refusal).unwrap_or_else(|_| internal(format!("{refusal:?}")))
}

fn to_js(value: &impl Serialize) -> Result<JsValue, ApiError> {
    let text = serde_json::to_string(value).map_err(|e| internal(e.to_string()))?;
    JSON::parse(&text).map_err(|e| internal(format!("{e:?}")))
}

fn from_js<T: DeserializeOwned>(value: &JsValue) -> Result<T, ApiError> {
    let text = JSON::stringify(value).ok().and_then(|text| text.as_string()).unwrap_or_else(|| "null".into());
    serde_json::from_str(&text).map_err(|e| internal(format!("The answer was not understood: {e}")))
}

/// The bytes of a file that the person chose in the window.
///
/// # Errors
/// `Io` when the browser cannot read it.
pub async fn read_file(file: &web_sys::File) -> Result<Uint8Array, ApiError> {
    let unreadable = |_| ApiError::new(ErrorCode::Io, format!("{} could not be read.", file.name()));
    let buffer = JsFuture::from(file.array_buffer()).await.map_err(unreadable)?;
    Ok(Uint8Array::new(&buffer))
}

/// An address under which the window shows bytes that it holds.
pub fn blob_url(mime_type: &str, bytes: &[u8]) -> Option<String> {
    let parts = Array::of1(&Uint8Array::from(bytes));
    let options = web_sys::BlobPropertyBag::new();
    options.set_type(mime_type);
    let blob = web_sys::Blob::new_with_u8_array_sequence_and_options(&parts, &options).ok()?;
    web_sys::Url::create_object_url_with_blob(&blob).ok()
}

/// Gives the bytes behind an address back.
pub fn forget_url(url: &str) {
    // Fails only for addresses that are none.
    let _ = web_sys::Url::revoke_object_url(url);
}
