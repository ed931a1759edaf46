//! Builds the shell's context from the `tauri.conf.json` at the root.

fn main() {
    // The shell embeds the built window; before it is built there is nothing to embed, and that is no error.
    println!("cargo:rerun-if-changed=ui/dist");
    std::fs::create_dir_all("ui/dist").expect("the project's folder can be written");
    let attributes = tauri_build::Attributes::new().capabilities_path_pattern("src-tauri/capabilities/**/*.json");
    tauri_build::try_build(attributes).expect("tauri.conf.json and the capabilities are well formed");
}
