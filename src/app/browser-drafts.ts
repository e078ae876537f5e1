import { browserTable } from "../state/shared/storage/browser-table.ts";
import { createDraftJournal, type JournalEntry } from "../state/document/draft-journal.ts";
import { localDrafts } from "../state/document/local-drafts.ts";

/** The second copy of this browser's drafts. */
export const draftJournal = createDraftJournal(
  browserTable<JournalEntry>(() => globalThis.indexedDB, "switchyard-drafts", "drafts"),
);

/** Work of this browser that is not saved yet. */
export const browserDrafts = localDrafts(() => window.localStorage, draftJournal);
