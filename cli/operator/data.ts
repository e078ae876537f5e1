import { usage } from "../usage/data.mjs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandFailure } from "../headless/command-failure.ts";
import { flushed, printLine } from "../headless/print.ts";
import { type DataCommand, parseDataArguments } from "./data-arguments.ts";
import { databaseVariable } from "./database-variable.ts";

const projectRoot = fileURLToPath(new URL("../..", import.meta.url));
const usualData = resolve(projectRoot, ".switchyard");
const migrations = resolve(projectRoot, "supabase", "migrations");
const log = (line: string) => void printLine(line, process.stderr);

/** `npm run data`: `usage` says how. */
async function main(): Promise<number> {
  try {
    const command = parseDataArguments(process.argv.slice(2), process.env);
    if (command === null) await printLine(usage.trimEnd());
    else await obey(command);
    return 0;
  } catch (error) {
    // Also those of the studio's start: what happened, and what to do.
    const hint: unknown = error instanceof Error && "hint" in error ? error.hint : undefined;
    if (!(error instanceof Error) || typeof hint !== "string") throw error;
    await printLine(`${error.message}\n  ${hint}`, process.stderr);
    return error instanceof CommandFailure ? error.exitCode : 1;
  }
}

async function obey(command: DataCommand): Promise<void> {
  if (command.verb === "copy") return copy(command);
  const { backup, restore, resume, verify } = await import("./backup-commands.ts");
  const place = { usualData, migrations, log };
  switch (command.verb) {
    case "backup":
      return backup(command, place);
    case "verify":
      return verify(command);
    case "restore":
      return restore(command, place);
    case "resume":
      return resume(command, place);
    default:
      return command satisfies never;
  }
}

async function copy({ from, to, data }: Extract<DataCommand, { verb: "copy" }>): Promise<void> {
  const [{ copyData }, { isServerAddress, readServerAddress }] = await Promise.all([
    import("../../supabase/local/database/moving/copy-data.ts"),
    import("../../supabase/local/database/postgres/server-address.ts"),
  ]);
  const { tables, keysDirectory } = await copyData({
    from,
    to,
    keysDirectory: data ?? (isServerAddress(from) ? usualData : undefined),
    migrations,
    log,
  });
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  for (const table of tables) if (table.rows > 0) await printLine(`${String(table.rows).padStart(9)}  ${table.name}`);
  await printLine(
    `${String(rows).padStart(9)}  rows in all; every table has the same count and checksum on both sides.`,
  );
  const isServer = isServerAddress(to);
  await printLine(`\nStart the studio on the copy: ${databaseVariable(isServer)}npm start -- --data ${keysDirectory}`);
  if (isServer) {
    await printLine(
      `The database is ${readServerAddress(to).shown}. Keys and files are in that directory; without the keys stored credentials cannot be read.`,
    );
  }
}

const exitCode = await main();
await flushed(process.stdout);
await flushed(process.stderr);
// The embedded database would hold the process; everything has been written.
process.exit(exitCode);
