/** Characters of a text that are read at all: twice what a document may keep, since tables are padded. */
export const maxRead = 20_000_000;

/** Rows of one document. */
export const maxRows = 500_000;

/** Columns of a sheet, as Excel has them. */
export const maxColumns = 16_384;

/** Cells of all sheets of a document, empty ones between others included. */
export const maxCells = 5_000_000;

/** Bytes that an archive, or an Office file, may unpack to. */
export const maxUnpacked = 200 * 1024 * 1024;

/** Files in one archive. */
export const maxEntries = 5_000;

/** Files that one file gives: those of an archive, or what is attached to an email. */
export const maxFiles = 500;

/** Pixels of a picture that is unpacked: to recognize its text, or to draw the page that it is on. */
export const maxPixels = 40_000_000;

/** Pages of one PDF whose text is recognized. */
export const maxScannedPages = 200;
