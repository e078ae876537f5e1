import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../engine/json.ts";
import { type CodeThread, createCodeRunner } from "./code-pool.ts";
import { answer, compareTexts } from "./answers.ts";
import { loadQuickJs } from "./load-quickjs.ts";
import { runCode } from "./run-code.ts";

const memoryBytes = 64 * 1024 * 1024;

async function run(code: string, args: JsonObject = {}, timeoutMs = 20_000) {
  const outcome = await runCode(await loadQuickJs(memoryBytes), { code, args, timeoutMs, memoryBytes });
  return { ...outcome, output: outcome.result.ok ? outcome.result.output : `failed: ${outcome.result.error}` };
}

/** What the host makes of the same code. */
function onHost(code: string, args: JsonObject): Json {
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- the test compares the same source inside and outside
  const body = new Function(...Object.keys(args), code) as (...values: Json[]) => unknown;
  return JSON.parse(JSON.stringify(body(...Object.values(args)) ?? null)) as Json;
}

/** What the code gives inside, and what on the host. */
async function bothOf(code: string, args: JsonObject): Promise<[inside: unknown, onHost: Json]> {
  return [(await run(code, args)).output, onHost(code, args)];
}

const attempt = "const attempt = (work) => { try { return work(); } catch (error) { return error.name; } };";
const locales = ["de-DE", "en-US", "ja-JP", "ar-EG", "tr", "sv", "hi-IN", "fr-CH", "zh-Hans", "de-u-co-phonebk"];
const zones = ["UTC", "Asia/Tokyo", "America/New_York", "Europe/Berlin", "Asia/Kolkata"];
const samples = <Value>(values: fc.Arbitrary<Value>, count = 40) => fc.sample(values, { numRuns: count, seed: 39 });

describe("code has the host's", () => {
  it("numbers", async () => {
    const args = { numbers: samples(fc.double({ noNaN: true, noDefaultInfinity: true })), locales };
    const [inside, outside] = await bothOf(
      `const options = [undefined, { style: "currency", currency: "EUR" }, { style: "percent" }, { notation: "compact" },
        { minimumFractionDigits: 2, maximumFractionDigits: 3 }, { style: "unit", unit: "kilometer" }];
      const special = [NaN, Infinity, -0, 0.1 + 0.2, 12345678901234567890n, -5n];
      return [...numbers, ...special].map((number) => locales.map((locale) => options.map((option) => [
        number.toLocaleString(locale, option), new Intl.NumberFormat(locale, option).format(number)])))
        .concat([numbers.map(new Intl.NumberFormat("de").format), numbers.map((number) => number.toLocaleString()),
          new Intl.NumberFormat("de").formatToParts(1234.5), [numbers, null, [1]].toLocaleString("de")]);`,
      args,
    );
    expect(inside).toEqual(outside);
  });

  it("dates and times", async () => {
    const times = samples(fc.integer({ min: -4e12, max: 4e12 }));
    const [inside, outside] = await bothOf(
      `${attempt}
      const options = [undefined, { dateStyle: "full" }, { timeStyle: "short" }, { year: "numeric", month: "long", day: "2-digit" },
        { weekday: "short", hour: "numeric", timeZoneName: "short" }];
      return times.map((time, index) => {
        const date = new Date(time), locale = locales[index % locales.length], timeZone = zones[index % zones.length];
        return [date.toLocaleString(), date.toLocaleDateString(), date.toLocaleTimeString(), options.map((option) => [
          date.toLocaleString(locale, { ...option, timeZone }), new Intl.DateTimeFormat(locale, { ...option, timeZone }).format(date),
          attempt(() => date.toLocaleDateString(locale, { timeZone, ...option })),
          attempt(() => date.toLocaleTimeString(locale, { timeZone, ...option }))])];
      }).concat([[new Date(NaN).toLocaleString("de"), attempt(() => new Intl.DateTimeFormat("de").format(NaN)),
        Intl.DateTimeFormat().resolvedOptions().timeZone, Intl.DateTimeFormat("en", { timeZone: "UTC" }).formatToParts(0),
        new Intl.DateTimeFormat("en", { timeZone: "UTC" }).formatRange(0, new Date(1e10)),
        attempt(() => new Date().toLocaleString("de", { timeZone: "Mars/Base" })), attempt(() => (1).toLocaleString("no locale")),
        attempt(() => (1).toLocaleString("de", { style: "currency" }))]]);`,
      { times, locales, zones },
    );
    expect(inside).toEqual(outside);
  });

  it("order of texts, and their case", async () => {
    const words = samples(
      fc.oneof(fc.string({ unit: "grapheme", maxLength: 4 }), fc.constantFrom("ä", "a", "Z", "z", "é", "10", "9")),
    );
    const [inside, outside] = await bothOf(
      `const options = [undefined, { numeric: true }, { sensitivity: "base" }, { caseFirst: "upper" }];
      return [words.toSorted((a, b) => a.localeCompare(b)), locales.map((locale) => options.map((option) => [
        words.toSorted((a, b) => a.localeCompare(b, locale, option)), words.toSorted(new Intl.Collator(locale, option).compare),
        words.map((word) => [word.toLocaleUpperCase(locale), word.toLocaleLowerCase(locale)])]))];`,
      { words, locales },
    );
    expect(inside).toEqual(outside);
  });

  it("plurals, relative times, lists, names and segments", async () => {
    const [inside, outside] = await bothOf(
      `return locales.map((locale) => [[0, 1, 2, 5, 1.5].map((n) => new Intl.PluralRules(locale).select(n)),
        [-1, 0, 3].map((n) => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(n, "day")),
        new Intl.ListFormat(locale, { type: "disjunction" }).format(["a", "b", "c"]),
        new Intl.DisplayNames(locale, { type: "region" }).of("JP"),
        Array.from(new Intl.Segmenter(locale, { granularity: "word" }).segment("Guten Tag, 世界"), ({ segment }) => segment),
        [...new Intl.Segmenter(locale).segment("long ".repeat(30))].map(({ index, input }) => [index, input]),
        Intl.NumberFormat.supportedLocalesOf([locale, "xx"]), Intl.getCanonicalLocales(locale.toLowerCase()),
        Object.prototype.toString.call(new Intl.Collator())]);`,
      { locales },
    );
    expect(inside).toEqual(outside);
  });

  it("addresses and queries", async () => {
    const texts = samples(
      fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string({ unit: "grapheme" })),
    );
    const hrefs = [
      ...texts,
      "http://user:p%40ss@EXAMPLE.com:80/a/../b?x=1&x=2#ü",
      "../c?d=1",
      "mailto:a@b.c",
      "//x",
      "",
    ];
    const [inside, outside] = await bothOf(
      `${attempt}
      const names = ["href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"];
      return hrefs.map((href) => [URL.canParse(href), attempt(() => {
        const url = new URL(href, "https://base.example/x/y");
        const before = names.map((name) => url[name]);
        url.searchParams.append("q", href); url.searchParams.set("x", "ä &"); url.searchParams.sort();
        url.hash = "end"; url.pathname = "/a b";
        const middle = [String(url), url.searchParams.getAll("x"), url.searchParams.has("q", href), url.searchParams.size];
        url.search = "?n=1"; url.searchParams.delete("none");
        return [before, middle, JSON.stringify(url), [...url.searchParams], url.searchParams.get("n"), url.searchParams.get("q")];
      }), new URLSearchParams(href).toString(), new URLSearchParams({ href, n: 1 }).toString(), [...new URLSearchParams([["a", href]]).keys()]])
        .concat([[attempt(() => new URL("no address")), attempt(() => { new URL("https://a.b").href = "x"; })]]);`,
      { hrefs },
    );
    expect(inside).toEqual(outside);
  });

  it("bytes, base64 and encodings", async () => {
    const texts = [...samples(fc.string({ unit: "binary" })), "\ud800 lone", "\ufeffmark", "\0", "日本"];
    const [inside, outside] = await bothOf(
      `${attempt}
      return texts.map((text) => {
        const bytes = new TextEncoder().encode(text);
        const decoder = new TextDecoder(), pieces = Array.from(bytes, (byte) => decoder.decode(new Uint8Array([byte]), { stream: true }));
        return [[...bytes], new TextDecoder().decode(bytes), pieces.join("") + decoder.decode(),
          attempt(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(1))), attempt(() => btoa(text)), attempt(() => atob(text)),
          new TextDecoder("windows-1252").decode(bytes.buffer), new TextDecoder("shift_jis").decode(bytes)];
      }).concat([[attempt(() => new TextDecoder("no such")), new TextDecoder("latin1").encoding, atob(btoa("ÿ\\u0000a")),
        new TextEncoder().encodeInto("aä日", new Uint8Array(4))]]);`,
      { texts },
    );
    expect(inside).toEqual(outside);
  });

  it("structured clones", async () => {
    const [inside, outside] = await bothOf(
      `${attempt}
      const value = { date: new Date(5), map: new Map([[{ a: 1 }, new Set([1])]]), list: [1, , 3], bytes: new Uint8Array([1, 2, 3]).subarray(1),
        error: new RangeError("no"), pattern: /a/gi, nothing: undefined, big: "1" };
      value.self = value;
      const copy = structuredClone(value);
      return [copy.self === copy, copy !== value, copy.date.getTime(), [...copy.map], [...[...copy.map.values()][0]], 1 in copy.list,
        [...copy.bytes], copy.bytes.buffer.byteLength, copy.error instanceof RangeError, copy.error.message, String(copy.pattern),
        "nothing" in copy, attempt(() => structuredClone(() => 1)), attempt(() => structuredClone({ a: Symbol("x") })),
        attempt(() => structuredClone(Promise.resolve())),
        ["Map", "Date", "eval", "__proto__", "TypeError", "Own"].map((name) => {
          const copied = structuredClone(Object.assign(new Error("no"), { name }));
          return [copied instanceof Error, copied instanceof TypeError, copied.name, copied.message];
        })];`,
      {},
    );
    expect(inside).toEqual(outside);
  });
});

describe("code has, of its own", () => {
  it("random numbers and ids", async () => {
    const { output } = await run(`const bytes = crypto.getRandomValues(new Uint16Array(3000));
      const ids = Array.from({ length: 20 }, () => crypto.randomUUID());
      let error; try { crypto.getRandomValues(new Float64Array(1)); } catch (thrown) { error = thrown.name; }
      return { different: new Set(bytes).size > 1000, unique: new Set(ids).size, ids, error };`);
    expect(output).toMatchObject({ different: true, unique: 20, error: "TypeMismatchError" });
    for (const id of (output as { ids: string[] }).ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("timers, in their order, whose waiting counts as time", async () => {
    const code = `const order = [], ticks = [], start = Date.now();
      setTimeout(() => order.push("late"), 399); setTimeout((word) => order.push(word), 1, "soon");
      const stopped = setTimeout(() => order.push("never"), 1); clearTimeout(stopped);
      queueMicrotask(() => order.push("first"));
      const every = setInterval(() => ticks.push("tick") === 2 && clearInterval(every), 20);
      await new Promise((resolve) => setTimeout(resolve, 400));
      const passed = Date.now() - start;
      return { order, ticks, passed: passed >= 400, date: new Date() - start >= 400 && new Date() instanceof Date, year: new Date(0).getTime() };`;
    const { output, waitedMs } = await run(code);
    expect(output).toEqual({
      order: ["first", "soon", "late"],
      ticks: ["tick", "tick"],
      passed: true,
      date: true,
      year: 0,
    });
    expect(waitedMs).toBeGreaterThan(0);
  });

  it("S21 no timer that outlasts its time", async () => {
    const tooLong = { ok: false, error: "The code was stopped: it ran longer than 2000 ms.", logs: [] };
    for (const code of [
      "await new Promise((resolve) => setTimeout(resolve, 1e12));",
      "setInterval(() => {}, 1); await new Promise(() => {});",
    ]) {
      const { result, waitedMs } = await run(code, {}, 2_000);
      expect(result).toEqual(tooLong);
      expect(waitedMs).toBeLessThanOrEqual(2_000);
    }
    expect((await run("setTimeout(() => { throw new Error('late'); }, 1); await new Promise(() => {});")).output).toBe(
      "failed: Error: late",
    );
    expect((await run("setTimeout(() => {}, 1e12); return 1;", {}, 2_000)).output).toBe(1);
  });

  it("answers that come as late as the code waited, unless it is cancelled", async () => {
    const outcome = { result: { ok: true as const, output: 1, logs: [] }, reachedLimit: false, waitedMs: 3_600_000 };
    const thread: CodeThread = {
      listen(listener) {
        thread.send = () => {
          listener.onStarted();
          listener.onAnswer(outcome);
        };
      },
      send: () => {},
      terminate: () => {},
    };
    const runner = createCodeRunner(() => Promise.resolve(thread), { maxThreads: 1 });
    const controller = new AbortController();
    const answered = runner({ code: "", args: {}, timeoutMs: 1, memoryBytes: 1 }, controller.signal);
    controller.abort(new Error("cancelled"));
    await expect(answered).rejects.toThrow("cancelled");
  });
});

describe("the bridge", () => {
  it("S24 S25 answers with texts, whatever it is asked", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.constantFrom("intl", "locales", "date", "url", "query", "queryText", "decode", "random", "atob"),
          fc.string(),
        ),
        fc.oneof(
          fc.json(),
          fc.array(fc.jsonValue()).map((values) => JSON.stringify(values)),
          fc.string(),
        ),
        (name, input) => {
          const text = answer(name, input);
          expect(Array.isArray(JSON.parse(text))).toBe(true);
        },
      ),
    );
    for (const name of ["constructor", "__proto__", "toString"])
      expect(JSON.parse(answer(name, "[]"))[0]).toBe("TypeError");
    for (const method of ["constructor", "toString", "__proto__"])
      expect(JSON.parse(answer("intl", JSON.stringify(["NumberFormat", "de", null, method, "1"])))[0]).toBe(
        "TypeError",
      );
    expect(answer("intl", JSON.stringify(["constructor", "de", null, "name"]))).toContain("TypeError");
  });

  it("S22 refuses what would take long", async () => {
    const large = "x".repeat(5_000_001);
    expect(JSON.parse(answer("btoa", JSON.stringify([large])))).toEqual(["RangeError", "The value is too large."]);
    expect(() => compareTexts("[]", large, "")).toThrow("The value is too large.");
    expect(
      JSON.parse(answer("intl", JSON.stringify(["NumberFormat", "de", null, "format", "9".repeat(2_000)])))[0],
    ).toBe("RangeError");
    expect((await run("for (;;) (1.5).toLocaleString('de');", {}, 500)).output).toMatch(/longer than 500 ms/);
  });

  it("S25 keeps what the code changes inside", async () => {
    const code = `Object.prototype.timeZone = "Mars/Base"; JSON.parse = () => "changed"; Array.prototype.map = () => [];
      const text = (1234.5).toLocaleString("de-DE"); Intl.NumberFormat.prototype.constructor = 1;
      return [text, "ä".localeCompare("z", "de")];`;
    const { output } = await run(code);
    expect(output).toEqual(["1.234,5", -1]);
    expect(new Date(0).toLocaleString("en-US", { timeZone: "UTC" })).toContain("1970");
  });
});
