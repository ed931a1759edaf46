// The theme first, so that the first picture has the right colours; then the window itself.
// Addresses begin at the top: the page may have been opened at /library/….
const theme = localStorage.getItem("um.theme");
if (theme === "light" || theme === "dark") {
  document.documentElement.setAttribute("data-theme", theme);
}
const { default: init } = await import("/um_ui.js");
await init({ module_or_path: "/um_ui_bg.wasm" });
