import { focusedElement } from "../../ui/overlays/return-focus.ts";

let typed = "";
let before: Element | null = null;

/** Named outside, since React calls a function that is new in each rendering again, which would forget what was typed. */
function takeKeyboard(input: HTMLInputElement | null): void {
  if (input === null) return;
  typed = "";
  // A field that stands in for a moment more than once leaves nothing focused between two of them.
  before = focusedElement() ?? before;
  input.focus({ preventScroll: true });
}

/** Takes what is typed while the command menu with this label is being loaded, so that no key is lost. */
export function typeAhead(label: string) {
  return function TypeAhead({ onClose }: { onClose: () => void }) {
    return (
      <input
        ref={takeKeyboard}
        aria-label={label}
        className="sr-only"
        onChange={(event) => {
          typed = event.target.value;
        }}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          const had = before;
          takeTypedAhead();
          onClose();
          if (had instanceof HTMLElement || had instanceof SVGElement) had.focus({ preventScroll: true });
        }}
      />
    );
  };
}

/** What has been typed ahead so far, and what had the keyboard before. */
export function typedAhead(): { typed: string; before: Element | null } {
  return { typed, before: before ?? focusedElement() };
}

/** Everything that was typed ahead, once. Not while rendering, which React may do again from the start. */
export function takeTypedAhead(): string {
  const taken = typed;
  typed = "";
  before = null;
  return taken;
}
