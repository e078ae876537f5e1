// `npm run ocr`: installs text recognition for scans and photos.
import { startCommand } from "./start-command.mjs";
import { usage } from "./usage/ocr.mjs";

await startCommand("cli/ocr.ts", usage);
