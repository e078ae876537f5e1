// `npm run --silent status -- --data <dir>`: how other tools reach the running instance, as lines of an env file.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { LaunchError, parseOptions } from "./launch-options.mjs";

const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

try {
  const { data } = parseOptions(process.argv.slice(2), projectRoot);
  const instance = readInstance(data);
  const answer = instance && (await ask(instance));
  if (!answer) {
    throw new LaunchError(
      `No instance of Switchyard is running with the data directory ${data}.`,
      "Start one with `npm start`.",
    );
  }
  console.log(`API_URL="${instance.apiUrl}"`);
  console.log(`PUBLISHABLE_KEY="${instance.publishableKey}"`);
  console.log(`DATA_DIR="${instance.dataDir}"`);
  console.log(`WORKERS="${answer.workers.map(({ id, state }) => `${id} ${state}`).join(", ")}"`);
} catch (error) {
  console.error(error instanceof LaunchError ? `${error.message}\n${error.hint}` : error);
  process.exitCode = 1;
}

function readInstance(data) {
  try {
    const instance = JSON.parse(readFileSync(join(data, "instance.json"), "utf8"));
    return instance.apiUrl && instance.publishableKey ? instance : null;
  } catch {
    return null;
  }
}

/** Only the process that wrote the file knows its id; after a crash the port may belong to something else. */
async function ask({ apiUrl, instance }) {
  try {
    const response = await fetch(`${apiUrl}/.well-known/switchyard`, { signal: AbortSignal.timeout(5_000) });
    const answer = await response.json();
    return answer.instance === instance ? answer : null;
  } catch {
    return null;
  }
}
