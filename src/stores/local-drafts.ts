import { readDocument } from "../engine/document/read-document.ts";
import type { WorkflowDocument } from "../engine/document/workflow-document.ts";

/** Work that has not reached the server yet, kept in this browser. */
export interface Draft {
  document: WorkflowDocument;
  /** The stored revision that the work is based on. */
  baseRevision: number;
  /** Which tab wrote it, so that a tab removes only its own. */
  writer: string;
}

/** Where drafts are kept. Storage may be full, switched off or broken: `write` says so instead of throwing. */
export interface DraftStore {
  read(workflowId: string): Draft | null;
  write(workflowId: string, draft: Draft): { ok: true } | { ok: false; reason: string };
  remove(workflowId: string, writer: string): void;
}

/** All keys of drafts start like this; signing out removes them. */
const draftKeyPrefix = "switchyard:draft:";

function parseDraft(text: string): Draft | null {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) return null;
  if (!("document" in value && "baseRevision" in value && "writer" in value)) return null;
  const { baseRevision, writer } = value;
  if (typeof baseRevision !== "number" || typeof writer !== "string") return null;
  const read = readDocument(value.document);
  return read.ok ? { document: read.document, baseRevision, writer } : null;
}

function whyNot(error: unknown): string {
  const full = error instanceof DOMException && error.name === "QuotaExceededError";
  return full
    ? "This browser's storage is full, so unsaved changes are kept only while this tab is open."
    : "This browser does not let the page store data, so unsaved changes are kept only while this tab is open.";
}

/** Drafts in the browser's storage; `storage` is asked for on every use, because reading the property may throw. */
export function localDrafts(storage: () => Storage): DraftStore {
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
      try {
        storage().setItem(draftKeyPrefix + workflowId, JSON.stringify(draft));
        return { ok: true };
      } catch (error) {
        return { ok: false, reason: whyNot(error) };
      }
    },
    remove(workflowId, writer) {
      try {
        const text = storage().getItem(draftKeyPrefix + workflowId);
        if (text !== null && parseDraft(text)?.writer === writer) storage().removeItem(draftKeyPrefix + workflowId);
      } catch {
        // Nothing was stored, so nothing is left behind.
      }
    },
  };
}
