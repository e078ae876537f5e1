import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod/mini";
import { writeSynced } from "../database/synced-files.ts";
import { StartError } from "../start-error.ts";

const fileSchema = z.object({ path: z.string(), bytes: z.int(), sha256: z.string() });

const manifestSchema = z.object({
  format: z.literal("switchyard-backup/1"),
  /** Files of the embedded database, or what pg_dump wrote of a server's. */
  kind: z.enum(["embedded", "postgres"]),
  /** When it was made, as ISO 8601: whatever was acknowledged before is in it. */
  createdAt: z.iso.datetime(),
  /** The last migration that its data have. */
  schema: z.string(),
  /** Tells the backups of one studio from those of another; a hash of its publishable key. */
  studio: z.string(),
  /** The data directory or the server's database that it was made of, without a password. */
  source: z.string(),
  /** Whether keys.json is in it, without which credentials cannot be opened. */
  withKeys: z.boolean(),
  /** What is not in it, in words. */
  leftOut: z.array(z.string()),
  /** `checksum`: of all rows as text, in any order; null for a table without rows. */
  tables: z.array(z.object({ name: z.string(), rows: z.int(), checksum: z.nullable(z.string()) })),
  /** All files but the manifest, by path below the folder. */
  files: z.array(fileSchema),
});

export type BackupManifest = z.infer<typeof manifestSchema>;
type BackupFile = z.infer<typeof fileSchema>;

export const manifestName = "backup.json";

/** Throws StartError when the folder holds no backup that this version can read. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await readFile(join(folder, manifestName), "utf8").catch(() => null);
  if (text === null) {
    throw new StartError(`${folder} holds no backup: there is no ${manifestName}.`, "Name the folder of a backup.");
  }
  let told: unknown;
  try {
    told = JSON.parse(text);
  } catch {
    told = null;
  }
  const manifest = manifestSchema.safeParse(told);
  if (manifest.success) return manifest.data;
  throw new StartError(
    `${join(folder, manifestName)} is damaged, or was written by a newer version of Switchyard.`,
    "Use another backup, or that version.",
  );
}

export function writeManifest(folder: string, manifest: BackupManifest): void {
  writeSynced(join(folder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** All files below a folder but the manifest, with their checksums, in order of their paths. */
export async function describeFiles(folder: string): Promise<BackupFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files: BackupFile[] = [];
  for (const entry of entries) {
    const full = join(entry.parentPath, entry.name);
    const path = full.slice(folder.length + 1).replaceAll("\\", "/");
    if (entry.isFile() && path !== manifestName) files.push({ path, ...(await describe(full)) });
  }
  return files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** Checks every file of a backup. Throws StartError that names the first one that is missing or not as it was written. */
export async function checkFiles(folder: string, { files }: BackupManifest): Promise<void> {
  const hint = "This backup cannot be trusted. Use another one.";
  const known = new Set(files.map(({ path }) => path));
  for (const { path, bytes, sha256 } of files) {
    const full = join(folder, path);
    const found = await describe(full).catch(() => null);
    if (found === null) throw new StartError(`The backup is incomplete: ${full} is missing or cannot be read.`, hint);
    if (found.bytes !== bytes || found.sha256 !== sha256) {
      throw new StartError(`The backup is damaged: ${full} is not as it was written.`, hint);
    }
  }
  // Postgres would read these too.
  const added = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .find((path) => path !== manifestName && !known.has(path.replaceAll("\\", "/")));
  if (added !== undefined) {
    throw new StartError(`The backup was changed: ${join(folder, added)} is no part of it.`, `Remove it. ${hint}`);
  }
}

async function describe(path: string): Promise<Omit<BackupFile, "path">> {
  const hash = createHash("sha256");
  const { size } = await stat(path);
  await pipeline(createReadStream(path), hash);
  return { bytes: size, sha256: hash.digest("hex") };
}

/** See `BackupManifest.studio`. */
export function studioMark(publishableKey: string): string {
  return createHash("sha256").update(`switchyard backup ${publishableKey}`).digest("hex").slice(0, 16);
}
