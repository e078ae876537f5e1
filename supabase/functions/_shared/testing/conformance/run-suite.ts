import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod/mini";

const root = fileURLToPath(new URL("../../../../..", import.meta.url));

const check = z.looseObject({ status: z.string() });

/** What went wrong in each scenario that ran, by its name; empty where it passed. */
type Outcome = Record<string, string>;

/**
 * Runs the conformance suite of the Model Context Protocol and reads its results. It needs a newer Node than this project asks for, so it
 * runs in Deno.
 */
export async function runSuite(side: "client" | "server", args: readonly string[]): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-conformance-"));
  const suite = join("node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");
  const deno = ["run", "--allow-all", "--quiet", "--node-modules-dir=manual", suite];
  const child = spawn(join(root, "node_modules", ".bin", "deno"), [...deno, side, ...args, "--output-dir", folder], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stdout.on("data", (data: Buffer) => (said += data.toString()));
  child.stderr.on("data", (data: Buffer) => (said += data.toString()));
  await once(child, "close");
  const outcome: Outcome = {};
  try {
    for (const file of await readdir(folder, { recursive: true })) {
      if (!file.endsWith("checks.json")) continue;
      const checks = z.array(check).parse(JSON.parse(await readFile(join(folder, file), "utf8")));
      const failed = checks.filter(({ status }) => status === "FAILURE").map((one) => JSON.stringify(one));
      outcome[scenarioOf(file)] = failed.length === 0 ? "" : [...failed, await output(join(folder, file))].join("\n");
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  if (Object.keys(outcome).length === 0) throw new Error(`The suite did not run.\n${said.slice(-4_000)}`);
  return outcome;
}

/** What a client said while it was tested. */
async function output(checksFile: string): Promise<string> {
  const file = join(dirname(checksFile), "stderr.txt");
  return existsSync(file) ? (await readFile(file, "utf8")).slice(-4_000) : "";
}

/** In which scenarios an outcome is not as listed, and why. */
export function unlike(listed: Readonly<Record<string, boolean>>, outcome: Outcome): string[] {
  return [...new Set([...Object.keys(listed), ...Object.keys(outcome)])].flatMap((name) => {
    const [said, why] = [listed[name], outcome[name]];
    if (said === undefined) return [`${name} is not listed`];
    if (why === undefined) return [`${name} did not run`];
    if (said === (why === "")) return [];
    return [said ? `${name} fails: ${why}` : `${name} passes`];
  });
}

/** A folder is named after the scenario and the time, beside the side and the command in front of it. */
function scenarioOf(file: string): string {
  const name = /(?:^|\/)(?:server-(?=[a-z]))?((?:auth\/)?[^/]+?)-\d{4}-\d\d-\d\dT[\d-]+Z\/checks\.json$/;
  return name.exec(file.replaceAll("\\", "/"))?.[1] ?? file;
}

/** What `docs/mcp.md` says of the scenarios of one side and version: whether each passes. */
export async function documented(side: "client" | "server", version: string): Promise<Record<string, boolean>> {
  const page = await readFile(join(root, "docs", "mcp.md"), "utf8");
  const [, table = ""] = page.split(`### Scenarios of a ${side}`);
  const [head = "", , ...rows] = (table.split("\n#")[0] ?? "").split("\n").filter((line) => line.startsWith("|"));
  const cells = (row: string) => row.split("|").map((cell) => cell.trim());
  const column = cells(head).indexOf(version);
  return Object.fromEntries(
    rows
      .map(cells)
      .filter((row) => ["passes", "no"].includes(row[column] ?? ""))
      .map((row) => [(row[1] ?? "").replaceAll("`", ""), row[column] === "passes"]),
  );
}
