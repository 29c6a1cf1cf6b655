// Keys that press buttons.

/** Press the button that belongs to a key, unless the user is typing; `otherwise` gets the other keys. */
export function listen(buttons, otherwise = () => {}) {
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select") || event.ctrlKey || event.altKey || event.metaKey) return;
    const id = buttons[event.key];
    if (id) document.getElementById(id).click();
    else otherwise(event.key);
  });
}
