import { expect, it } from "vitest";
import { loadQuickJs } from "./load-quickjs.ts";
import { runCode } from "./run-code.ts";

const memoryBytes = 32 * 1024 * 1024;
/** What QuickJS has before any code. */
const ownBytes = 16 * 1024 * 1024;

async function tryCode(code: string, timeoutMs: number) {
  const module = await loadQuickJs(memoryBytes);
  const { result } = await runCode(module, { code, args: {}, timeoutMs, memoryBytes });
  return {
    said: result.ok ? JSON.stringify(result.output) : result.error,
    bytes: module.getWasmMemory().buffer.byteLength,
  };
}

const memory = "The code needs more memory than the 32 MB that it may use.";

it.each([
  ["many arrays below the limit", "const all = []; for (;;) all.push(new Uint8Array(10e6).fill(1));"],
  ["many texts below the limit", 'const all = []; for (;;) all.push("x".repeat(1e6) + all.length);'],
  ["names that grow with each bind", "let f = () => 1; for (;;) f = f.bind(null);"],
  ["a map without end", "const map = new Map(); for (;;) map.set(map.size, [1, 2, 3]);"],
  ["a text padded to a gigabyte", 'return "1".padStart(1e9).length'],
  [
    "a pattern of 20,000 choices",
    'return new RegExp(`(?:${"[^\\\\u{10ffff}]|".repeat(20000)})*`, "iu").test("x".repeat(1000))',
  ],
  ["one answer that spreads for ever", "return [...{ *[Symbol.iterator]() { for (;;) yield [1, 2, 3]; } }]"],
])("S22 keeps the memory itself within its limit: %s", async (_name, code) => {
  const { said, bytes } = await tryCode(code, 60_000);
  expect(said).toBe(memory);
  expect(bytes).toBeLessThanOrEqual(memoryBytes + ownBytes);
});

const time = "The code was stopped: it ran longer than 150 ms.";
const deep = "The code calls itself too deeply.";

it("S21 S23 S24 S25 ends code that tries to stay, to get out or to break what reads its result", async () => {
  const tries: Record<string, string | RegExp> = {
    // Not to be stopped.
    "for (;;) { try { for (;;) {} } catch {} }": time,
    "try { for (;;) {} } finally { for (;;) {} }": time,
    "const f = async () => { try { for (;;) {} } catch {} finally { return f() } }; return f()": time,
    "for (;;) Promise.resolve().then(() => {})": /150 ms|more memory/,
    "return { then(f) { f(this) } }": time,
    "const t = { then(f) { f(t) } }; await t": time,
    "return { toJSON() { return { get y() { for (;;) {} } } } }": time,
    "throw { get message() { for (;;) {} } }": time,
    "throw { toJSON() { for (;;) {} } }": time,
    "throw new Proxy({}, { get() { for (;;) {} } })": time,
    "console.log(new Proxy({}, { get() { for (;;) {} } }))": time,
    "for await (const x of (async function* () { for (;;) yield 1 })()) {}": /150 ms|more memory/,
    "}}); for (;;) {} (async function () {{": time,
    [String.raw`return /^(a+)+$/.test("a".repeat(40) + "b")`]: time,
    // Recursion in everything that reads.
    [`return eval("(".repeat(1e5) + ")".repeat(1e5))`]: deep,
    [`return eval("a=>".repeat(1e5) + "1")`]: deep,
    [`return eval("({a:".repeat(1e4) + "1" + "})".repeat(1e4))`]: deep,
    [`return new RegExp("(?=".repeat(2e4) + ")".repeat(2e4)).test("a")`]: deep,
    "const a = []; a[0] = a; return a.flat(Infinity)": deep,
    "const f = async () => { await f() }; await f()": deep,
    "function* g() { yield* g() } return [...g()]": deep,
    // Out.
    "return [typeof Atomics, typeof WebAssembly, typeof std, typeof os, typeof gc]": `["undefined","undefined","undefined","undefined","undefined"]`,
    "return console.log.constructor.constructor('return typeof process + typeof self + typeof require')()": `"undefinedundefinedundefined"`,
    "try { null.x } catch (error) { return error.constructor.constructor('return typeof globalThis.process')() }": `"undefined"`,
    "return (await import('data:text/javascript,export default 1')).default": /could not load module/,
    "Error.prepareStackTrace = (error, sites) => sites; try { null.x } catch (error) { return typeof error.stack }": `"string"`,
    "return new SharedArrayBuffer(2 ** 31).byteLength": /invalid array buffer length/,
    "return new ArrayBuffer(2 ** 40).byteLength": /invalid array buffer length/,
    // Into what reads the result.
    [String.raw`return JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')`]:
      /polluted/,
    "Object.prototype.toJSON = () => 'owned'; return { a: 1 }": `"owned"`,
    "Promise.prototype.then = () => { for (;;) {} }; return 1": /^1$|150 ms|never happens/,
    "globalThis.JSON = null; Array.prototype.push = null; String = null; return { a: [1] }": `{"a":[1]}`,
    [`throw new Error("x".repeat(1e6))`]: /^Error: x{1993}$/,
    "const a = {}; a.a = a; throw a": /./,
    "throw Symbol('x')": /Symbol/,
  };
  for (const [code, expected] of Object.entries(tries)) {
    const { said } = await tryCode(
      code,
      expected === time ? 150 : expected instanceof RegExp && /150/.test(expected.source) ? 150 : 20_000,
    );
    if (expected instanceof RegExp) expect(said, code).toMatch(expected);
    else expect(said, code).toBe(expected);
  }
  expect("polluted" in {}).toBe(false);
});
