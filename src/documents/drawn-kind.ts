import type { DocumentKind } from "../engine/knowledge/source-document.ts";

/** Kinds whose pages may be pictures: they are read where there are canvases and text recognition. */
export type DrawnKind = Extract<DocumentKind, "pdf" | "picture">;

/** Whether a kind is one of them. */
export const isDrawn = (kind: DocumentKind): kind is DrawnKind => kind === "pdf" || kind === "picture";
