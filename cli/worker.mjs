// `npm run worker`: checks Node and installs what is missing, then runs a worker beside the database in DATABASE_URL.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { unsupportedNode } from "./check-node.mjs";
import { ensureInstalled } from "./install.mjs";
import { usage } from "./usage/worker.mjs";

const given = process.argv.slice(2);
const asksForHelp = given.some((argument) => argument === "--help" || argument === "-h");
if (given.length > 0) {
  console.log(asksForHelp ? usage : `A worker takes no options: ${given.join(" ")}\n\n${usage}`);
  process.exit(asksForHelp ? 0 : 2);
}
const unsupported = unsupportedNode(process.versions.node);
if (unsupported) {
  console.error(unsupported);
  process.exit(1);
}
ensureInstalled(dirname(dirname(fileURLToPath(import.meta.url))));
await import("../worker/start-worker.mjs");
