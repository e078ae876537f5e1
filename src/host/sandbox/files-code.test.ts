import { describe, expect, it } from "vitest";
import { strToU8, zipSync } from "fflate";
import type { CodeFile } from "../../engine/host.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { loadQuickJs } from "./load-quickjs.ts";
import { runCode } from "./run-code.ts";

const megabyte = 1024 * 1024;
const limits = { timeoutMs: 20_000, memoryBytes: 32 * megabyte };

const file = (id: string, name: string, content: string | Uint8Array): CodeFile => ({
  id,
  name,
  bytes: new Uint8Array(typeof content === "string" ? strToU8(content) : content),
});

/** Runs code that is given these files as `a`, `b` and so on. */
async function run(code: string, ...files: CodeFile[]) {
  const args: JsonObject = Object.fromEntries(
    files.map(({ id, name }, index): [string, Json] => ["abc"[index] ?? "", { $file: id, name }]),
  );
  return (await runCode(await loadQuickJs(limits.memoryBytes), { code, args, files, ...limits })).result;
}

async function failure(code: string, ...files: CodeFile[]): Promise<string> {
  const result = await run(code, ...files);
  return result.ok ? JSON.stringify(result.output) : result.error;
}

describe("files in the sandbox", () => {
  it("are read as bytes and as text, and made of either", async () => {
    const code = `
      const bytes = files.read(a);
      const made = files.make("b.bin", bytes.map((byte) => byte + 1));
      return { bytes: [...bytes], text: files.text(a), made, note: files.make("n.md", "Grüße", "text/markdown"), again: files.text(made) };`;
    const result = await run(code, file("f1", "a.txt", "AB"));
    expect(result).toMatchObject({
      ok: true,
      output: {
        bytes: [65, 66],
        text: "AB",
        made: { name: "b.bin", mediaType: "application/octet-stream", size: 2 },
        again: "BC",
      },
      made: [
        { name: "b.bin", bytes: new Uint8Array([66, 67]) },
        { name: "n.md", mediaType: "text/markdown", bytes: new Uint8Array(strToU8("Grüße")) },
      ],
    });
  });

  it("read tables as rows, and make them as CSV and Excel", async () => {
    const code = `
      const rows = await files.rows(a);
      const sheet = await files.makeTable("out.xlsx", rows);
      const list = await files.makeTable("out.csv", { Sheet: [["x"], [1]] });
      return { rows, back: await files.tables(sheet), list: files.text(list), typed: await files.rows("p,p\\n1,2") };`;
    expect(await run(code, file("f1", "in.csv", "name,n\nAnn,1\nBob,2,x"))).toMatchObject({
      ok: true,
      output: {
        rows: [
          { name: "Ann", n: "1", "Column 3": null },
          { name: "Bob", n: "2", "Column 3": "x" },
        ],
        back: [
          {
            name: "Sheet1",
            rows: [
              ["name", "n", "Column 3"],
              ["Ann", "1", null],
              ["Bob", "2", "x"],
            ],
          },
        ],
        list: "x\r\n1",
        typed: [{ p: "1", "p 2": "2" }],
      },
    });
  });

  it("are packed and unpacked", async () => {
    const code = `
      const all = await files.zip("all.zip", [a, { name: "b.txt", content: "B" }]);
      return (await files.unzip(all)).map(({ name, bytes }) => [name, new TextDecoder().decode(bytes)]);`;
    const output = [
      ["a.txt", "A"],
      ["b.txt", "B"],
    ];
    expect(await run(code, file("f1", "a.txt", "A"))).toMatchObject({ ok: true, output });
  });

  it.each<[string, string, RegExp]>([
    ["S105 an id that the run does not give", `return files.text({ $file: "f2" })`, /not a file of this run/],
    ["S105 no file", `return files.read("f1")`, /not a file of this run/],
    ["a content that is none", `return files.make("a", 5)`, /a text, a Uint8Array or an ArrayBuffer/],
    ["a file without tables", `return files.rows(a)`, /"a.txt" has no tables/],
    ["a table of another kind", `return files.makeTable("a.pdf", [])`, /made as \.csv or \.xlsx/],
    ["what is no table", `return files.makeTable("a.csv", 5)`, /list of objects/],
    ["what is no archive", `return files.unzip(a)`, /not a ZIP archive/],
    ["too many files", `for (let n = 0; n < 501; n += 1) files.make("a", "")`, /at most 500 files/],
    [
      "too many bytes",
      `const part = new Uint8Array(5_000_000); for (let n = 0; n < 22; n += 1) files.make("a", part)`,
      /at most 100 MB together/,
    ],
    [
      "too much work at once",
      `const part = new Uint8Array(5_000_000);
       await Promise.all(Array.from({ length: 22 }, () => files.zip("a.zip", [{ name: "a", content: part }])))`,
      /Too many file operations at once/,
    ],
    ["a file that may not be read", `return files.read(b)`, /Raise the limit\./],
  ])("say what is wrong: %s", async (_case, code, words) => {
    const large: CodeFile = { id: "f9", name: "b", problem: "Too large. Raise the limit." };
    expect(await failure(code, file("f1", "a.txt", "x"), large)).toMatch(words);
  });

  it("can be caught by the code, which then goes on", async () => {
    const code = `try { await files.unzip(a); } catch (error) { return error.message; }`;
    expect(await failure(code, file("f1", "a.txt", "x"))).toMatch(/not a ZIP archive/);
  });

  it("S72 stay within the memory of the sandbox, also unpacked", async () => {
    const big = file("f1", "big.bin", new Uint8Array(31 * megabyte));
    expect(await failure(`return files.read(a).length`, big)).toMatch(/more memory than the 32 MB/);
    const bomb = file("f1", "bomb.zip", zipSync({ "a.txt": new Uint8Array(40 * megabyte) }));
    expect(await failure(`return (await files.unzip(a)).length`, bomb)).toMatch(/more memory than the 32 MB/);
    const kept = `const all = []; for (;;) all.push(files.read(a));`;
    expect(await failure(kept, file("f1", "part.bin", new Uint8Array(5 * megabyte)))).toMatch(/more memory/);
  });

  it("are not made where the run has no place for them", async () => {
    const code = `return files.make("a.txt", "A")`;
    const { result } = await runCode(await loadQuickJs(limits.memoryBytes), { code, args: {}, ...limits });
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining("Files cannot be made here.") });
  });

  it("leave the name to code that uses it for its own", async () => {
    const own = { code: "return files.length;", args: { files: [1, 2] }, ...limits };
    const { result } = await runCode(await loadQuickJs(limits.memoryBytes), own);
    expect(result).toMatchObject({ ok: true, output: 2 });
    expect(await failure(`const files = [1]; return files.length`)).toBe("1");
  });
});
