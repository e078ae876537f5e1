import { visibleName } from "../../engine/text/visible-name.ts";
import { errorHint } from "./error-hint.ts";

export type ToastTone = "plain" | "success" | "warning" | "error";

interface ToastOptions {
  /** What to do, or more about it. */
  hint?: string;
  action?: { label: string; onClick: () => void };
  /** A second toast with the same id replaces the first. */
  id?: string;
  /** Milliseconds; 5 s when absent, 8 s with an action. */
  durationMs?: number;
  /** Called once the toast is gone, however it went, unless its action was taken. */
  onGone?: () => void;
}

export interface Toast {
  id: string;
  message: string;
  tone: ToastTone;
  hint?: string;
  action?: { label: string; onClick: () => void };
  durationMs: number;
  onGone?: () => void;
  /** Grows when a toast is replaced, so that its time starts anew. */
  version: number;
}

/** More at once would cover the page; the oldest go. */
const most = 3;

let toasts: readonly Toast[] = [];
let count = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  const gone = toasts.filter((toast) => !next.includes(toast));
  toasts = next;
  for (const listener of listeners) listener();
  for (const toast of gone) toast.onGone?.();
}

/** A short message at the lower edge, for what just happened. A name in it does not turn the words around it. */
export function showToast(message: string, options: ToastOptions = {}, tone: ToastTone = "plain"): void {
  count += 1;
  const { action, onGone, id = `toast-${count}` } = options;
  const hint = options.hint === undefined ? undefined : visibleName(options.hint);
  const durationMs = options.durationMs ?? (action === undefined ? 5_000 : 8_000);
  const toast: Toast = { id, message: visibleName(message), tone, hint, action, durationMs, onGone, version: count };
  set([...toasts.filter((other) => other.id !== id), toast].slice(-most));
}

/** A failure with its hint; anything that is not an Error gets general words. */
export function showError(error: unknown, options: Omit<ToastOptions, "hint"> = {}): void {
  const message = error instanceof Error && error.message !== "" ? error.message : "Something went wrong.";
  const hint = errorHint(error) ?? "Try again; if it happens again, reload the page.";
  showToast(message, { durationMs: 8_000, ...options, hint }, "error");
}

/** Does what the toast offers, which is then gone; nothing when it is gone already. */
export function takeToastAction(id: string): void {
  const taken = toasts.find((toast) => toast.id === id);
  if (taken?.action === undefined) return;
  toasts = toasts.map((toast) => (toast === taken ? { ...toast, onGone: undefined } : toast));
  hideToast(id);
  taken.action.onClick();
}

export function hideToast(id: string): void {
  if (toasts.some((toast) => toast.id === id)) set(toasts.filter((toast) => toast.id !== id));
}

export function currentToasts(): readonly Toast[] {
  return toasts;
}

/** Calls back on every change; returns the unsubscribe function. */
export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
