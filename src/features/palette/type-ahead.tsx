import { focusedElement } from "../../ui/return-focus.ts";

let typed = "";
let before: Element | null = null;

/** Takes what is typed while the command menu is being loaded, so that no key is lost. */
export function TypeAhead({ onClose }: { onClose: () => void }) {
  return (
    <input
      ref={(input) => {
        if (input === null) return;
        typed = "";
        before = focusedElement();
        input.focus({ preventScroll: true });
      }}
      aria-label="Search actions, nodes and workflows"
      className="sr-only"
      onChange={(event) => {
        typed = event.target.value;
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    />
  );
}

/** What was typed ahead, and what had the keyboard before; once. */
export function takeTypeAhead(): { typed: string; before: Element | null } {
  const taken = { typed, before: before ?? focusedElement() };
  typed = "";
  before = null;
  return taken;
}
