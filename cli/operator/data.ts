import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandFailure } from "../headless/command-failure.ts";
import { flushed, printLine } from "../headless/print.ts";
import { type DataOptions, dataUsage, parseDataArguments } from "./data-arguments.ts";

const projectRoot = fileURLToPath(new URL("../..", import.meta.url));

/** `npm run data`: `dataUsage` says how. */
async function main(): Promise<number> {
  try {
    const options = parseDataArguments(process.argv.slice(2), process.env);
    if (options === null) {
      await printLine(dataUsage.trimEnd());
      return 0;
    }
    await copy(options);
    return 0;
  } catch (error) {
    // Also those of the studio's start: what happened, and what to do.
    const hint: unknown = error instanceof Error && "hint" in error ? error.hint : undefined;
    if (!(error instanceof Error) || typeof hint !== "string") throw error;
    await printLine(`${error.message}\n  ${hint}`, process.stderr);
    return error instanceof CommandFailure ? error.exitCode : 1;
  }
}

async function copy({ from, to, data }: DataOptions): Promise<void> {
  const [{ copyData }, { isServerAddress, readServerAddress }] = await Promise.all([
    import("../../supabase/local/database/moving/copy-data.ts"),
    import("../../supabase/local/database/postgres/server-address.ts"),
  ]);
  const usual = resolve(projectRoot, ".switchyard");
  const { tables, keysDirectory } = await copyData({
    from,
    to,
    keysDirectory: data ?? (isServerAddress(from) ? usual : undefined),
    migrations: resolve(projectRoot, "supabase", "migrations"),
    log: (line) => void printLine(line, process.stderr),
  });
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  for (const table of tables) if (table.rows > 0) await printLine(`${String(table.rows).padStart(9)}  ${table.name}`);
  await printLine(
    `${String(rows).padStart(9)}  rows in all; every table has the same count and checksum on both sides.`,
  );
  const place = isServerAddress(to) ? ` --database postgres://${readServerAddress(to).shown}` : "";
  await printLine(`\nStart the studio on the copy: npm start -- --data ${keysDirectory}${place}`);
  if (place !== "") await printLine("The keys are in that directory; without them stored credentials cannot be read.");
}

const exitCode = await main();
await flushed(process.stdout);
await flushed(process.stderr);
// The embedded database would hold the process; everything has been written.
process.exit(exitCode);
