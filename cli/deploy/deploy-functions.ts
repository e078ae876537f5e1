import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandFailure } from "../headless/command-failure.ts";
import { flushed, printLine } from "../headless/print.ts";
import { largestBundle, writeFunctionBundles } from "./function-bundles.ts";

const root = resolve(fileURLToPath(new URL("../..", import.meta.url)));

/** `npm run deploy-functions`: its `--help` says how. Gives the exit code. */
async function main(given: readonly string[]): Promise<number> {
  const workdir = await mkdtemp(join(tmpdir(), "switchyard-deploy-"));
  try {
    if (!given.some((argument) => /^--(project-ref|remote)(=|$)/.test(argument))) {
      throw new CommandFailure(
        "Which project? --project-ref is missing.",
        "Run it with --help to see how it is used.",
        2,
      );
    }
    const program = findProgram();
    for (const { name, bytes } of await writeFunctionBundles(root, workdir)) {
      if (bytes > largestBundle) {
        const limit = largestBundle.toLocaleString("en");
        throw new CommandFailure(
          `The function ${name} has ${bytes.toLocaleString("en")} bytes; a project takes ${limit}.`,
          "Nothing was deployed. Leave out what it does not need.",
        );
      }
    }
    const args = [program, "functions", "deploy", "--use-api", "--workdir", workdir, ...given];
    // The CLI gets a Ctrl-C too, and says what it has done.
    process.on("SIGINT", () => undefined);
    const child = spawn(process.execPath, args, { stdio: "inherit" });
    const [code]: unknown[] = await once(child, "exit");
    return code === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    await printLine(`${error.message}\n  ${error.hint}`, process.stderr);
    return error.exitCode;
  } finally {
    await rm(workdir, { recursive: true, force: true });
  }
}

function findProgram(): string {
  try {
    const found = createRequire(join(root, "package.json")).resolve("supabase/package.json");
    return join(dirname(found), "dist", "supabase.js");
  } catch {
    throw new CommandFailure("The Supabase CLI is not installed.", "Run npm ci, and then this again.");
  }
}

const exitCode = await main(process.argv.slice(2));
await flushed(process.stdout);
await flushed(process.stderr);
process.exit(exitCode);
