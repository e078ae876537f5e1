// `npm run worker`: checks Node and installs what is missing, then runs a worker beside the database in DATABASE_URL.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { unsupportedNode } from "./check-node.mjs";
import { ensureInstalled } from "./install.mjs";

const unsupported = unsupportedNode(process.versions.node);
if (unsupported) {
  console.error(unsupported);
  process.exit(1);
}
ensureInstalled(dirname(dirname(fileURLToPath(import.meta.url))));
await import("../worker/start-worker.mjs");
