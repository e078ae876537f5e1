/** What a person changes below an element and has not saved. */
export interface UnsavedChanges {
  /** Something was changed and is still there. */
  areThere(): boolean;
  /** What is there is being saved, and is not lost meanwhile. */
  send(): void;
  /** It was kept or not: what is in the form that was submitted last, else everything that was sent. */
  answer(kept: boolean): void;
  stop(): void;
}

const fields = "input, textarea, [contenteditable=true]";
const choices =
  "select, input[type=checkbox], input[type=radio], input[type=range], input[type=color], [role=switch], [role=combobox]";
/** Choices, and what only looks for something. */
const others = new Set(["search", "checkbox", "radio", "range", "color", "file", "submit", "button", "hidden"]);

function fieldAt(target: EventTarget | null): HTMLElement | null {
  const field = target instanceof Element ? target.closest<HTMLElement>(fields) : null;
  return field instanceof HTMLInputElement && others.has(field.type) ? null : field;
}

/** The choices of a form that a press at `target` may change: those of a form wait until it is sent, all others count at once. */
function choicesAt(target: EventTarget | null): readonly HTMLElement[] {
  if (!(target instanceof Element)) return [];
  const choice = target.closest<HTMLElement>(choices) ?? target.closest("label")?.control ?? null;
  const form = choice?.closest("form");
  if (!form || form.matches("[role=search]") || !choice?.matches(choices)) return [];
  const isRadio = choice instanceof HTMLInputElement && choice.type === "radio";
  return isRadio ? [...form.querySelectorAll<HTMLElement>(`input[name="${CSS.escape(choice.name)}"]`)] : [choice];
}

function valueOf(control: HTMLElement): string {
  if (control instanceof HTMLInputElement && (control.type === "checkbox" || control.type === "radio"))
    return String(control.checked);
  if (
    control instanceof HTMLInputElement ||
    control instanceof HTMLTextAreaElement ||
    control instanceof HTMLSelectElement
  )
    return control.value;
  return control.getAttribute("aria-checked") ?? control.textContent ?? "";
}

/** Watches all fields and choices below `root`, also those that come later. */
export function watchChanges(root: HTMLElement): UnsavedChanges {
  const before = new Map<HTMLElement, string>();
  /** Of fields that may be gone by the time somebody asks. */
  const last = new Map<HTMLElement, string>();
  let focused = "";
  let submitted: EventTarget | null = null;
  let isSent = false;

  const remember = (control: HTMLElement) => {
    if (!before.has(control)) before.set(control, valueOf(control));
  };
  const beforeChoice = ({ target }: Event) => choicesAt(target).forEach(remember);
  const onFocus = (event: Event) => {
    const field = fieldAt(event.target);
    if (field !== null) focused = valueOf(field);
    beforeChoice(event);
  };
  const beforeChange = ({ target }: Event) => {
    const field = fieldAt(target);
    if (field !== null) remember(field);
  };
  const onInput = ({ target }: Event) => {
    const field = fieldAt(target);
    if (field === null) return;
    // Whoever fills fields for a person, such as a password manager, need not say so before.
    if (!before.has(field)) before.set(field, document.activeElement === field ? focused : "");
    last.set(field, valueOf(field));
  };
  const onSubmit = ({ target }: Event) => void (submitted = target);
  const handlers = {
    focusin: onFocus,
    pointerdown: beforeChoice,
    keydown: beforeChoice,
    beforeinput: beforeChange,
    paste: beforeChange,
    drop: beforeChange,
    input: onInput,
    submit: onSubmit,
  };
  for (const [name, handler] of Object.entries(handlers)) root.addEventListener(name, handler, { capture: true });

  return {
    areThere: () =>
      !isSent &&
      [...before].some(
        ([control, value]) => (control.isConnected ? valueOf(control) : (last.get(control) ?? value)) !== value,
      ),
    send: () => void (isSent = true),
    answer(kept) {
      const form = submitted instanceof Node ? submitted : null;
      if (kept && (form !== null || isSent))
        for (const control of before.keys())
          if (form === null || form.contains(control) || !control.isConnected) before.delete(control);
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
const open: UnsavedChanges[] = [];

/** Watches a dialog as long as it is open. Returns what it has. */
export function watchDialog(dialog: HTMLElement): UnsavedChanges {
  const changes = watchChanges(dialog);
  open.push(changes);
  return {
    ...changes,
    stop() {
      changes.stop();
      open.splice(open.indexOf(changes), 1);
    },
  };
}

/** What was changed in the dialog on top is being saved. Returns what tells whether that worked. */
export function sendChanges(): (kept: boolean) => void {
  const changes = open.at(-1);
  changes?.send();
  return (kept) => changes?.answer(kept);
}

/** Something was saved or could not be: if a form was submitted in the dialog on top, it is what that was about. */
export function answerSubmitted(kept: boolean): void {
  open.at(-1)?.answer(kept);
}
