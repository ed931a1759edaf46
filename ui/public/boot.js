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

/** Says that there is no window, what to do about it, and why it is so, to be copied. */
function tell(error) {
  const element = (name, classes, ...children) => {
    const made = document.createElement(name);
    made.className = classes;
    made.append(...children);
    return made;
  };
  const button = (words, act) => {
    const made = element("button", "button", words);
    made.type = "button";
    made.addEventListener("click", act);
    return made;
  };
  const reason = String(error);
  const details = ["The window could not be drawn.", reason, error?.stack].filter(Boolean).join("\n");
  const said = element("p", "muted small");
  said.setAttribute("role", "status");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(details);
      said.textContent = "Details copied.";
    } catch {
      said.textContent = "The clipboard could not be reached. What stands above can be written down.";
    }
  };
  const trouble = element(
    "div",
    "broken-card",
    element("h1", "", "The window could not be drawn."),
    element("p", "", "Nothing of what you keep was changed. Reload it; if it stays so, close Ultimate Memory and start it again."),
    element("p", "muted", "If that does not help either, install it anew: a part of it is missing or does not fit."),
    element("pre", "broken-why", reason),
    element("div", "actions", button("Reload", () => location.reload()), button("Copy details", copy)),
    said,
  );
  trouble.setAttribute("role", "alert");
  document.body.replaceChildren(element("main", "broken", trouble));
}

try {
  const { default: init } = await import("/um_ui.js");
  await init({ module_or_path: "/um_ui_bg.wasm" });
} catch (error) {
  console.error(error);
  tell(error);
}
