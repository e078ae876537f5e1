/** What `npm run ocr -- --help` prints. Plain JavaScript: it is shown before anything is installed. */
export const usage = `Installs text recognition (OCR), so that scanned PDFs and photos can be read.

  npm run ocr -- install <languages> [--to <folder>]
  npm run ocr -- list [--to <folder>]

  languages          english, german, french, spanish, chinese (simplified); one or several, added to those installed
  --to <folder>      where to install it; such as dist/ocr, to publish it with a site that was built before
                     (default: STUDIO_OCR_DIRECTORY, or .ocr in this folder)
  --help             show this text

Tesseract and its language data come from npm: 15 MB to load, 4 MB to keep, and 1 to 3 MB a language. The studio need not
be restarted. Workers on other machines, and studios that are hosted elsewhere, have it installed on their own.
Exit code 0; 1 when it could not be installed; 2 when the command was not understood.
`;
