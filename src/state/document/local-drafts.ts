import { parseJson } from "../../engine/json.ts";
import { z } from "zod/mini";
import { readDocument } from "../../engine/document/read-document.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { DraftJournal } from "./draft-journal.ts";

/** Work that has not reached the server yet, kept in this browser. */
export interface Draft {
  document: WorkflowDocument;
  /** The stored revision that the work is based on. */
  baseRevision: number;
  /** Which tab wrote it, so that a tab removes only its own. */
  writer: string;
  /** Fingerprints of the documents that were sent without an answer: what is stored may be one of them. */
  sent?: readonly string[];
}

/** Where drafts are kept. Storage may be full, switched off or broken: `write` says so instead of throwing. */
export interface DraftStore {
  read(workflowId: string): Draft | null;
  write(workflowId: string, draft: Draft): { ok: true } | { ok: false; reason: string };
  remove(workflowId: string, writer: string): void;
  /** Brings back what a crash of the browser took from its storage. Called before `read`; never rejects. */
  recover(workflowId: string): Promise<void>;
}

/** All keys of drafts start like this; signing out removes them. */
const draftKeyPrefix = "switchyard:draft:";

const draftFrame = z.object({
  document: z.unknown(),
  baseRevision: z.number(),
  writer: z.string(),
  sent: z._default(z.array(z.string()), []),
  /** When it was written, in milliseconds since 1970. */
  at: z._default(z.number(), 0),
});

function parseDraft(text: string): Draft | null {
  const frame = draftFrame.safeParse(JSON.parse(text));
  if (!frame.success) return null;
  const { document, baseRevision, writer, sent } = frame.data;
  const read = readDocument(document);
  return read.ok ? { document: read.document, baseRevision, writer, sent } : null;
}

function frameOf(text: string): z.infer<typeof draftFrame> | undefined {
  return draftFrame.safeParse(parseJson(text)).data;
}

function whyNot(error: unknown): string {
  const full = error instanceof DOMException && error.name === "QuotaExceededError";
  return full
    ? "This browser's storage is full, so unsaved changes are kept only while this tab is open."
    : "This browser does not let the page store data, so unsaved changes are kept only while this tab is open.";
}

/**
 * Drafts in the browser's storage, with a second copy in the journal; `storage` is asked for on every use, because reading
 * the property may throw.
 */
export function localDrafts(storage: () => Storage, journal?: DraftJournal): DraftStore {
  return {
    read(workflowId) {
      try {
        const text = storage().getItem(draftKeyPrefix + workflowId);
        return text === null ? null : parseDraft(text);
      } catch {
        return null;
      }
    },
    write(workflowId, draft) {
      const at = Date.now();
      const text = JSON.stringify({ ...draft, at });
      journal?.keep({ id: workflowId, text, at });
      try {
        storage().setItem(draftKeyPrefix + workflowId, text);
        return { ok: true };
      } catch (error) {
        return { ok: false, reason: whyNot(error) };
      }
    },
    remove(workflowId, writer) {
      try {
        const text = storage().getItem(draftKeyPrefix + workflowId);
        if (text !== null && frameOf(text)?.writer !== writer) return;
        storage().removeItem(draftKeyPrefix + workflowId);
      } catch {
        // Nothing was stored, so nothing is left behind.
      }
      journal?.keep({ id: workflowId, text: null, at: Date.now() });
    },
    async recover(workflowId) {
      const entry = await journal?.read(workflowId).catch(() => undefined);
      if (entry === undefined) return;
      try {
        const stored = storage().getItem(draftKeyPrefix + workflowId);
        if (stored !== null && (frameOf(stored)?.at ?? 0) > entry.at) return;
        if (entry.text === null) storage().removeItem(draftKeyPrefix + workflowId);
        else storage().setItem(draftKeyPrefix + workflowId, entry.text);
      } catch {
        // Storage that cannot be written shows no draft either.
      }
    },
  };
}
