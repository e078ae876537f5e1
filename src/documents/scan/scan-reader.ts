import type { ScanLine } from "./scan-lines.ts";

/** A page or a photo as a file of a picture: PNG, JPEG, GIF, WebP or PGM. */
export interface ScanPicture {
  bytes: Uint8Array;
  /** How it is turned, as EXIF numbers it; 1 is upright. */
  orientation: number;
  /** Pixels per inch, where that is known. */
  dpi?: number;
}

/** Reads the text of pictures, in the languages that are installed. */
export interface ScanReader {
  /** Its lines from top to bottom. Rejects with a DocumentError for what cannot be read, or with the signal's reason. */
  read(picture: ScanPicture, signal: AbortSignal): Promise<ScanLine[]>;
}

/** Rejects with a DocumentError where text recognition is not installed. */
export type OpenScans = () => Promise<ScanReader>;
