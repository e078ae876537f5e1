import { stat } from "node:fs/promises";
import { z } from "zod/mini";
import "../../src/engine/config/english-issues.ts";
import { pathText, unknownKeys } from "../../src/engine/config/unknown-keys.ts";
import { credentialTypes } from "../../src/engine/credentials/credential-types.ts";
import { parseSettings } from "../../src/engine/credentials/credential-settings.ts";
import type { JsonObject } from "../../src/engine/json.ts";
import { credentialHosts, secretValues } from "../../supabase/functions/_shared/credential-secrets.ts";
import {
  credentialTypeSchema,
  parseCredential,
  type Credential,
} from "../../supabase/functions/_shared/credential-types.ts";
import { CommandFailure } from "./command-failure.ts";
import { printNotes } from "./print.ts";
import { readJsonFile, userPath } from "./read-file.ts";

/** A credential of the file and the hosts that its secret may go to. */
export interface HeldCredential {
  credential: Credential;
  allowedHosts: readonly string[];
  /** What its owner decided about its use, such as schema hints; defaults when absent. */
  settings?: JsonObject;
}

/** The credentials of one command, by id. */
export interface CredentialBook {
  get(id: string): HeldCredential | undefined;
  /** Every secret, for taking them out of what is printed. */
  secrets: readonly string[];
}

export const noCredentials: CredentialBook = { get: () => undefined, secrets: [] };

const entrySchema = z.looseObject({
  type: z.string(),
  allowedHosts: z.optional(z.array(z.string())),
  settings: z.optional(z.unknown()),
});

/**
 * Reads `{ "<id>": { "type": …, fields of the type, "settings"? } }`. An HTTP credential goes to its `allowedHosts`, or, when it names
 * none, to the hosts opened by `--allow-host`. Throws CommandFailure when others may read the file or an entry is not
 * valid; no message shows a value.
 */
export async function readCredentials(path: string, openedHosts: readonly string[]): Promise<CredentialBook> {
  const json = await readJsonFile(path, "credentials file");
  await refuseSharedFile(userPath(path));
  const file = z.record(z.string(), z.unknown()).safeParse(json);
  if (!file.success) throw invalid("it is not an object of credential ids.");
  const held = new Map<string, HeldCredential>();
  for (const [id, entry] of Object.entries(file.data)) held.set(id, readEntry(id, entry, openedHosts));
  await printNotes(
    Object.entries(file.data).flatMap(([id, entry]) => unknownFields(id, entry)),
    "the credentials file",
  );
  return {
    get: (id) => held.get(id),
    secrets: [...held.values()].flatMap(({ credential }) => secretValues(credential)),
  };
}

function readEntry(id: string, value: unknown, openedHosts: readonly string[]): HeldCredential {
  const entry = entrySchema.safeParse(value);
  const type = entry.success ? credentialTypeSchema.safeParse(entry.data.type) : undefined;
  if (!entry.success || !type?.success) {
    throw invalid(`"${id}" needs a "type": one of ${credentialTypeSchema.options.join(", ")}.`);
  }
  if (type.data === "mcp-oauth") {
    throw invalid(`"${id}" needs a browser to sign in with. Use type mcp with a header Authorization instead.`);
  }
  if (type.data === "oauth2" || type.data === "oauth2-client") {
    throw invalid(`"${id}" is kept and renewed by the studio alone. Use type http-bearer with a token instead.`);
  }
  const { type: _, allowedHosts, settings: written, ...fields } = entry.data;
  const parsed = parseCredential(type.data, fields);
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => `${issue.path.slice(1).join(".") || "it"}: ${issue.message}`);
    throw invalid(`"${id}" of type ${type.data}: ${issues.join(" ")}`);
  }
  const settings = parseSettings(type.data, written ?? {});
  if (!settings.success) throw invalid(`the settings of "${id}" do not fit type ${type.data}.`);
  const hosts = credentialHosts(parsed.data, allowedHosts ?? openedHosts);
  if (hosts.ok) return { credential: parsed.data, allowedHosts: hosts.value, settings: settings.data };
  // Without a host the credential is good for nothing, yet a workflow that does not use it may run.
  if (allowedHosts === undefined) return { credential: parsed.data, allowedHosts: [] };
  throw invalid(`"${id}": ${hosts.error.message}`);
}

/** Fields that the entry's type does not have, which would be left out without a word. No value is named. */
function unknownFields(id: string, entry: unknown): string[] {
  const named = entrySchema.safeParse(entry);
  const type = named.success ? credentialTypeSchema.safeParse(named.data.type) : undefined;
  if (!type?.success) return [];
  const shape = z.object({ ...entrySchema.shape, ...credentialTypes[type.data].fields.shape });
  return unknownKeys(shape, entry, [id]).map(
    ({ path, nearest }) =>
      `"${pathText(path)}" is no field of the type ${type.data}.${nearest === undefined ? "" : ` Did you mean "${nearest}"?`} It is left out.`,
  );
}

async function refuseSharedFile(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const { mode } = await stat(path);
  if ((mode & 0o077) === 0) return;
  throw new CommandFailure(
    `The credentials file ${path} can be read by other users (mode ${(mode & 0o777).toString(8)}), so it was not used.`,
    `Keep it to yourself: chmod 600 '${path.replaceAll("'", String.raw`'\''`)}'`,
  );
}

function invalid(problem: string): CommandFailure {
  return new CommandFailure(`The credentials file is not valid: ${problem}`, "Correct it and run the command again.");
}
