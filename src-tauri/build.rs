//! Builds the shell's context from the `tauri.conf.json` at the root.

fn main() {
    // The shell embeds the built window; before it is built there is nothing to embed, and that is no error. A folder that is there,
    // tauri has cargo look at itself, and so this is run again when the window was built.
    std::fs::create_dir_all("ui/dist").expect("the project's folder can be written");
    // The window is packed here, once: as a macro in the app's code, the app and its tests, which are compiled at a time, pack it into the
    // same files, and each may read what the other has half written. Such a window stays empty.
    let attributes = tauri_build::Attributes::new()
        .capabilities_path_pattern("src-tauri/capabilities/**/*.json")
        .codegen(tauri_build::CodegenContext::new());
    tauri_build::try_build(attributes).expect("tauri.conf.json and the capabilities are well formed");
}
