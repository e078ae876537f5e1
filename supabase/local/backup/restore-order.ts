import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { monthsNamed } from "../database/moving/event-months.ts";
import type { ServerAddress } from "../database/postgres/server-address.ts";
import { runProgram } from "./postgres-programs.ts";

/** In which order a dump is put back, as pg_restore takes it, and the months for whose partitions it has rows. */
interface RestoreOrder {
  file: string;
  months: string[];
}

/** Rows of partitions of `studio_run_events`. */
const isOfPartition = (line: string): boolean => / TABLE DATA private studio_run_events_/.test(line);

/**
 * Puts the events of runs after the runs: pg_dump orders tables by their foreign keys, and overlooks those that partitions have
 * from their table. `folder`: where the list is kept meanwhile. Throws StartError for a file that is no dump.
 */
export async function orderRestore(
  program: string,
  address: ServerAddress,
  dump: string,
  folder: string,
): Promise<RestoreOrder> {
  const file = join(folder, "order");
  await runProgram(program, ["--list", `--file=${file}`, dump], address);
  const lines = (await readFile(file, "utf8")).split("\n");
  const ordered = [...lines.filter((line) => !isOfPartition(line)), ...lines.filter(isOfPartition)];
  await writeFile(file, `${ordered.join("\n")}\n`);
  return { file, months: lines.filter(isOfPartition).flatMap(monthsNamed) };
}
