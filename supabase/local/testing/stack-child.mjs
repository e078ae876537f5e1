// A stack without a site in a process of its own, for tests that kill it: `stack-child.mjs <data directory> [<hosts> [<database>]]`,
// with functions where hosts are named that they may reach, on a database of a server where one is named. Prints `URL <url> <key>`; SIGTERM stops it.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { importCompiled } from "../../../worker/runtime/compiled.mjs";

const projectRoot = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const { startStack } = await importCompiled("supabase/local/stack.ts");
try {
  const stack = await startStack({
    projectRoot,
    dataDir: process.argv[2],
    databaseUrl: process.argv[4],
    host: "127.0.0.1",
    port: 0,
    site: { directory: join(projectRoot, "no-site") },
    functions: process.argv[3] !== undefined,
    allowHosts: process.argv[3] ?? "",
    log: console.log,
  });
  process.once("SIGTERM", () => void stack.stop().then(() => process.exit(0)));
  console.log(`URL ${stack.url} ${stack.keys.publishableKey}`);
} catch (error) {
  console.error(`${error.message}\n${error.hint}`);
  process.exit(1);
}
