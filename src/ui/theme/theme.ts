import { useSyncExternalStore } from "react";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** `public/before-paint.js` reads it too, before the first paint. */
const storageKey = "switchyard:theme";
const listeners = new Set<() => void>();
let current: Theme | undefined;

function stored(): Theme {
  try {
    const value = localStorage.getItem(storageKey);
    return themes.find((theme) => theme === value) ?? "system";
  } catch {
    return "system";
  }
}

/** The chosen theme. Without storage it holds until the page is left. */
function theme(): Theme {
  current ??= stored();
  return current;
}

export function setTheme(next: Theme): void {
  current = next;
  if (next === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem(storageKey, next);
  } catch {
    // The choice holds until the page is left.
  }
  for (const listener of listeners) listener();
}

/** Whether the page is dark now, by choice or by the system. */
export function isDark(): boolean {
  return theme() === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : theme() === "dark";
}

/** Switches to the other of light and dark, for a command or a button. */
export function toggleTheme(): void {
  setTheme(isDark() ? "light" : "dark");
}

function followOtherTab(event: StorageEvent): void {
  if (event.key === storageKey) setTheme(stored());
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener("storage", followOtherTab);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener("storage", followOtherTab);
  };
}

/** Whether the page is dark, following the choice and the system. */
export function useIsDark(): boolean {
  return useSyncExternalStore(subscribeToShade, isDark);
}

function subscribeToShade(listener: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const unsubscribe = subscribe(listener);
  system.addEventListener("change", listener);
  return () => {
    unsubscribe();
    system.removeEventListener("change", listener);
  };
}

/** The chosen theme, following changes here and in other tabs. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, theme);
}
