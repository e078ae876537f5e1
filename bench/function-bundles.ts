import { spawn } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { largestBundle, writeFunctionBundles } from "../cli/deploy/function-bundles.ts";
import { startLoopbackServer } from "../supabase/functions/_shared/testing/loopback-server.ts";
import { findDeno } from "../supabase/local/functions/deno-binary.ts";
import { type Bench, limitRow, median, type Row } from "./measure.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const starts = 5;
/** What a project gives a request of processor time, the start of its function included. */
const limitMs = 2_000;
/** Starts as fast as Deno does. */
const bare = "Deno.serve(() => new Response());\n";

/** Edge functions as `npm run deploy-functions` uploads them: their size, and how long the first answer of a new process takes. */
export const functionBundlesBench: Bench = {
  id: "bundles",
  title: "Edge functions as they are deployed: size, and time from the start of Deno to the first answer",
  onlyWhenNamed: true,
  async run() {
    const workdir = await mkdtemp(join(tmpdir(), "switchyard-bundles-"));
    // In the place of the project's Data API: it allows every call.
    const data = await startLoopbackServer((_request, response) => response.end('{"wait":0,"remaining":9,"reset":60}'));
    try {
      const bundles = await writeFunctionBundles(root, workdir);
      const coldStart = async (entry: string) => {
        const times: number[] = [];
        for (let count = 0; count < starts; count += 1) times.push(await firstAnswer(workdir, entry, data.host));
        return median(times);
      };
      for (const name of ["node_modules", "package.json"]) await symlink(join(root, name), join(workdir, name));
      await writeFile(join(workdir, "bare.js"), bare);
      const baseline = await coldStart("bare.js");
      const rows: Row[] = [];
      for (const { name, bytes } of bundles) {
        const first = await coldStart(join("supabase", "functions", name, "index.js"));
        rows.push(limitRow(`${name}: size`, bytes / 1e6, "MB", largestBundle / 1e6), {
          ...limitRow(`${name}: first answer`, first, "ms", limitMs),
          baseline,
          ratio: first / baseline,
        });
      }
      return rows;
    } finally {
      await data.stop();
      await rm(workdir, { recursive: true, force: true });
    }
  },
};

/** Milliseconds. The function is asked as nobody, which it refuses after it has loaded. */
async function firstAnswer(workdir: string, entry: string, dataHost: string): Promise<number> {
  const rights = ["--allow-net", "--allow-env", "--allow-read"];
  const loading = [
    "--no-prompt",
    "--no-check",
    "--no-lock",
    "--cached-only",
    "--no-code-cache",
    "--node-modules-dir=manual",
  ];
  const began = performance.now();
  const child = spawn(findDeno(), ["run", ...loading, ...rights, join(workdir, entry)], {
    env: {
      PATH: process.env["PATH"],
      HOME: workdir,
      DENO_SERVE_ADDRESS: "tcp:127.0.0.1:0",
      SUPABASE_URL: `http://${dataHost}`,
      SUPABASE_ANON_KEY: "test-key-anon",
      SUPABASE_SERVICE_ROLE_KEY: "test-key-service",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    const port = await new Promise<string>((resolve, reject) => {
      child.once("exit", () => reject(new Error(`${entry} does not start.`)));
      createInterface({ input: child.stderr }).on("line", (line) => {
        const found = /Listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
        if (found !== undefined) resolve(found);
      });
    });
    await (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "{}" })).text();
    return performance.now() - began;
  } finally {
    child.kill("SIGKILL");
  }
}
