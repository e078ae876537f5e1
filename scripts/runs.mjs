// `npm run runs`: starts, shows, cancels and follows runs of published workflows of the studio that runs with a data directory.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { unsupportedNode } from "./check-node.mjs";
import { ensureInstalled } from "./install.mjs";

const unsupported = unsupportedNode(process.versions.node);
if (unsupported) {
  console.error(unsupported);
  process.exit(2);
}
ensureInstalled(dirname(dirname(fileURLToPath(import.meta.url))));
const { register } = await import("tsx/esm/api");
register();
await import("./runs.ts");
