import { browserTable } from "../host/browser-table.ts";
import { createDraftJournal, type JournalEntry } from "../browser/draft-journal.ts";
import { localDrafts } from "../browser/local-drafts.ts";

/** The second copy of this browser's drafts. */
export const draftJournal = createDraftJournal(
  browserTable<JournalEntry>(() => globalThis.indexedDB, "switchyard-drafts", "drafts"),
);

/** Work of this browser that is not saved yet. */
export const browserDrafts = localDrafts(() => window.localStorage, draftJournal);
