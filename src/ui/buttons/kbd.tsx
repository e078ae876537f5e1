/** Whether keys are named, and touchpads pinch, as on Apple systems. */
export const apple = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);

const names: Readonly<Record<string, string>> = apple
  ? { mod: "⌘", shift: "⇧", alt: "⌥", ctrl: "⌃", enter: "↩", backspace: "⌫", delete: "⌦" }
  : { mod: "Ctrl", shift: "Shift", alt: "Alt", ctrl: "Ctrl", enter: "Enter", backspace: "Backspace", delete: "Del" };

const arrows: Readonly<Record<string, string>> = {
  up: "↑",
  down: "↓",
  left: "←",
  right: "→",
  escape: "Esc",
  space: "Space",
};

function keyLabel(key: string): string {
  const lower = key.toLowerCase();
  return names[lower] ?? arrows[lower] ?? (/^(?:.|f\d+)$/.test(key) ? key.toUpperCase() : key);
}

/** A shortcut in this machine's own words: `mod+shift+z` is `⇧⌘Z` on a Mac and `Ctrl+Shift+Z` elsewhere. */
export function shortcutText(keys: string): string {
  return keys
    .split("+")
    .map(keyLabel)
    .join(apple ? "" : "+");
}

/** A keyboard shortcut, written `mod+k`. Not shown where fingers are all there is. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <kbd className="inline-flex pointer-coarse:hidden h-5 min-w-5 items-center justify-center rounded-sm border border-line bg-canvas px-1 font-sans text-xs text-muted">
      {shortcutText(keys)}
    </kbd>
  );
}
