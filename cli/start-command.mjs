import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { unsupportedNode } from "./check-node.mjs";
import { importCompiled } from "../worker/runtime/compiled.mjs";
import { ensureInstalled } from "./install.mjs";

/**
 * Checks Node and installs what is missing, as `npm start` does; then runs the TypeScript file `entry`. Who asks for help among
 * the command's own `options` gets `usage` at once.
 */
export async function startCommand(entry, usage, options = process.argv.slice(2)) {
  if (options.some((argument) => argument === "--help" || argument === "-h")) {
    console.log(usage.trim());
    return;
  }
  const unsupported = unsupportedNode(process.versions.node);
  if (unsupported) {
    console.error(unsupported);
    process.exit(2);
  }
  try {
    ensureInstalled(dirname(dirname(fileURLToPath(import.meta.url))));
  } catch (error) {
    console.error(typeof error?.hint === "string" ? `${error.message}\n${error.hint}` : error);
    process.exit(2);
  }
  await importCompiled(entry);
}
