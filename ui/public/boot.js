// The theme first, so that the first picture has the right colours; then the window itself.
// Addresses begin at the top: the page may have been opened at /library/….
try {
  const theme = localStorage.getItem("um.theme");
  if (theme === "light" || theme === "dark") {
    document.documentElement.setAttribute("data-theme", theme);
  }
} catch {
  // Nothing is remembered where the storage cannot be read: the theme is the system's.
}

/** Says why there is no window, and offers to try again. */
function tell(error) {
  const element = (name, classes, text = "") => {
    const made = document.createElement(name);
    made.className = classes;
    made.textContent = text;
    return made;
  };
  const reason = error instanceof Error ? error.message : String(error);
  const reload = element("button", "button", "Reload");
  reload.type = "button";
  reload.addEventListener("click", () => location.reload());
  const actions = element("div", "actions");
  actions.append(reload);
  const words = element("div", "grow");
  words.append(element("h1", "", `The window could not be drawn: ${reason}`), actions);
  const trouble = element("div", "trouble");
  trouble.setAttribute("role", "alert");
  trouble.append(words);
  const main = element("main", "");
  main.append(trouble);
  document.body.replaceChildren(main);
}

try {
  const { default: init } = await import("/um_ui.js");
  await init({ module_or_path: "/um_ui_bg.wasm" });
} catch (error) {
  console.error(error);
  tell(error);
}
