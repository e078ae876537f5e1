import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PostgrestClient } from "@supabase/postgrest-js";
import { SignJWT } from "jose";
import { z } from "zod/mini";
import { CommandFailure } from "../headless/command-failure.ts";

/** An account of the studio. */
export interface Account {
  id: string;
  /** Null for one without an address. */
  email: string | null;
  /** Made by a browser for somebody who has not signed up. */
  guest: boolean;
}

/** A running studio, as whoever may read its data directory uses it. */
export interface OpenStudio {
  /** Where programs of this machine reach it. */
  url: string;
  /** What a person opens. */
  siteUrl: string;
  /** Tables and SQL functions with every right; row level security does not apply. */
  service: PostgrestClient;
  /** Tables and SQL functions with the rights of one account. */
  actingAs(accountId: string): PostgrestClient;
  /** People first, then guests; the oldest first. */
  accounts(): Promise<Account[]>;
  /** Whose the published workflow of this name is; null when nothing is published under it. */
  ownerOf(slug: string): Promise<string | null>;
  /** Sends a command of its operator, such as `resume`, and gives the answer. Throws CommandFailure when it is refused. */
  command(name: string): Promise<unknown>;
}

const instanceSchema = z.object({
  instance: z.string(),
  apiUrl: z.string(),
  siteUrl: z.string(),
  publishableKey: z.string(),
});
const keysSchema = z.object({ secretKey: z.string(), jwtSecret: z.string() });
const answerSchema = z.object({ instance: z.string() });
const accountSchema = z.object({ id: z.string(), email: z.nullable(z.string()) });

const guestDomain = "@guest.local";

/** Seconds for which a token counts; every request gets a new one. */
const tokenSeconds = 120;

/**
 * The studio that runs with a data directory. Throws CommandFailure when none runs there or the directory's keys may not
 * be read.
 */
export async function openStudio(dataDir: string): Promise<OpenStudio> {
  const instance = await readInstance(dataDir);
  const keys = await readKeys(dataDir);
  const rest = `${instance.apiUrl}/rest/v1`;
  const secret = new TextEncoder().encode(keys.jwtSecret);
  const service = new PostgrestClient(rest, { headers: { apikey: keys.secretKey } });
  return {
    url: instance.apiUrl,
    siteUrl: instance.siteUrl,
    service,

    actingAs(accountId) {
      const signed: typeof fetch = async (input, init) => {
        const headers = new Headers(init?.headers);
        headers.set("apikey", instance.publishableKey);
        headers.set("authorization", `Bearer ${await tokenOf(accountId, secret)}`);
        return fetch(input, { ...init, headers });
      };
      return new PostgrestClient(rest, { fetch: signed });
    },

    async accounts() {
      const { data, error } = await service.rpc("studio_accounts");
      if (error) throw unreadable("accounts", error.message);
      const all = z.array(accountSchema).parse(data);
      const accounts = all.map(({ id, email }) => ({ id, email, guest: email?.endsWith(guestDomain) ?? false }));
      return accounts.toSorted((one, other) => Number(one.guest) - Number(other.guest));
    },

    async ownerOf(slug) {
      const { data, error } = await service.from("studio_publications").select("owner").eq("slug", slug).maybeSingle();
      if (error) throw unreadable("published workflows", error.message);
      return data === null ? null : z.object({ owner: z.string() }).parse(data).owner;
    },

    async command(name) {
      const headers = { apikey: keys.secretKey };
      const failed = (why: string) =>
        new CommandFailure(`The running studio could not do it: ${why}`, "Look at its terminal, and try again.");
      let response: Response;
      try {
        response = await fetch(`${instance.apiUrl}/operator/v1/${name}`, { method: "POST", headers });
      } catch (error) {
        throw failed(error instanceof Error ? error.message : String(error));
      }
      const answer: unknown = await response.json().catch(() => null);
      if (response.ok) return answer;
      const told = z.object({ message: z.string() }).safeParse(answer);
      throw failed(told.success ? told.data.message : `it answered with status ${response.status}.`);
    },
  };
}

/** A token as the studio's own sessions have it, of no session. */
async function tokenOf(accountId: string, secret: Uint8Array): Promise<string> {
  return new SignJWT({ role: "authenticated" })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setSubject(accountId)
    .setAudience("authenticated")
    .setIssuedAt()
    .setExpirationTime(`${tokenSeconds} seconds`)
    .sign(secret);
}

/** Whether a studio runs with a data directory. */
export async function isRunning(dataDir: string): Promise<boolean> {
  return readInstance(dataDir).then(
    () => true,
    () => false,
  );
}

/** What the running studio says of itself. After a crash its port may belong to something else, so it is asked. */
async function readInstance(dataDir: string): Promise<z.infer<typeof instanceSchema>> {
  const none = () =>
    new CommandFailure(
      `No instance of Switchyard is running with the data directory ${dataDir}.`,
      "Start one with `npm start`, or name another directory with --data <dir>.",
    );
  const told = instanceSchema.safeParse(await readJson(join(dataDir, "instance.json")));
  if (!told.success) throw none();
  try {
    const { apiUrl, instance } = told.data;
    const response = await fetch(`${apiUrl}/.well-known/switchyard`, { signal: AbortSignal.timeout(5_000) });
    if (answerSchema.parse(await response.json()).instance !== instance) throw none();
  } catch {
    throw none();
  }
  return told.data;
}

async function readKeys(dataDir: string): Promise<z.infer<typeof keysSchema>> {
  const keys = keysSchema.safeParse(await readJson(join(dataDir, "keys.json")));
  if (keys.success) return keys.data;
  throw new CommandFailure(
    `The keys in ${dataDir} cannot be read.`,
    "Run the command as the user who started the studio.",
  );
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch {
    return null;
  }
}

function unreadable(what: string, why: string): CommandFailure {
  return new CommandFailure(`The studio's ${what} could not be read: ${why}`, "Check the studio's terminal.");
}
