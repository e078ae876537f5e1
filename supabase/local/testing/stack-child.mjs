// A stack without site and functions in a process of its own, for tests that kill it. Prints `URL <url> <key>`.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadStack } from "../../../scripts/load-stack.mjs";

const projectRoot = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const { startStack } = await loadStack();
try {
  const stack = await startStack({
    projectRoot,
    dataDir: process.argv[2],
    host: "127.0.0.1",
    port: 0,
    site: { directory: join(projectRoot, "no-site") },
    functions: false,
    allowHosts: "",
    log: console.log,
  });
  console.log(`URL ${stack.url} ${stack.keys.publishableKey}`);
} catch (error) {
  console.error(`${error.message}\n${error.hint}`);
  process.exit(1);
}
