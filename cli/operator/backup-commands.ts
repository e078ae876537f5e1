import { existsSync } from "node:fs";
import { z } from "zod/mini";
import { backUpEmbedded } from "../../supabase/local/backup/backup-embedded.ts";
import { backUpServer } from "../../supabase/local/backup/backup-server.ts";
import { type Access, accessSchema, aliveAgain, readAccess } from "../../supabase/local/backup/alive-again.ts";
import { type BackupManifest, checkFiles, readManifest } from "../../supabase/local/backup/backup-manifest.ts";
import type { OnlineBackup } from "../../supabase/local/backup/copy-database-files.ts";
import { noteBackup, noteFailedBackup } from "../../supabase/local/backup/last-backup.ts";
import { type Restored, restoreEmbedded } from "../../supabase/local/backup/restore-embedded.ts";
import { restoreToServer } from "../../supabase/local/backup/restore-server.ts";
import { endPause } from "../../supabase/local/backup/studio-pause.ts";
import { dataDirectoryAt } from "../../supabase/local/database/data-directory.ts";
import { openSourceDirectory } from "../../supabase/local/database/moving/places.ts";
import { isServerAddress, readServerAddress } from "../../supabase/local/database/postgres/server-address.ts";
import { openForCommand } from "../../supabase/local/database/postgres/open-server.ts";
import { printLine } from "../headless/print.ts";
import type { DataCommand } from "./data-arguments.ts";
import { databaseVariable } from "./database-variable.ts";
import { isRunning, openStudio } from "./open-studio.ts";

type Command<Verb extends DataCommand["verb"]> = Extract<DataCommand, { verb: Verb }>;

interface Surroundings {
  /** The data directory where none is named. */
  usualData: string;
  migrations: string;
  log: (line: string) => void;
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
const counted = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`;

export async function backup(command: Command<"backup">, { usualData }: Surroundings): Promise<void> {
  const { folder, withKeys, database } = command;
  const dataDir = command.data ?? usualData;
  let manifest: BackupManifest;
  try {
    manifest =
      database === undefined
        ? await backUpEmbedded({ dataDir, folder, withKeys, running: await onlineOf(dataDir) })
        : await backUpServer({ address: readServerAddress(database), dataDir, folder, withKeys });
  } catch (error) {
    if (existsSync(dataDirectoryAt(dataDir).keys)) await noteFailedBackup(dataDir);
    throw error;
  }
  noteBackup(dataDir, manifest.createdAt);
  await printLine(`Backed up to ${folder}\n${summaryOf(manifest)}`);
}

function summaryOf({ tables, files, withKeys, leftOut }: BackupManifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const keys = withKeys
    ? "keys.json is in it: whoever has this folder can open the credentials."
    : "WARNING: keys.json is not in it, and without it credentials cannot be opened. Keep a copy of it elsewhere, or use --with-keys.";
  return `  ${counted(rows, "row")} in ${counted(tables.length, "table")}, ${counted(files.length, "file")}, ${megabytes(bytes)}
  ${keys}
  Left out: ${leftOut.join("; ")}.`;
}

const beginSchema = z.object({ firstLog: z.string() });
const endSchema = z.object({ lastLog: z.string(), label: z.string() });

async function onlineOf(dataDir: string): Promise<OnlineBackup | null> {
  if (!(await isRunning(dataDir))) return null;
  const studio = await openStudio(dataDir);
  return {
    begin: async () => beginSchema.parse(await studio.command("backup/begin")),
    end: async () => endSchema.parse(await studio.command("backup/end")),
  };
}

export async function verify({ folder }: Command<"verify">): Promise<void> {
  const manifest = await readManifest(folder);
  await checkFiles(folder, manifest);
  await printLine(
    `The backup of ${manifest.createdAt} is whole: every file is as it was written.\n${summaryOf(manifest)}`,
  );
}

export async function restore(
  command: Command<"restore">,
  { usualData, migrations, log }: Surroundings,
): Promise<void> {
  const { folder, to, keys: keysFile } = command;
  const keysDirectory = command.data ?? usualData;
  const options = { folder, keysFile, migrations };
  const restored = isServerAddress(to)
    ? await restoreToServer(readServerAddress(to), { ...options, keysDirectory, log })
    : await restoreEmbedded(to, options);
  const { manifest, sessions, runs, opensCredentials } = restored;
  await printLine(`Restored the backup of ${manifest.createdAt}.`);
  await printLine(`  Everybody has to sign in again (${counted(sessions, "session")} ended).`);
  await printLine(
    runs === 0
      ? "  No run was under way."
      : `  ${counted(runs, "run was", "runs were")} under way: nothing goes on by itself, look at them in Activity.`,
  );
  if (!opensCredentials) {
    await printLine(
      "  WARNING: the keys were not in the backup, so that its credentials cannot be opened. Enter their secrets again, or restore with --keys <file>.",
    );
  }
  await nameAlive(restored, command, { migrations, log });
  const isServer = isServerAddress(to);
  const database = databaseVariable(isServer);
  const place = `--data ${isServer ? keysDirectory : to}`;
  await printLine(`
Start the studio: ${database}npm start -- ${place}
Published workflows, schedules, APIs, webhooks and chat pages are paused until you run: ${database}npm run data -- resume ${place}`);
}

async function nameAlive(
  { manifest, access }: Restored,
  { to, compare, database }: Command<"restore">,
  options: { migrations: string; log: (line: string) => void },
): Promise<void> {
  const other = compare ?? placeNow(manifest.source, database);
  const now = other === undefined || other === to ? null : await accessNow(other, options, compare === undefined);
  const list = (names: readonly string[]) => names.map((name) => `\n    ${name}`).join("");
  if (now === null) {
    const { accounts, keys, links, published, doors } = access;
    await printLine(
      `  Deleted accounts, old passwords, revoked API keys, removed links to runs, unpublished workflows and closed APIs, webhooks, chat pages and MCP servers may be alive again, and used invites may be good once more: what changed after the backup is not known.${list([...accounts, ...keys, ...links, ...published, ...doors].map(({ name }) => name))}`,
    );
    return;
  }
  const { invites, ...alive } = aliveAgain(access, now);
  const words = {
    accounts: "These accounts were deleted since and are there again:",
    passwords: "These accounts have their password of before again:",
    keys: "These API keys were revoked since and work again:",
    links: "These links to runs were removed since and open again:",
    published: "These workflows were unpublished since and are published again:",
    doors: "These APIs, webhooks, chat pages and MCP servers were closed since and are open again:",
  } satisfies Record<keyof typeof alive, string>;
  for (const kind of ["accounts", "passwords", "keys", "links", "published", "doors"] as const) {
    if (alive[kind].length > 0) await printLine(`  ${words[kind]}${list(alive[kind])}`);
  }
  if (invites > 0) {
    await printLine(
      `  ${counted(invites, "invite that was used since is", "invites that were used since are")} good once more, until ${invites === 1 ? "it expires" : "they expire"}.`,
    );
  }
  if (Object.values(alive).every((names) => names.length === 0) && invites === 0)
    await printLine(
      "  No account, password, API key, link, published workflow, chat page, webhook, MCP server or invite is alive again that was not before.",
    );
}

/** Where the studio that was backed up is now, if that is known: addresses in a backup have no password. */
function placeNow(source: string, database: string | undefined): string | undefined {
  if (existsSync(dataDirectoryAt(source).database)) return source;
  const isSource = database !== undefined && `postgres://${readServerAddress(database).shown}` === source;
  return isSource ? database : undefined;
}

/** Who can get into a studio as it is now; null when it cannot be read and nobody has named it. */
async function accessNow(
  place: string,
  options: { migrations: string; log: (line: string) => void },
  mayFail: boolean,
): Promise<Access | null> {
  try {
    if (!isServerAddress(place) && (await isRunning(place)))
      return accessSchema.parse(await (await openStudio(place)).command("access"));
    const source = isServerAddress(place)
      ? await openForCommand(readServerAddress(place)).then((session) => ({
          session,
          close: async () => session.close(),
        }))
      : await openSourceDirectory(place, options);
    try {
      return await readAccess(source.session);
    } finally {
      await source.close();
    }
  } catch (error) {
    if (mayFail) return null;
    throw error;
  }
}

export async function resume(
  { data, database }: Command<"resume">,
  { usualData, migrations, log }: Surroundings,
): Promise<void> {
  const dataDir = data ?? usualData;
  let wasPaused: boolean;
  if (database === undefined && (await isRunning(dataDir))) {
    const answer = await (await openStudio(dataDir)).command("resume");
    wasPaused = z.object({ wasPaused: z.boolean() }).parse(answer).wasPaused;
  } else if (database === undefined) {
    const place = await openSourceDirectory(dataDir, { migrations, log });
    try {
      wasPaused = await endPause(place.session);
    } finally {
      await place.close();
    }
  } else {
    const session = await openForCommand(readServerAddress(database));
    try {
      wasPaused = await endPause(session);
    } finally {
      session.close();
    }
  }
  await printLine(
    wasPaused
      ? "Published workflows, schedules, APIs, webhooks and chat pages go on."
      : "This studio is not paused: there is nothing to resume.",
  );
}
