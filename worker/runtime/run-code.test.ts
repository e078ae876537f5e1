import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/engine/json.ts";
import { runCodeInThread } from "./run-code.ts";

const signal = new AbortController().signal;

function run(code: string, args: JsonObject = {}, { owner = "", timeoutMs = 20_000, stop = signal } = {}) {
  return runCodeInThread({ code, args, timeoutMs, memoryBytes: 32_000_000 }, stop, owner);
}

describe("code in the threads that calls share", () => {
  it("S21 runs many calls that came at once, each with its own arguments", async () => {
    const results = await Promise.all(Array.from({ length: 60 }, (_, json) => run("return json * 2;", { json })));
    expect(results.map((result) => result.ok && result.output)).toEqual(Array.from({ length: 60 }, (_, n) => n * 2));
  });

  it("S21 stops endless loops and what is cancelled, while others wait for a thread and then run", async () => {
    const stop = new AbortController();
    const loops = Array.from({ length: 8 }, () => run("for (;;) {}", {}, { timeoutMs: 100 }));
    const cancelled = run("for (;;) {}", {}, { stop: stop.signal });
    const waiting = run("return 1;");
    stop.abort(new Error("stopped"));
    await expect(cancelled).rejects.toThrow("stopped");
    expect(await Promise.all(loops)).toMatchObject(
      loops.map(() => ({ ok: false, error: "The code was stopped: it ran longer than 100 ms." })),
    );
    expect(await waiting).toMatchObject({ ok: true, output: 1 });
  });

  it("reads files, and gives back those that it makes", async () => {
    const code = `
      const rows = await files.rows(json);
      return files.zip("all.zip", [await files.makeTable("sum.xlsx", rows), { name: "n.txt", content: "N" }]);`;
    const file = { id: "f1", name: "a.csv", bytes: new TextEncoder().encode("a,b\n1,2") };
    const request = { code, args: { json: { $file: "f1", name: "a.csv" } }, files: [file], timeoutMs: 20_000 };
    const result = await runCodeInThread({ ...request, memoryBytes: 32_000_000 }, signal);
    expect(result).toMatchObject({ ok: true, output: { name: "all.zip", mediaType: "application/zip" } });
    const made = result.ok ? result.made?.at(-1)?.bytes : undefined;
    expect(Object.keys(unzipSync(made ?? new Uint8Array()))).toEqual(["sum.xlsx", "n.txt"]);
  });

  it("S22 S23 goes on after calls that took all memory or the whole stack", async () => {
    const greedy = await Promise.all([
      run("const all = []; for (;;) all.push({ a: 1 });"),
      run("const down = () => down() + 1; return down();"),
      run("return new Uint8Array(512 * 1024 * 1024).length"),
    ]);
    expect(greedy.map(({ ok }) => ok)).toEqual([false, false, false]);
    expect(await run("return 1;")).toMatchObject({ ok: true, output: 1 });
  });

  it("S25 S26 leaves nothing of a call to those after it: neither globals nor prototypes nor secrets", async () => {
    const owner = "one person";
    const canary = "test-key-canary-of-an-earlier-call";
    const dirty = `globalThis.left = secret; Object.prototype.left = secret; Array.prototype.push = () => secret;
      JSON.parse = () => secret; JSON.stringify = () => '"' + secret + '"'; Promise.prototype.then = undefined;
      Function.prototype.call = () => secret; Symbol.for(secret); console.log(secret); return 1;`;
    const clean = `const seen = new Set(), found = [], open = [globalThis, new Error("x").stack, this];
      while (open.length > 0) {
        const value = open.pop();
        if (typeof value === "string" && value.includes("canary")) found.push(value);
        if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) continue;
        seen.add(value);
        open.push(Object.getPrototypeOf(value));
        for (const key of Reflect.ownKeys(value)) {
          open.push(String(key));
          try { open.push(value[key]); } catch {}
        }
      }
      const list = []; list.push(2);
      return { found, list, left: typeof left, own: "left" in {}, parsed: JSON.parse("[3]"), awaits: typeof Promise.prototype.then };`;
    // As many at once as there may be threads, so that the calls after them meet threads that were used.
    await Promise.all(Array.from({ length: 8 }, () => run(dirty, { secret: canary }, { owner })));
    for (const result of await Promise.all(Array.from({ length: 8 }, () => run(clean, {}, { owner })))) {
      expect(result).toEqual({
        ok: true,
        output: { found: [], list: [2], left: "undefined", own: false, parsed: [3], awaits: "function" },
        logs: [],
      });
    }
  });

  it("lets the process end while threads are idle", async () => {
    const module = new URL("./compiled.mjs", import.meta.url).href;
    const program = `const { importCompiled } = await import(${JSON.stringify(module)});
      const { runCodeInThread } = await importCompiled("worker/runtime/run-code.ts");
      const request = { code: "return 1;", args: {}, timeoutMs: 5000, memoryBytes: 32000000 };
      const stop = new AbortController();
      const stopped = runCodeInThread(request, stop.signal, "another").catch(() => "stopped");
      stop.abort();
      const results = await Promise.all([runCodeInThread(request, new AbortController().signal), stopped]);
      console.log(JSON.stringify(results));`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
    });
    expect(JSON.parse(stdout)).toEqual([{ ok: true, output: 1, logs: [] }, "stopped"]);
  });
});
