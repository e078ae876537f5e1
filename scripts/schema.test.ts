import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { changedFunctions } from "./schema/changed-functions.ts";
import { databaseTypes } from "./schema/database-types.ts";
import { readFunctionFiles } from "./schema/function-files.ts";
import { lockProblems, type MigrationLock, readMigrationFiles, subjectsOfTables } from "./schema/migration-files.ts";
import { withSchema } from "./schema/open-schema.ts";
import { schemaPage } from "./schema/schema-page.ts";

const supabase = join(import.meta.dirname, "..", "supabase");
const migrations = readMigrationFiles(join(supabase, "migrations"));
const files = readFunctionFiles(join(supabase, "sql"));
const read = (path: string) => readFileSync(join(supabase, path), "utf8").replaceAll("\r\n", "\n");

test("the lock names every migration, none has changed since it landed, and numbers only grow", () => {
  const lock: MigrationLock = JSON.parse(read("migrations.lock.json"));
  expect(lockProblems(lock, migrations)).toEqual([]);
  expect(Object.keys(lock), "npm run schema records new migrations").toEqual(migrations.map(({ file }) => file));
});

test("a migration that changed, is gone, or comes too early is named", () => {
  const lock = { "20270101000000_one.sql": "1", "20270102000000_two.sql": "2", "20270104000000_four.sql": "4" };
  const file = (name: string, hash: string) => ({ file: name, version: name.slice(0, 14), name: "", text: "", hash });
  const found = [
    file("20270101000000_one.sql", "1"),
    file("20270102000000_two.sql", "other"),
    file("20270103000000_three.sql", "3"),
    file("20270105000000_five.sql", "5"),
  ];
  expect(lockProblems(lock, found)).toEqual([
    "20270104000000_four.sql is gone.",
    "20270102000000_two.sql was changed. Undo that, and write a new migration.",
    "20270103000000_three.sql comes before 20270104000000_four.sql. Give it a later number.",
  ]);
  expect(lockProblems({ "2_b.sql": "2", "1_a.sql": "1" }, [])).toContain("1_a.sql is out of order.");
});

test("the files of functions, the page of the schema and the types of rows say what the migrations make", async () => {
  await withSchema(join(supabase, "migrations"), async (session) => {
    const { changed, dropped } = await changedFunctions(session, files);
    expect(
      changed.map(({ file }) => file.path),
      "npm run schema -- next <name> writes the migration",
    ).toEqual([]);
    expect(dropped).toEqual([]);
    expect(await schemaPage(session, files, subjectsOfTables(migrations)), "npm run schema writes it").toBe(
      read("schema.md"),
    );
    expect(await databaseTypes(session), "npm run schema writes them").toBe(
      read("../src/state/shared/storage/database-types.ts"),
    );

    const [first, second, ...others] = files.filter(({ path }) => path.startsWith("evaluation/"));
    if (!first || !second) throw new Error("There are functions of evaluation.");
    const edited = { ...second, text: second.text.replace("as $$", () => "as $$\n-- Edited.") };
    const added = {
      ...first,
      path: "evaluation/added.sql",
      signature: "public.studio_added(integer)",
      text: "create function public.studio_added(number integer) returns integer language sql as 'select 1';",
    };
    const rest = files.filter(({ subject }) => subject !== "evaluation");
    const changes = await changedFunctions(session, [...rest, ...others, edited, added]);
    expect(changes.dropped).toEqual([first.signature]);
    expect(changes.changed.map(({ file, replaced }) => [file.path, replaced])).toEqual([
      [second.path, false],
      ["evaluation/added.sql", false],
    ]);
    const other = { ...first, text: first.text.replace(/returns jsonb/, "returns json") };
    expect((await changedFunctions(session, [...files.filter((file) => file !== first), other])).changed).toEqual([
      { file: other, replaced: true },
    ]);
    await expect(changedFunctions(session, [{ ...first, text: "create function nonsense" }])).rejects.toThrow(
      `supabase/sql/${first.path}: syntax error`,
    );
  });
});

test("every function of the folder stands in config.toml, and verifies its callers itself", () => {
  const folders = readdirSync(join(supabase, "functions"), { withFileTypes: true });
  const names = folders.filter((entry) => entry.isDirectory() && !entry.name.startsWith("_")).map(({ name }) => name);
  const sections = read("config.toml")
    .split("[functions.")
    .slice(1)
    .map((text) => text.split("]\n"));
  expect(sections.map(([name]) => name).toSorted()).toEqual(names.toSorted());
  for (const [name, settings = ""] of sections) {
    expect(settings, name).toContain("verify_jwt = false");
    expect(settings, name).toContain('import_map = "./functions/deno.json"');
  }
});
