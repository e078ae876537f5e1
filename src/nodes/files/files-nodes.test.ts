import { strToU8 } from "fflate";
import { describe, expect, it } from "vitest";
import { doWork } from "../../documents/do-work.ts";
import { pptx, shape } from "../../documents/testing/office-files.ts";
import type { Documents } from "../../engine/file/documents.ts";
import { fileStore } from "../../engine/in-memory/file-store.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { nodeRegistry } from "../index.ts";

const testDocuments: Documents = (work) => doWork(work);

type Steps = readonly [type: string, config: JsonObject][];

/** Runs steps one after the other on a file that the run was given. */
async function flow(
  steps: Steps,
  [name, content]: [string, Uint8Array | string],
  documents: Documents | null = testDocuments,
) {
  const files = fileStore();
  const bytes = typeof content === "string" ? strToU8(content) : new Uint8Array(content);
  const file = await files.put(name, "", new Uint8Array(bytes));
  const named = steps.map((step, index) => [`s${index}`, step] as const);
  const ids = ["start", ...named.map(([id]) => id)];
  const document = buildWorkflow({
    nodes: { start: ["manual-trigger"], ...Object.fromEntries(named) },
    edges: ids.slice(1).map((id, index) => `${ids[index]}.main -> ${id}.main`),
  });
  const host = testHost({ files, ...(documents ? { documents } : {}) });
  const run = await runToEnd(document, { registry: nodeRegistry, host, input: { body: file }, files: [file] });
  return { end: run.end, kept: files.kept, run };
}

async function read(name: string, content: Uint8Array | string, config: JsonObject = {}): Promise<Json | undefined> {
  const { end } = await flow([["read-file", config]], [name, content]);
  return end.error ? `${end.error.message} ${end.error.hint}` : end.output;
}

describe("read-file", () => {
  const table = "name,n\nAnn,1\n,\nBob,2,extra";

  it("gives rows of tables, data of JSON and XML, and the text of anything else", async () => {
    expect(await read("a.csv", table)).toEqual({
      name: "a.csv",
      kind: "csv",
      rows: [
        { name: "Ann", n: "1", "Column 3": null },
        { name: "Bob", n: "2", "Column 3": "extra" },
      ],
    });
    expect(await read("a.json", '{"a":[1]}')).toEqual({ name: "a.json", kind: "json", data: { a: [1] } });
    expect(await read("a.xml", "<a><b>1</b></a>")).toMatchObject({ data: { a: { b: "1" } } });
    expect(await read("a.md", "# A\n\ntext")).toEqual({ name: "a.md", kind: "markdown", text: "# A\n\ntext" });
    expect(await read("a.html", "<title>T</title><h1>A</h1><p>one</p><p>two</p>")).toEqual({
      name: "a.html",
      kind: "html",
      title: "T",
      text: "A\n\none\n\ntwo",
    });
  });

  it("gives what is asked for: text, rows as lists, pages", async () => {
    expect(await read("a.csv", table, { give: "text" })).toMatchObject({ text: table });
    expect(await read("a.csv", "a,a\n1,2", { hasHeader: false })).toMatchObject({
      rows: [
        ["a", "a"],
        ["1", "2"],
      ],
    });
    expect(await read("a.csv", "a,a\n1,2")).toMatchObject({ rows: [{ a: "1", "a 2": "2" }] });
    const slides = pptx([shape("title", "One") + shape("body", "x"), shape("body", "y")], "Smile.");
    expect(await read("a.pptx", slides, { give: "pages" })).toMatchObject({
      pages: [
        { page: 1, text: "One\n\nx\n\nNotes:\nSmile." },
        { page: 2, text: "y" },
      ],
    });
  });

  it("reads a text, such as the body of an answer, as the format that is chosen", async () => {
    const config = { content: "a,b\n1,2", format: "text" };
    const steps: Steps = [
      ["set-fields", { fields: { body: "a,b\n1,2" }, keepInput: false }],
      ["read-file", { format: "csv" }],
    ];
    expect((await flow(steps, ["x.txt", "x"])).end.output).toMatchObject({ rows: [{ a: "1", b: "2" }] });
    const made: Steps = [
      ["make-file", config],
      ["read-file", {}],
    ];
    expect((await flow(made, ["x.txt", "x"])).end.output).toMatchObject({ name: "file.txt", text: "a,b\n1,2" });
  });

  it.each<[string, string, JsonObject, RegExp]>([
    ["no such sheet", "a.csv", { sheet: "Stock" }, /no sheet "Stock".*It has: 1\./],
    ["no table", "a.txt", { give: "rows" }, /no table.*Choose Text/],
    ["no pages", "a.txt", { give: "pages" }, /no pages/],
    ["no data", "a.txt", { give: "data" }, /no data/],
    ["a kind that cannot be read", "a.zip", {}, /kind of file that cannot be read/],
    ["no file", "a.txt", { file: "{{json.body.size}}" }, /not a file/],
  ])("says that there is %s", async (_case, name, config, message) => {
    expect(await read(name, "a,b\n1,2", config)).toMatch(message);
  });

  it("says where files cannot be read at all", async () => {
    const { end } = await flow([["read-file", {}]], ["a.txt", "x"], null);
    expect(end.error).toMatchObject({ code: "invalid_config", hint: "Run the workflow in the studio." });
  });

  it("finds a file that lies deep in the data, such as one of a form", async () => {
    const files = fileStore();
    const file = await files.put("a.csv", "", new Uint8Array(strToU8("a\n1")));
    const document = buildWorkflow({
      nodes: { start: ["manual-trigger"], read: ["read-file"] },
      edges: ["start.main -> read.main"],
    });
    const host = testHost({ files, documents: testDocuments });
    const input = { method: "POST", body: { note: "hi", report: file } };
    const { end } = await runToEnd(document, { registry: nodeRegistry, host, input, files: [file] });
    expect(end.output).toMatchObject({ name: "a.csv", rows: [{ a: "1" }] });
  });

  it("S105 reads no file whose id only stands in the data", async () => {
    const files = fileStore();
    const secret = await files.put("secret.txt", "text/plain", new Uint8Array([120]));
    const document = buildWorkflow({
      nodes: { start: ["manual-trigger"], read: ["read-file"], pack: ["zip-files"] },
      edges: ["start.main -> read.main", "read.main -> pack.main"],
    });
    const host = testHost({ files, documents: testDocuments });
    const run = await runToEnd(document, { registry: nodeRegistry, host, input: { file: secret } });
    expect(run.end.error?.message).toMatch(/not a file|neither received nor made/);
  });
});

it.each<[string, Steps]>([
  ["Read a file", [["read-file", {}]]],
  [
    "Unzip",
    [
      ["zip-files", {}],
      ["unzip-file", {}],
    ],
  ],
])("S90 what a file says is a stranger's text, whoever sent it: %s", async (_step, steps) => {
  const { run } = await flow(steps, ["a.txt", "Hello"]);
  expect(run.end.untrusted).toContain('the file "a.txt"');
});

describe("files from step to step", () => {
  it("an archive is packed, unpacked and read", async () => {
    const steps: Steps = [
      ["zip-files", { name: "all" }],
      ["unzip-file", {}],
      ["read-file", { file: "{{json.files[0]}}" }],
    ];
    const { end, kept } = await flow(steps, ["a.txt", "Hello"]);
    expect(end.output).toEqual({ name: "a.txt", kind: "text", text: "Hello" });
    expect([...kept.values()].map(({ file }) => file.name)).toEqual(["a.txt", "all.zip", "a.txt"]);
  });

  it("S72 a file that is there twice is packed once, and too many bytes are refused before any is read", async () => {
    const twice: Steps = [
      ["zip-files", { files: { a: "{{json.body}}", b: ["{{json.body}}"] } }],
      ["unzip-file", {}],
    ];
    expect((await flow(twice, ["a.txt", "Hello"])).end.output).toMatchObject({ files: [{ name: "a.txt" }] });

    const store = fileStore();
    const file = await store.put("a.txt", "", "x");
    const all = Array.from({ length: 5 }, (_, number) => ({
      ...file,
      $file: `00000000-0000-4000-9000-10000000000${number}`,
      size: 45 * 1024 * 1024,
    }));
    let opened = 0;
    const files = { ...store, open: async () => ((opened += 1), Promise.reject(new Error("This was read."))) };
    const document = buildWorkflow({
      nodes: { start: ["manual-trigger"], pack: ["zip-files"] },
      edges: ["start.main -> pack.main"],
    });
    const host = testHost({ files, documents: testDocuments });
    const { end } = await runToEnd(document, { registry: nodeRegistry, host, input: { all }, files: all });
    expect(end.error?.message).toMatch(/5 files with 225 MB; at most 5,000 files with 200 MB together/);
    expect(opened).toBe(0);
  });

  it("an email's attachments are files, and symbols that a PDF cannot show are noted", async () => {
    const eml =
      'From: a@example.com\nContent-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/plain\n\nHi ✅\n--b\nContent-Type: text/csv; name=a.csv\nContent-Disposition: attachment; filename=a.csv\n\nx\n--b--';
    const steps: Steps = [
      ["read-file", {}],
      ["make-file", { format: "pdf", content: "{{json.text}}", name: "mail" }],
    ];
    const { end, kept, run } = await flow(steps, ["a.eml", eml]);
    expect(end.output).toMatchObject({ file: { name: "mail.pdf", mediaType: "application/pdf" } });
    expect([...kept.values()].map(({ file }) => file.name)).toEqual(["a.eml", "a.csv", "mail.pdf"]);
    expect(JSON.stringify(run.of("log"))).toContain("symbols");
  });
});
