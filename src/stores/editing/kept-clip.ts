const storageKey = "switchyard:clip";

/** Keeps copied nodes in this browser, for pages that may not touch the clipboard. False where nothing can be kept. */
export function keepClip(text: string): boolean {
  try {
    localStorage.setItem(storageKey, text);
    return true;
  } catch {
    return false;
  }
}

/** The nodes that were copied last in any tab of this browser, or null. */
export function keptClip(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}
