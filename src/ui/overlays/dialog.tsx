import { createContext, type ReactNode, use, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Button } from "../buttons/button.tsx";
import { classNames } from "../theme/class-names.ts";
import { IconButton } from "../buttons/icon-button.tsx";
import { type UnsavedChanges, watchDialog } from "./unsaved-changes.ts";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** One sentence under the title. */
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons at the lower right, the primary one last. */
  footer?: ReactNode;
  size?: "sm" | "md" | "lg" | "xl";
  /** Keeps the dialog open on a press outside, for what was chosen and not saved, or is shown only once. */
  modalOnly?: boolean;
  /** What is changed is kept at once, so nobody is asked. */
  live?: boolean;
}

const widths = { sm: "sm:w-[400px]", md: "sm:w-[520px]", lg: "sm:w-[720px]", xl: "sm:w-[min(1040px,94vw)]" };

interface DialogAround {
  /** Closes it, once it has asked where something would be lost. */
  leave: () => void;
  /** What says that it holds changes of its own. */
  unsaved: Set<string>;
}

const AroundContext = createContext<DialogAround>({ leave: () => {}, unsaved: new Set() });

/** A button that closes the dialog it stands in, as its Close does. One that means to discard, such as Cancel, closes at once. */
export function LeaveButton({ children }: { children: string }) {
  const { leave } = use(AroundContext);
  return <Button onClick={leave}>{children}</Button>;
}

/** Says that the dialog around it holds a change that no field shows, such as a row that was removed. */
export function Unsaved({ when }: { when: boolean }) {
  const { unsaved } = use(AroundContext);
  const id = useId();
  useEffect(() => {
    if (!when) return undefined;
    unsaved.add(id);
    return () => void unsaved.delete(id);
  }, [when, unsaved, id]);
  return null;
}

/**
 * A modal window built on the browser's `<dialog>`: focus stays inside, Escape closes, focus returns where it was. Where
 * something was changed that is not saved, Escape, a press outside, Close and a `LeaveButton` ask first. On a phone it is a sheet from below.
 * No library, because the browser itself keeps the focus inside, makes the page behind inert and draws the window above
 * everything else.
 */
export function Dialog({ open, ...rest }: DialogProps) {
  return open ? createPortal(<OpenDialog {...rest} />, document.body) : null;
}

const controls = "input, textarea, select, button, a[href], [tabindex='0']:not([role=tabpanel])";

/** Browsers start at the part that scrolls, where nothing can be typed; people start at the first field or button in it. */
function focusFirstControl(dialog: HTMLDialogElement): void {
  const focused = document.activeElement;
  if (focused === null || focused.matches(controls)) return;
  const first = [...focused.querySelectorAll<HTMLElement>(controls)].find(
    (control) => !control.matches(":disabled") && control.checkVisibility(),
  );
  if (dialog.contains(focused)) first?.focus({ preventScroll: true });
}

/**
 * While its content is on its way, a dialog has nothing to start at but its Close. The keyboard goes to the content once
 * that is there, unless a key was pressed meanwhile. Returns what ends the wait.
 */
function startAtContentOnceThere(dialog: HTMLDialogElement, close: HTMLElement | null): () => void {
  if (close === null || document.activeElement !== close) return () => {};
  const observer = new MutationObserver(() => {
    const first = [...dialog.querySelectorAll<HTMLElement>(controls)].find(
      (control) => !control.matches(":disabled, [tabindex='-1']") && control.checkVisibility(),
    );
    if (first === undefined || first === close) return;
    observer.disconnect();
    if (document.activeElement === close) first.focus({ preventScroll: true });
  });
  observer.observe(dialog, { childList: true, subtree: true });
  const stop = () => observer.disconnect();
  dialog.addEventListener("keydown", stop, { once: true });
  return stop;
}

/** What had the keyboard before a dialog opened. */
const openers = new WeakMap<Element, Element | null>();

/** Where the keyboard goes back to: a dialog that was opened from another one may be the last that is open. */
function stillThere(opener: Element | null | undefined, under: Element | null): Element | null | undefined {
  return opener?.isConnected === true || under === null ? opener : openers.get(under);
}

/**
 * Remembers the caret of a field. Returns what puts it back, once the field has the keyboard again: a browser that closes a
 * dialog focuses what was there before without its caret, and no key would be typed there.
 */
function caretOf(field: Element | null): () => void {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return () => {};
  const { selectionStart, selectionEnd } = field;
  return () => {
    if (document.activeElement !== field) return;
    // Fields for numbers and e-mail addresses do not tell theirs.
    if (selectionStart === null) field.select();
    else field.setSelectionRange(selectionStart, selectionEnd);
  };
}

function OpenDialog({
  onOpenChange,
  title,
  description,
  children,
  footer,
  size = "md",
  modalOnly = false,
  live = false,
}: Omit<DialogProps, "open">) {
  const dialog = useRef<HTMLDialogElement>(null);
  const closeButton = useRef<HTMLButtonElement>(null);
  const changes = useRef<UnsavedChanges>(null);
  const [unsaved] = useState(() => new Set<string>());
  const [asking, setAsking] = useState(false);
  const id = useId();
  const leave = () => {
    if (!live && (unsaved.size > 0 || changes.current?.areThere() === true)) setAsking(true);
    else onOpenChange(false);
  };

  useLayoutEffect(() => {
    const node = dialog.current;
    if (node === null) return undefined;
    const before = document.activeElement;
    const putCaretBack = caretOf(before);
    const under = before?.closest("dialog") ?? null;
    openers.set(node, before);
    node.showModal();
    focusFirstControl(node);
    const stopWaiting = startAtContentOnceThere(node, closeButton.current);
    const watched = watchDialog(node);
    changes.current = watched;
    return () => {
      stopWaiting();
      watched.stop();
      changes.current = null;
      node.close();
      const back = stillThere(before, under);
      if (back instanceof HTMLElement && back.isConnected) back.focus({ preventScroll: true });
      putCaretBack();
    };
  }, []);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={description === undefined ? undefined : `${id}-description`}
      onCancel={(event) => {
        // React decides whether it is open.
        event.preventDefault();
        if (event.target !== event.currentTarget) return;
        if (asking) setAsking(false);
        else leave();
      }}
      onClose={(event) => {
        if (event.target !== event.currentTarget || changes.current === null) return;
        // In development React ends and begins every effect once; the window is open again by the time this is heard.
        if (event.currentTarget.open) return;
        // A browser lets nobody be held back by two Escapes in a row; what was changed is still there.
        event.currentTarget.showModal();
        leave();
      }}
      onPointerDown={(event) => {
        // The dialog itself is covered by its content, so a press on it is one on the backdrop.
        if (event.target === event.currentTarget && !modalOnly) leave();
      }}
      className={classNames(
        "fixed m-0 max-h-[92dvh] w-full max-w-none flex-col bg-raised text-sm text-ink shadow-float outline-none backdrop:bg-overlay open:flex",
        "top-auto bottom-0 animate-rise rounded-t-lg border-t",
        "sm:inset-0 sm:m-auto sm:h-fit sm:max-h-[min(86dvh,760px)] sm:rounded-lg sm:border",
        widths[size],
      )}
    >
      <AroundContext value={{ leave, unsaved }}>
        <div className="flex min-h-0 flex-1 flex-col">
          <header className="pt-4 pr-12 pb-3.5 pl-5">
            <h2 id={`${id}-title`} className="text-base font-semibold">
              {title}
            </h2>
            {description !== undefined && (
              <p id={`${id}-description`} className="mt-0.5 text-muted">
                {description}
              </p>
            )}
          </header>
          {children !== undefined && (
            <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5 outline-none">{children}</div>
          )}
          {asking ? (
            <AskToDiscard onKeep={() => setAsking(false)} onDiscard={() => onOpenChange(false)} />
          ) : footer !== undefined ? (
            /* On a phone the buttons share the width, where thumbs find them. */
            <footer className="flex flex-wrap items-center justify-end gap-2 border-t px-5 py-3 max-sm:[&>button:not([aria-label])]:flex-1">
              {footer}
            </footer>
          ) : null}
          {/* Last, so that focus starts at the content. */}
          <IconButton
            ref={closeButton}
            icon="x"
            label="Close"
            size="sm"
            className="absolute! top-3 right-3"
            onClick={leave}
          />
        </div>
      </AroundContext>
    </dialog>
  );
}

/** Asks before changes are lost. The keyboard comes to it, and goes back to where it was. */
function AskToDiscard({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  const keep = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    keep.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <footer className="flex flex-wrap items-center justify-end gap-2 border-t px-5 py-3">
      <p role="alert" className="min-w-0 flex-1 font-medium">
        Discard your changes?
      </p>
      <Button ref={keep} onClick={onKeep}>
        Keep editing
      </Button>
      <Button variant="danger" onClick={onDiscard}>
        Discard
      </Button>
    </footer>
  );
}
