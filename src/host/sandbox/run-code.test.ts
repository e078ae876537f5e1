import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import type { JsonObject } from "../../engine/json.ts";
import { loadQuickJs } from "./load-quickjs.ts";
import { runCode } from "./run-code.ts";

const megabyte = 1024 * 1024;

async function run(code: string, args: JsonObject = {}, limits: { timeoutMs?: number; memoryBytes?: number } = {}) {
  const request = { code, args, timeoutMs: 500, memoryBytes: 32 * megabyte, ...limits };
  return (await runCode(await loadQuickJs(request.memoryBytes), request)).result;
}

/** Where something else than time ends the code, on a busy machine as well. */
const unhurried = 20_000;

async function failure(code: string, timeoutMs?: number): Promise<string> {
  const result = await run(code, {}, timeoutMs === undefined ? {} : { timeoutMs });
  return result.ok ? `no failure but ${JSON.stringify(result.output).slice(0, 200)}` : result.error;
}

describe("runCode", () => {
  it("gives the arguments as variables, captures the console and returns JSON", async () => {
    const code = `console.log("sum of", [a, b]); console.warn("careful"); const c = await Promise.resolve(a + b); return { c, all: args };`;
    expect(await run(code, { a: 1, b: 2, "odd-name": 3 })).toEqual({
      ok: true,
      output: { c: 3, all: { a: 1, b: 2, "odd-name": 3 } },
      logs: ["sum of [1,2]", "warn: careful"],
    });
  });

  it("lets the body declare a variable named like an argument, and takes argument names that are words of the language", async () => {
    expect(await run(`const { city } = args; return city + args.class`, { city: "Oslo", class: "!" })).toMatchObject({
      output: "Oslo!",
    });
  });

  it("knows declared variables without a value, and inputs beside the arguments", async () => {
    const request = { args: { a: 1 }, inputs: { b: 2, a: 9 }, declared: ["a", "c", "toString", "odd-name"] };
    const code = "return [a, b, typeof c, typeof toString, args];";
    const limits = { timeoutMs: 500, memoryBytes: 32 * megabyte };
    const { result } = await runCode(await loadQuickJs(limits.memoryBytes), { code, ...request, ...limits });
    expect(result).toMatchObject({ ok: true, output: [1, 2, "undefined", "undefined", { a: 1 }] });
  });

  it("works with large integers by their digits, and returns a BigInt as its digits", async () => {
    const code = "return { next: BigInt(id) + 1n, list: [5n, -5n], id, all: args };";
    const id = "7615917337495251231";
    expect(await run(code, { id })).toMatchObject({
      output: { next: "7615917337495251232", list: [5, -5], id, all: { id } },
    });
  });

  it("returns null for no value", async () => {
    expect(await run("")).toEqual({ ok: true, output: null, logs: [] });
  });

  it("says what was thrown, where syntax is wrong, and when a promise cannot settle", async () => {
    expect(await failure(`throw new TypeError("no such city")`)).toBe("TypeError: no such city");
    expect(await failure(`throw "plain"`)).toBe("plain");
    expect(await failure(`return (`)).toMatch(/^SyntaxError: /);
    expect(await failure(`await new Promise(() => {})`)).toMatch(/never happens/);
    expect(await failure(`throw new Proxy({}, { get() { throw 1 } })`)).not.toBe("");
  });

  it.each([
    ["a loop", "for (;;) {}"],
    ["a getter read while returning", "return { get x() { for (;;) {} } }"],
    ["a regular expression that blows up", `return /^(a+)+$/.test("a".repeat(60) + "b")`],
  ])("S21 S22 stops %s at its time limit", async (_name, code) => {
    expect(await failure(code)).toBe("The code was stopped: it ran longer than 500 ms.");
  });

  it("S21 stops promises that call each other for ever, by time or by memory", async () => {
    const error = await failure("const next = () => Promise.resolve().then(next); await next();");
    expect(error).toMatch(/longer than 500 ms|more memory than/);
  });

  it.each([
    ["objects", "const all = []; for (;;) all.push({ a: 1 });"],
    ["a typed array", "return new Uint8Array(512 * 1024 * 1024).length"],
    ["sorting ten million numbers", "return Array(1e7).fill(0).map(Math.random).sort().length"],
  ])("S22 stops the growth of memory by %s", async (_name, code) => {
    expect(await failure(code, 20_000)).toBe("The code needs more memory than the 32 MB that it may use.");
  });

  it.each([1, 4, 15, 32])("S22 tells null that is thrown from too little memory, with %i MB", async (size) => {
    const limits = { memoryBytes: size * megabyte, timeoutMs: unhurried };
    expect(await run("throw null", {}, limits)).toMatchObject({ error: "null" });
    expect(await run("const all = []; for (;;) all.push({ a: 1 });", {}, limits)).toMatchObject({
      error: `The code needs more memory than the ${size} MB that it may use.`,
    });
  });

  it("S22 refuses a huge result and bounds the log", async () => {
    expect(await failure(`return "x".repeat(6e6)`, unhurried)).toMatch(/6000002 characters/);
    const result = await run(
      `for (let i = 0; i < 5000; i++) console.log("line", i); return 1`,
      {},
      { timeoutMs: unhurried },
    );
    expect(result.logs.length).toBe(501);
    expect(result.logs.at(-1)).toMatch(/4500 more lines/);
  });

  it.each([
    ["recursion", "const down = () => down() + 1; return down();"],
    ["deep JSON", `return JSON.parse("[".repeat(1e5) + "]".repeat(1e5))`],
    ["a deep result", "let deep = []; for (let i = 0; i < 1e5; i++) deep = [deep]; return deep;"],
    ["a chain of proxies", "let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); return p.x;"],
  ])("S23 survives %s, and the next run works", async (_name, code) => {
    expect(await failure(code, unhurried)).toBe("The code calls itself too deeply.");
    expect(await run("return 1")).toEqual({ ok: true, output: 1, logs: [] });
  });

  it("S23 lets the code catch its own recursion and go on", async () => {
    const code =
      "let depth = 0; const down = () => { depth += 1; return down() + 1; }; try { down(); } catch {} return depth;";
    expect(await run(code)).toMatchObject({ ok: true, output: expect.any(Number) });
  });

  it("S23 refuses a result nested deeper than readers can walk", async () => {
    expect(await failure("let deep = []; for (let i = 0; i < 300; i++) deep = [deep]; return deep;")).toMatch(
      /200 levels/,
    );
  });

  it("S24 has nothing of the host inside", async () => {
    const names = (
      "fetch XMLHttpRequest WebSocket process require Deno Bun Buffer localStorage indexedDB postMessage importScripts " +
      "self window document navigator Worker performance std os scriptArgs print global module exports"
    ).split(" ");
    const code = `const everywhere = [globalThis, this ?? {}, (function () {}).constructor("return this")(),
      (async () => {}).constructor("return this")() instanceof Promise ? globalThis : {}];
      return names.filter((name) => everywhere.some((place) => name in place));`;
    expect(await run(code, { names })).toMatchObject({ ok: true, output: [] });
    expect(await failure(`return await import("fs")`)).toMatch(/could not load module/);
    expect(await failure(`return console.log.constructor("return process")()`)).toMatch(/process/);
  });

  it("S24 adds to the language only what is made of texts, numbers and bytes", async () => {
    const bare = (await loadQuickJs(32 * megabyte)).newContext();
    const names = "Reflect.ownKeys(globalThis).map(String)";
    const language: unknown = bare.dump(bare.unwrapResult(bare.evalCode(names)));
    const result = await run(`return [${names}, Reflect.ownKeys(console), Object.isFrozen(console)]`);
    const [found, levels, isFrozen] = z
      .tuple([z.array(z.string()), z.array(z.string()), z.boolean()])
      .parse(result.ok && result.output);
    const added = (
      "console Intl URL URLSearchParams TextEncoder TextDecoder crypto btoa atob structuredClone " +
      "setTimeout setInterval clearTimeout clearInterval queueMicrotask files"
    ).split(" ");
    expect(found.toSorted()).toEqual([...z.array(z.string()).parse(language), ...added].toSorted());
    expect([levels, isFrozen]).toEqual([["log", "info", "debug", "warn", "error"], true]);
  });

  it("S25 keeps prototype writes inside", async () => {
    const code = `Object.prototype.polluted = "yes"; Array.prototype.map = () => "yes"; JSON.stringify = () => '"yes"';
      console.log.constructor.prototype.polluted = "yes"; return JSON.parse('{"__proto__":{"polluted":"yes"}}');`;
    const result = await run(code, { list: [1] });
    expect(result.ok && JSON.stringify(result.output)).toBe('{"__proto__":{"polluted":"yes"}}');
    expect("polluted" in {}).toBe(false);
    expect([1].map((one) => one + 1)).toEqual([2]);
    expect(await run("return typeof ({}).polluted + [2].map((n) => n)")).toMatchObject({ output: "undefined2" });
  });

  it("S26 holds no canary of the host, in any value that can be reached from inside", async () => {
    const canary = `test-key-${"canary".repeat(3)}`;
    Reflect.set(globalThis, "switchyardCanary", canary);
    const code = `const seen = new Set(), found = [], open = [globalThis, new Error("x").stack];
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
      return { found, seen: seen.size > 300 };`;
    const result = await run(code, {}, { timeoutMs: 5000 });
    Reflect.deleteProperty(globalThis, "switchyardCanary");
    expect(result).toMatchObject({ ok: true, output: { found: [], seen: true } });
  });
});
