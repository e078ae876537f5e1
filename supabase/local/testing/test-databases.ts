import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { templateFolderVariable } from "./template-data.ts";

/** Before all tests: a folder for what `template-data.ts` makes on first use; returns what takes it away after them. */
export default function setUp(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "switchyard-template-"));
  process.env[templateFolderVariable] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
