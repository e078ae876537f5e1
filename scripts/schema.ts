#!/usr/bin/env -S npx tsx
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { changedFunctions, type FunctionChanges } from "./schema/changed-functions.ts";
import { readFunctionFiles } from "./schema/function-files.ts";
import { databaseTypes } from "./schema/database-types.ts";
import { lockProblems, type MigrationLock, readMigrationFiles, subjectsOfTables } from "./schema/migration-files.ts";
import { withSchema } from "./schema/open-schema.ts";
import { schemaPage } from "./schema/schema-page.ts";

const usage = `npm run schema                  writes supabase/schema.md and the types of rows, and records migrations that are new
npm run schema -- next <name>   writes the next migration from the functions in supabase/sql that changed`;

const supabase = join(import.meta.dirname, "..", "supabase");
const migrationsFolder = join(supabase, "migrations");
const typesFile = join(supabase, "..", "src/state/shared/storage/database-types.ts");
const lockFile = join(supabase, "migrations.lock.json");
const [command, name] = process.argv.slice(2);

if (command === undefined) await write();
else if (command === "next" && name !== undefined && /^[a-z][a-z0-9_]*$/.test(name)) await writeNext(name);
else {
  console.error(usage);
  process.exitCode = command === "--help" ? 0 : 2;
}

async function write(): Promise<void> {
  const migrations = readMigrationFiles(migrationsFolder);
  const lock: MigrationLock = existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, "utf8")) : {};
  const problems = lockProblems(lock, migrations);
  if (problems.length > 0) {
    console.error(problems.join("\n"));
    process.exitCode = 1;
    return;
  }
  const files = readFunctionFiles(join(supabase, "sql"));
  const [page, types] = await withSchema(migrationsFolder, async (session) => [
    await schemaPage(session, files, subjectsOfTables(migrations)),
    await databaseTypes(session),
  ]);
  writeFileSync(join(supabase, "schema.md"), page);
  writeFileSync(typesFile, types);
  const hashes = Object.fromEntries(migrations.map(({ file, hash }) => [file, hash]));
  writeFileSync(lockFile, `${JSON.stringify(hashes, null, 2)}\n`);
  console.log("supabase/schema.md\nsrc/state/shared/storage/database-types.ts\nsupabase/migrations.lock.json");
}

async function writeNext(title: string): Promise<void> {
  const files = readFunctionFiles(join(supabase, "sql"));
  const changes = await withSchema(migrationsFolder, async (session) => changedFunctions(session, files));
  if (changes.changed.length === 0 && changes.dropped.length === 0) {
    console.log("No function in supabase/sql differs from the migrations.");
    return;
  }
  const last = readMigrationFiles(migrationsFolder).at(-1)?.version ?? "";
  const now = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const version = now > last ? now : String(BigInt(last) + 1n);
  const file = `${version}_${title}.sql`;
  writeFileSync(join(migrationsFolder, file), migrationText(changes));
  console.log(`supabase/migrations/${file}\nAdd what it needs beside functions, then run npm run schema.`);
}

function migrationText({ dropped, changed }: FunctionChanges): string {
  return [
    ...dropped.map((signature) => `drop function ${signature};\n`),
    ...changed.map(({ file, replaced }) => (replaced ? `drop function ${file.signature};\n\n` : "") + file.text),
  ].join("\n");
}
