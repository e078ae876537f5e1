/** What a person types into the fields below an element. */
export interface TypedText {
  /** Something was typed and is still there. */
  isThere(): boolean;
  /** What is there is being saved, and is not lost meanwhile. */
  send(): void;
  /** It was kept or not: what is in the form that was submitted last, else everything that was sent. */
  answer(kept: boolean): void;
  stop(): void;
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLElement;

const fields = "input, textarea, [contenteditable=true]";
/** Choices, and what only looks for something. */
const others = new Set(["search", "checkbox", "radio", "range", "color", "file", "submit", "button", "hidden"]);

function fieldAt(target: EventTarget | null): Field | null {
  const field = target instanceof Element ? target.closest<HTMLElement>(fields) : null;
  return field instanceof HTMLInputElement && others.has(field.type) ? null : field;
}

const textOf = (field: Field): string =>
  field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field.value : (field.textContent ?? "");

/** Watches all fields below `root`, also those that come later. */
export function watchTyping(root: HTMLElement): TypedText {
  const before = new Map<Field, string>();
  /** Of fields that may be gone by the time somebody asks. */
  const last = new Map<Field, string>();
  let focused = "";
  let submitted: EventTarget | null = null;
  let isSent = false;

  const onFocus = ({ target }: Event) => {
    const field = fieldAt(target);
    if (field !== null) focused = textOf(field);
  };
  const beforeChange = ({ target }: Event) => {
    const field = fieldAt(target);
    if (field !== null && !before.has(field)) before.set(field, textOf(field));
  };
  const onInput = ({ target }: Event) => {
    const field = fieldAt(target);
    if (field === null) return;
    // Whoever fills fields for a person, such as a password manager, need not say so before.
    if (!before.has(field)) before.set(field, document.activeElement === field ? focused : "");
    last.set(field, textOf(field));
  };
  const onSubmit = ({ target }: Event) => void (submitted = target);
  const handlers = {
    focusin: onFocus,
    beforeinput: beforeChange,
    paste: beforeChange,
    drop: beforeChange,
    input: onInput,
    submit: onSubmit,
  };
  for (const [name, handler] of Object.entries(handlers)) root.addEventListener(name, handler, { capture: true });

  return {
    isThere: () =>
      !isSent &&
      [...before].some(([field, text]) => (field.isConnected ? textOf(field) : (last.get(field) ?? text)) !== text),
    send: () => void (isSent = true),
    answer(kept) {
      const form = submitted instanceof Node ? submitted : null;
      if (kept && (form !== null || isSent))
        for (const field of before.keys())
          if (form === null || form.contains(field) || !field.isConnected) before.delete(field);
      isSent = false;
      submitted = null;
    },
    stop() {
      for (const [name, handler] of Object.entries(handlers))
        root.removeEventListener(name, handler, { capture: true });
    },
  };
}

/** Of the dialogs that are open, the last on top. */
const open: TypedText[] = [];

/** Watches the fields of a dialog as long as it is open. Returns what it has. */
export function watchDialog(dialog: HTMLElement): TypedText {
  const typed = watchTyping(dialog);
  open.push(typed);
  return {
    ...typed,
    stop() {
      typed.stop();
      open.splice(open.indexOf(typed), 1);
    },
  };
}

/** What was typed into the dialog on top is being saved. Returns what tells whether that worked. */
export function sendTyped(): (kept: boolean) => void {
  const typed = open.at(-1);
  typed?.send();
  return (kept) => typed?.answer(kept);
}

/** Something was saved or could not be: if a form was submitted in the dialog on top, it is what that was about. */
export function answerSubmitted(kept: boolean): void {
  open.at(-1)?.answer(kept);
}
