import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where text recognition is installed: STUDIO_OCR_DIRECTORY, or .ocr in the folder of the studio. */
export function scanFolder(): string {
  return process.env["STUDIO_OCR_DIRECTORY"] || join(fileURLToPath(new URL("..", import.meta.url)), ".ocr");
}
