// `npm run --silent reset-password -- <e-mail> --data <dir>`: prints a link with which that person chooses a new password.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { importCompiled } from "../worker/runtime/compiled.mjs";
import { ensureInstalled } from "./install.mjs";
import { LaunchError, parseOptions } from "./launch-options.mjs";

const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

try {
  const typed = process.argv.slice(2);
  const at = typed.findIndex((argument) => /^[^\s@-][^\s@]*@[^\s@]+$/.test(argument));
  if (at === -1) {
    throw new LaunchError(
      "Whose password? No e-mail address was given.",
      "Call it as `npm run --silent reset-password -- ada@example.com`.",
    );
  }
  const [email] = typed.splice(at, 1);
  const { data } = parseOptions(typed, projectRoot);
  const instance = read(join(data, "instance.json"));
  const keys = read(join(data, "keys.json"));
  const mark = instance && keys && (await markOf(email, instance, keys));
  if (mark === undefined || !instance || !keys) {
    throw new LaunchError(
      `No instance of Switchyard is running with the data directory ${data}.`,
      "Start one with `npm start`, as the user who may read that directory.",
    );
  }
  if (mark === null) {
    throw new LaunchError(
      `No account has the address ${email}.`,
      "Check the spelling. Guests have no password that can be reset.",
    );
  }
  ensureInstalled(projectRoot);
  const { createResetLink, resetLinkLasts } = await importCompiled("supabase/local/auth/reset-links.ts");
  console.log(await createResetLink(keys.jwtSecret, instance.siteUrl, { email, mark }));
  console.error(`It works once, within ${resetLinkLasts}. Send it to that person alone.`);
} catch (error) {
  console.error(error instanceof LaunchError ? `${error.message}\n${error.hint}` : error);
  process.exitCode = 1;
}

/** What a link is bound to; null without such an account, undefined when no studio answers. */
async function markOf(email, { apiUrl }, { secretKey }) {
  try {
    const response = await fetch(`${apiUrl}/rest/v1/rpc/studio_password_mark`, {
      method: "POST",
      headers: { apikey: secretKey, "content-type": "application/json" },
      body: JSON.stringify({ p_email: email }),
      signal: AbortSignal.timeout(10_000),
    });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

function read(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}
