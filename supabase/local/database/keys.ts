import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { z } from "zod/mini";
import { errorText, StartError, systemErrorCode } from "../start-error.ts";
import { writeSynced } from "./synced-files.ts";

const keysSchema = z.object({
  publishableKey: z.string().check(z.startsWith("sb_publishable_")),
  secretKey: z.string().check(z.startsWith("sb_secret_")),
  jwtSecret: z.string().check(z.minLength(32)),
  /** Master keys for stored credentials, 32 bytes in base64 by version. */
  credentialsKeys: z.record(z.string().check(z.regex(/^[1-9]\d*$/)), z.string().check(z.regex(/^[A-Za-z0-9+/]{43}=$/))),
  credentialsKeyVersion: z.int().check(z.positive()),
});

/** The keys of one instance. Only the publishable key may leave the machine's owner. */
export type InstanceKeys = z.infer<typeof keysSchema>;

const hint =
  "Nothing was changed. Restore keys.json from a backup: stored credentials cannot be read without it. " +
  "To begin afresh, start with another --data <dir>.";

/**
 * Reads the keys, or makes them (mode 0600) when there are none yet.
 * Throws StartError when the file is damaged, or is missing beside an existing database.
 */
export async function loadKeys(path: string, options: { mayCreate: boolean }): Promise<InstanceKeys> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT") {
      throw new StartError(`The key file ${path} cannot be read: ${errorText(error)}.`, hint, error);
    }
    if (!options.mayCreate) {
      throw new StartError(`The data directory is damaged: its key file ${path} is missing.`, hint, error);
    }
    return createKeys(path);
  }
  try {
    return keysSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new StartError(`The data directory is damaged: its key file ${path} is not valid.`, hint, error);
  }
}

async function createKeys(path: string): Promise<InstanceKeys> {
  const keys: InstanceKeys = {
    publishableKey: `sb_publishable_${randomBytes(24).toString("base64url")}`,
    secretKey: `sb_secret_${randomBytes(32).toString("base64url")}`,
    jwtSecret: randomBytes(48).toString("base64url"),
    credentialsKeys: { "1": randomBytes(32).toString("base64") },
    credentialsKeyVersion: 1,
  };
  writeSynced(path, `${JSON.stringify(keys, null, 2)}\n`);
  return keys;
}
