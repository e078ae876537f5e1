import type { PageBox } from "../engine/file/page-box.ts";

/** A PDF that is open to be looked at. Pages count from 1. Methods reject with an error that has a `hint` for what cannot be shown. */
export interface ShownPdf {
  pages: number;
  /** The pieces of text on a page, in their order. */
  texts(page: number): Promise<readonly { str: string }[]>;
  /** Where parts of a page's texts are; `text` counts from 0. */
  boxes(page: number, ranges: readonly { text: number; from: number; to: number }[]): Promise<PageBox[]>;
  /** Draws a page as wide as given, in pixels, and no finer than it can be held. Rejects with the signal's reason. */
  draw(page: number, canvas: HTMLCanvasElement, width: number, signal: AbortSignal): Promise<void>;
  close(): void;
}
