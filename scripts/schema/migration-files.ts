import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const fileName = /^(\d{14})_(\w+)\.sql$/;
const subjectLine = /^-- Subject: (\w+)$/m;
const lastOfBaseline = "20261127000900";

export interface MigrationFile {
  file: string;
  version: string;
  name: string;
  text: string;
  /** SHA-256 in hex. */
  hash: string;
}

/** The migrations of a folder in their order. Throws for a file whose name is not `<14 digits>_<name>.sql`. */
export function readMigrationFiles(folder: string): MigrationFile[] {
  return readdirSync(folder)
    .toSorted()
    .map((file) => {
      const [, version, name] = fileName.exec(file) ?? [];
      if (version === undefined || name === undefined) throw new Error(`${file} is not named <14 digits>_<name>.sql.`);
      const text = readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n");
      return { file, version, name, text, hash: createHash("sha256").update(text).digest("hex") };
    });
}

/**
 * Which subject a table belongs to, by its name with its schema: that of the migration which creates it. The first migrations
 * are named after theirs, later ones say it in a line `-- Subject: <subject>`.
 */
export function subjectsOfTables(migrations: readonly MigrationFile[]): Map<string, string> {
  return new Map(
    migrations.flatMap(({ version, name, text }) => {
      const subject = version <= lastOfBaseline ? name : subjectLine.exec(text)?.[1];
      const tables = [...text.matchAll(/^create table ((?:public|private)\.\w+)/gm)].map(([, table = ""]) => table);
      return subject === undefined ? [] : tables.map((table): [string, string] => [table, subject]);
    }),
  );
}

/** The hash of every migration that has landed, in their order. */
export type MigrationLock = Record<string, string>;

/**
 * What is wrong with migrations that were recorded before, in words; empty where nothing is. A migration that has landed is
 * never changed, since people have data made by it, and a new one comes after all others, or `supabase db push` refuses it.
 */
export function lockProblems(lock: MigrationLock, migrations: readonly MigrationFile[]): string[] {
  const present = new Map(migrations.map(({ file, hash }) => [file, hash]));
  const locked = Object.keys(lock);
  const last = locked.at(-1) ?? "";
  return [
    ...locked.flatMap((file, index) =>
      index > 0 && file <= (locked[index - 1] ?? "") ? [`${file} is out of order.`] : [],
    ),
    ...locked.filter((file) => !present.has(file)).map((file) => `${file} is gone.`),
    ...locked
      .filter((file) => present.has(file) && present.get(file) !== lock[file])
      .map((file) => `${file} was changed. Undo that, and write a new migration.`),
    ...migrations
      .filter(({ file }) => lock[file] === undefined && file <= last)
      .map(({ file }) => `${file} comes before ${last}. Give it a later number.`),
  ];
}
