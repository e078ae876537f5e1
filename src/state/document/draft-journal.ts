import type { BrowserTable } from "../../services/services.ts";

/** What a draft was at a moment; `text` is null once it was removed. */
export interface JournalEntry {
  id: string;
  text: string | null;
  /** Milliseconds since 1970. */
  at: number;
}

/**
 * A second copy of each draft. A browser writes its `localStorage` out seconds later, so that a crash of the whole browser
 * loses the last drafts; IndexedDB has them at once.
 */
export interface DraftJournal {
  /** Never waits: of several changes to one draft during a write only the last is written. */
  keep(entry: JournalEntry): void;
  /** Undefined where there is none, or none that the browser gives out in time. */
  read(id: string): Promise<JournalEntry | undefined>;
  clear(): Promise<void>;
}

/** A browser whose IndexedDB hangs must not keep a workflow from opening. */
const readLimitMs = 1_000;

export function createDraftJournal(table: BrowserTable<JournalEntry>): DraftJournal {
  const waiting = new Map<string, JournalEntry>();
  let writing: Promise<void> | null = null;

  async function writeAll(): Promise<void> {
    for (const [id, entry] of waiting) {
      waiting.delete(id);
      await table.put(entry);
    }
    writing = null;
  }

  return {
    keep(entry) {
      waiting.set(entry.id, entry);
      writing ??= writeAll();
    },
    read: (id) =>
      Promise.race([
        table.get(id),
        new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), readLimitMs)),
      ]),
    async clear() {
      waiting.clear();
      await table.clear();
    },
  };
}
