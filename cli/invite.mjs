// `npm run --silent invite -- --data <dir>`: prints a link with which one person can create an account within a week.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { importCompiled } from "../worker/runtime/compiled.mjs";
import { ensureInstalled } from "./install.mjs";
import { LaunchError, parseOptions } from "./launch-options.mjs";

const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

try {
  const { data } = parseOptions(process.argv.slice(2), projectRoot);
  const site = read(join(data, "instance.json"))?.siteUrl;
  const secret = read(join(data, "keys.json"))?.jwtSecret;
  if (!site || !secret) {
    throw new LaunchError(
      `No instance of Switchyard is running with the data directory ${data}.`,
      "Start one with `npm start`, as the user who may read that directory.",
    );
  }
  ensureInstalled(projectRoot);
  const { createInvite } = await importCompiled("supabase/local/auth/invites.ts");
  console.log(`${site}/#invite=${await createInvite(secret, 7)}`);
} catch (error) {
  console.error(error instanceof LaunchError ? `${error.message}\n${error.hint}` : error);
  process.exitCode = 1;
}

function read(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}
