import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { signUp } from "../../supabase/local/testing/clients.ts";
import { startStackProcess } from "../faults/stack-process.ts";
import { residentBytes, withDescendants } from "../resident-memory.ts";
import { type Endured, endure } from "./besieged.ts";

export interface SiegeResult extends Endured {
  /** How often each behaviour was tried. */
  tried: Record<string, number>;
  /** Processes of the studio that were killed. */
  kills: number;
  /** The most that all processes of the studio held, in bytes. */
  peakBytes: number;
}

const attackers = fileURLToPath(new URL("attackers.mjs", import.meta.url));

/** Three guests besiege a studio while a fourth works; every `killEveryMs` one of its processes is killed. */
export async function runSiege({ ms, killEveryMs }: { ms: number; killEveryMs: number }): Promise<SiegeResult> {
  const page = createServer((_request, response) => response.end("ok")).listen(0, "127.0.0.1");
  await once(page, "listening");
  const address = page.address();
  const pagePort = typeof address === "object" && address ? address.port : 0;
  const dataDir = await mkdtemp(join(tmpdir(), "switchyard-siege-"));
  const studio = await startStackProcess(dataDir, "127.0.0.1");
  const { url, key } = studio;
  try {
    const user = await signUp(studio);
    const siege = fork(attackers, [url, key, "3"], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    await Promise.race([
      once(siege, "message"),
      once(siege, "exit").then(() => Promise.reject(new Error("The besiegers did not get in."))),
    ]);
    const tried = once(siege, "message");
    const over = new AbortController();
    const working = endure({ url, key, page: `http://127.0.0.1:${pagePort}/` }, user, over.signal);
    const result = { kills: 0, peakBytes: 0 };
    const until = Date.now() + ms;
    let nextKill = Date.now() + killEveryMs;
    while (Date.now() < until) {
      await sleep(500);
      result.peakBytes = Math.max(result.peakBytes, residentBytes(studio.pid));
      if (Date.now() < nextKill) continue;
      nextKill += killEveryMs;
      if (killOne(studio.pid, dataDir, result.kills)) result.kills += 1;
    }
    siege.send("over");
    const [counts] = await tried;
    over.abort();
    return { ...(await working), ...result, tried: counts };
  } finally {
    await studio.kill("SIGTERM");
    await rm(dataDir, { recursive: true, force: true });
    page.close();
  }
}

/** The database and a function's process in turn. */
function killOne(pid: number, dataDir: string, round: number): boolean {
  const { pid: database } = JSON.parse(readFileSync(join(dataDir, "database-process.json"), "utf8"));
  const denos = withDescendants(pid).filter((one) => nameOf(one).startsWith("deno"));
  const victim = round % 2 === 0 ? database : denos[round % Math.max(1, denos.length)];
  if (typeof victim !== "number") return false;
  try {
    process.kill(victim, "SIGKILL");
    return true;
  } catch {
    // It was just being restarted.
    return false;
  }
}

function nameOf(pid: number): string {
  try {
    return readdirSync(`/proc/${pid}`).length > 0 ? readFileSync(`/proc/${pid}/comm`, "utf8") : "";
  } catch {
    return "";
  }
}
