import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const program = join(dirname(createRequire(import.meta.url).resolve("supabase/package.json")), "dist", "supabase.js");

/** How a call of the Supabase CLI ended. */
export interface CliResult {
  code: number;
  /** Both of its streams. */
  output: string;
}

/** The Supabase CLI, with a folder of its own in which a project's files are put. */
export interface SupabaseCli {
  /** Where `supabase/` goes. */
  workdir: string;
  run(...args: string[]): Promise<CliResult>;
  remove(): Promise<void>;
}

/** Without the account of whoever runs the tests: it has its own home, and a token in the form that the CLI asks for. */
export async function openSupabaseCli(): Promise<SupabaseCli> {
  const folder = await mkdtemp(join(tmpdir(), "switchyard-supabase-"));
  const [workdir, home] = [join(folder, "work"), join(folder, "home")];
  for (const made of [workdir, home]) await mkdir(made);
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    SUPABASE_ACCESS_TOKEN: `sbp_${"0".repeat(40)}`,
    SUPABASE_TELEMETRY_DISABLED: "1",
    DO_NOT_TRACK: "1",
  };
  return {
    workdir,
    run: (...args) =>
      new Promise((resolve) => {
        const all = [program, ...args, "--workdir", workdir, "--yes"];
        execFile(process.execPath, all, { env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
          resolve({ code, output: stdout + stderr + (error !== null && code === 1 ? error.message : "") });
        });
      }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
