import { DocumentError } from "../document-error.ts";

/** What to enter where text recognition is missing. */
const installCommand = "npm run ocr -- install english";

/** Says how text recognition is installed. */
export function notInstalled(): DocumentError {
  const hint = `Enter \`${installCommand}\` in the studio's folder, then try again. German, French, Spanish and Chinese can be added.`;
  return new DocumentError("Text recognition (OCR) is not installed.", hint);
}
