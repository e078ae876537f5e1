import type { KnownDocument } from "../../engine/knowledge/stored-documents.ts";

/** What a read document is to those that the collection has. */
export type Twin =
  /** Nothing like it. */
  | { type: "new" }
  /** The same name with other content, or one that was not completed: it is brought up to date. */
  | { type: "earlier"; id: string }
  /** The same name and content, complete. */
  | { type: "same"; id: string; known: KnownDocument }
  /** The same content under another name. */
  | { type: "duplicate"; id: string; of: string };

/** Compares by name first: a file that is added again is an update of itself, even if another one says the same. */
export function findTwin(name: string, hash: string, existing: readonly KnownDocument[]): Twin {
  const sameName = existing.find((document) => document.name === name);
  if (sameName) {
    const complete = sameName.hash === hash && sameName.status === "ready";
    return complete ? { type: "same", id: sameName.id, known: sameName } : { type: "earlier", id: sameName.id };
  }
  const sameContent = existing.find((document) => document.hash === hash);
  return sameContent ? { type: "duplicate", id: sameContent.id, of: sameContent.name } : { type: "new" };
}
