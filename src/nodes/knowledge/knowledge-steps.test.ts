import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import { doWork } from "../../documents/do-work.ts";
import { readPdf } from "../../documents/pdf/read-pdf.ts";
import { makePdf } from "../../documents/testing/make-pdf.ts";
import { exposureOf } from "../../engine/document/exposure.ts";
import { mayWrite, outreachOf } from "../../engine/document/outreach.ts";
import { fileStore } from "../../engine/in-memory/file-store.ts";
import { type KeptCollection, knowledgeStore } from "../../engine/in-memory/knowledge-store.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import type { KnowledgeStore } from "../../engine/knowledge/knowledge.ts";
import type { SourceDocument } from "../../engine/knowledge/source-document.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { nodeRegistry } from "../index.ts";
import { addDocument } from "./add-document.ts";
import { deleteDocument } from "./delete-document.ts";
import { searchDocuments } from "./search-documents.ts";

const handbook: KeptCollection = { id: "handbook", name: "Handbook", embedding: null, dimension: null, chunks: [] };
const byMeaning: KeptCollection = {
  ...handbook,
  id: "meaning",
  embedding: { provider: "demo", model: "words-256", credential: "" },
};

const newStore = () => knowledgeStore([handbook, byMeaning]);

interface Given {
  input?: Json;
  files?: readonly [name: string, content: string][];
  start?: string;
}

/** Runs one step after a trigger; its input is `{ attachments }` where files are given. */
async function step(knowledge: KnowledgeStore, [type, config]: [string, JsonObject], given: Given = {}) {
  const { start = "manual-trigger" } = given;
  const files = fileStore();
  const attachments = [];
  for (const [name, content] of given.files ?? [])
    attachments.push(await files.put(name, "", new TextEncoder().encode(content)));
  const host = testHost({
    knowledge,
    files,
    documents: (work, signal) => doWork(work, (_kind, file) => readPdf(file.bytes, signal, {})),
  });
  const document = buildWorkflow({
    nodes: { start: [start], step: [type, { collection: "handbook", ...config }] },
    edges: ["start.main -> step.main"],
  });
  const input = attachments.length > 0 ? { attachments } : (given.input ?? {});
  return await runToEnd(document, { registry: nodeRegistry, host, input, files: attachments });
}

const outputOf = async (...given: Parameters<typeof step>) => {
  const { end } = await step(...given);
  return end.error ? `${end.error.message} ${end.error.hint}` : end.output;
};

const forged = {
  $file: "6f0c1b6e-6d6e-4a53-9d33-1d9d3f0b4c11",
  name: "a.txt",
  mediaType: "text/plain",
  size: 1,
  sha256: "0".repeat(64),
};

const search = (query: string, config: JsonObject = {}): [string, JsonObject] => [
  "search-documents",
  { query, minScore: 0.5, ...config },
];
const addText = (name: string, content: string, config: JsonObject = {}): [string, JsonObject] => [
  "add-document",
  { name, content, ...config },
];

describe("documents of a collection in the flow", () => {
  it("adds a text, finds it, replaces it by its name and deletes it", async () => {
    const store = newStore();
    expect(await outputOf(store, addText("holidays.md", "# Holidays\n\nThirty days a year."))).toMatchObject({
      collection: "Handbook",
      documents: [{ name: "holidays.md", outcome: "added", added: 1 }],
    });
    expect(await outputOf(store, search("holidays"))).toMatchObject({
      mode: "keyword",
      results: [{ content: "Thirty days a year.", metadata: { document: "holidays.md", heading: "Holidays" } }],
    });
    expect(await outputOf(store, addText("holidays.md", "# Holidays\n\nThirty days a year."))).toMatchObject({
      documents: [{ outcome: "unchanged" }],
    });
    expect(await outputOf(store, addText("holidays.md", "# Holidays\n\nForty days a year."))).toMatchObject({
      documents: [{ outcome: "updated", added: 1, removed: 1 }],
    });
    expect(await outputOf(store, search("holidays"))).toMatchObject({ results: [{ content: "Forty days a year." }] });
    const remove: [string, JsonObject] = ["delete-document", { name: "holidays.md" }];
    expect(await outputOf(store, remove)).toEqual({ collection: "Handbook", name: "holidays.md", deleted: 1 });
    expect(await outputOf(store, remove)).toMatchObject({ deleted: 0 });
    expect(await outputOf(store, search("holidays"))).toMatchObject({ results: [] });
  });

  it("adds each file of its input under its own name", async () => {
    const store = newStore();
    const files: Given["files"] = [
      ["a.md", "# A\n\nLamps are green."],
      ["b.csv", "item,price\nLamp,3\nSofa,9"],
    ];
    expect(await outputOf(store, ["add-document", {}], { files })).toMatchObject({
      documents: [
        { name: "a.md", added: 1 },
        { name: "b.csv", added: 2 },
      ],
    });
    const found = await outputOf(store, search("sofa", { filter: { document: "b.csv", row: "3" } }));
    expect(found).toMatchObject({ results: [{ metadata: { row: 3 } }] });
  });

  it("names the file of a PDF, so that its pages can be shown, and of nothing else", async () => {
    const store = newStore();
    const put: SourceDocument[] = [];
    const noting: KnowledgeStore = {
      ...store,
      putDocument(id, document, options) {
        put.push(document);
        return store.putDocument(id, document, options);
      },
    };
    const pdf = new TextDecoder().decode(makePdf([[{ text: "Lamps are green.", size: 12 }]]));
    const files: Given["files"] = [
      ["a.pdf", pdf],
      ["b.txt", "Sofas are red."],
    ];
    await step(noting, ["add-document", {}], { files });
    expect(put.map(({ name, original }) => [name, original])).toEqual([
      ["a.pdf", expect.any(String)],
      ["b.txt", undefined],
    ]);
  });

  it("gives passages vectors, counts what that took, and finds them by meaning", async () => {
    const store = newStore();
    const added = await step(store, addText("a.txt", "Green lamps.", { collection: "meaning" }));
    expect(added.of("embedding")).toMatchObject([{ nodeId: "step", provider: "demo", texts: 1 }]);
    const found = await step(store, search("green lamps", { collection: "meaning", mode: "semantic" }));
    expect(found.of("embedding")).toHaveLength(1);
    expect(found.end.output).toMatchObject({ mode: "semantic", results: [{ content: "Green lamps." }] });
  });

  it.each<[string, [string, JsonObject], RegExp]>([
    ["a text without a name", ["add-document", { content: "x" }], /needs a name/],
    ["a text without words", addText("a.txt", " \n "), /contains no text/],
    ["a file of another run", addText("a", "{{json.forged}}"), /neither received nor made it/],
    ["a collection that is gone", addText("a", "b", { collection: "gone" }), /does not exist any more/],
    ["an empty query", search(" "), /Query is required/],
    ["a search by meaning without vectors", search("x", { mode: "semantic" }), /cannot be searched by meaning/],
    ["no name to delete", ["delete-document", { name: "{{json.name}}" }], /Name is required/],
  ])("refuses %s", async (_name, given, words) => {
    expect(await outputOf(newStore(), given, { input: { name: "", forged } })).toMatch(words);
  });

  it("stores data as JSON", async () => {
    const store = newStore();
    const input: Json = [{ item: "Lamp", colour: "green" }, { item: "Sofa" }];
    expect(await outputOf(store, addText("stock", "{{json}}"), { input })).toMatchObject({ documents: [{ added: 2 }] });
    expect(await outputOf(store, search("green"))).toMatchObject({ results: [{ metadata: { document: "stock" } }] });
  });

  it("gives a file another name", async () => {
    const files: Given["files"] = [["a.csv", "item,price\nLamp,3"]];
    const store = newStore();
    expect(await outputOf(store, ["add-document", { name: "prices" }], { files })).toMatchObject({
      documents: [{ name: "prices", added: 1 }],
    });
    expect(await outputOf(store, search("lamp"))).toMatchObject({ results: [{ metadata: { row: 2 } }] });
  });

  describe("with metadata", () => {
    const withMetadata = async () => {
      const store = newStore();
      const metadata = { team: "{{json.team}}", year: "2025", code: '"007"', empty: "{{json.none}}" };
      const input = { team: "sales", none: "" };
      await step(
        store,
        addText("a.md", "---\nteam: from the file\ntags: [new, big]\n---\nGreen lamps.", {
          metadata,
          format: "markdown",
        }),
        { input },
      );
      await step(store, addText("b.md", "---\nyear: 2024\n---\nRed lamps.", { format: "markdown" }));
      return store;
    };
    const found = async (store: KnowledgeStore, config: JsonObject, input: Json = {}) => {
      const output = await outputOf(store, search("lamps", config), { input });
      const { results } = z.object({ results: z.array(z.object({ content: z.string() })) }).parse(output);
      return results.map(({ content }) => content);
    };

    it("stores what the step and front matter say, and shows it with passages", async () => {
      const store = await withMetadata();
      expect(await outputOf(store, search("green lamps", { topK: 1 }))).toMatchObject({
        results: [{ metadata: { team: "sales", year: 2025, code: "007", tags: ["new", "big"], document: "a.md" } }],
      });
      expect(await store.fields("handbook")).toMatchObject([
        { name: "code" },
        { name: "tags" },
        { name: "team", types: ["text"] },
        { name: "year", types: ["number"], examples: [2025, 2024] },
      ]);
    });

    it("changes them where the text stays the same", async () => {
      const store = await withMetadata();
      const again = addText("a.md", "Green lamps.", { metadata: { year: "2026" } });
      await step(store, again);
      expect(await outputOf(store, again)).toMatchObject({ documents: [{ outcome: "unchanged" }] });
      const other = addText("a.md", "Green lamps.", { metadata: { year: "2027" } });
      expect(await outputOf(store, other)).toMatchObject({ documents: [{ outcome: "updated", added: 0, kept: 0 }] });
      expect(await found(store, { where: 'year = 2027 and team = "sales"' })).toEqual(["Green lamps."]);
    });

    it("narrows a search by them, besides names and values", async () => {
      const store = await withMetadata();
      expect(await found(store, { where: 'team = "sales" and year >= 2025' })).toEqual(["Green lamps."]);
      expect(await found(store, { where: 'tags = "big" or year = 2024' })).toHaveLength(2);
      expect(await found(store, { where: "year >= 2024", filter: { document: "b.md" } })).toEqual(["Red lamps."]);
      expect(await found(store, { filter: { year: "2024" } })).toEqual(["Red lamps."]);
    });

    it("takes what is inserted into a filter as a value", async () => {
      const store = await withMetadata();
      const where = "team = {{json.team}} and year in {{json.years}}";
      expect(await found(store, { where }, { team: "sales", years: [2025, 2026] })).toEqual(["Green lamps."]);
      expect(await found(store, { where }, { team: 'x" or year > "', years: [2025] })).toEqual([]);
      expect(
        await outputOf(store, search("lamps", { where: "{{json.filter}}" }), { input: { filter: "year > 0" } }),
      ).toMatch(/the name of a field is expected/);
      expect(await outputOf(store, search("lamps", { where }), { input: { team: "", years: [1] } })).toMatch(
        /is empty/,
      );
    });

    it("says which field was meant, and knows every field where there are no documents", async () => {
      expect(await outputOf(await withMetadata(), search("lamps", { where: 'taem = "sales"' }))).toMatch(
        /No document in the collection has the field "taem".*Did you mean "team"/s,
      );
      expect(await found(newStore(), { where: 'taem = "sales"' })).toEqual([]);
    });

    it.each([
      [{ page: "3" }, /"page" cannot be the name/],
      [{ "a b": "3" }, /"a b" cannot be the name/],
      [{ team: "x".repeat(501) }, /The value of "team" cannot be stored/],
    ])("refuses %j", async (metadata, words) => {
      expect(await outputOf(newStore(), addText("a", "b", { metadata }))).toMatch(words);
    });
  });

  it("refuses one name for several files", async () => {
    const files: Given["files"] = [
      ["a.md", "a"],
      ["b.md", "b"],
    ];
    expect(await outputOf(newStore(), ["add-document", { name: "both" }], { files })).toMatch(
      /2 files but only one name/,
    );
  });

  it("says in the document why it could not be stored, and goes on from there", async () => {
    const store = newStore();
    let broken = true;
    const failing: KnowledgeStore = {
      ...store,
      addChunks: (...given) => (broken ? Promise.reject(new Error("The disk is full.")) : store.addChunks(...given)),
    };
    expect(await outputOf(failing, addText("a.txt", "Green lamps."))).toMatch(/The disk is full/);
    expect(await store.findDocuments("handbook", { name: "a.txt", hash: "" })).toMatchObject([{ status: "failed" }]);
    broken = false;
    expect(await outputOf(failing, addText("a.txt", "Green lamps."))).toMatchObject({
      documents: [{ outcome: "updated", added: 1 }],
    });
  });
});

describe("S33 S49 S90 S97 what the steps are taken for", () => {
  it("treats adding and deleting as writes, and searching as reading what strangers may have written", () => {
    expect(mayWrite(addDocument, {})).toBe(true);
    expect(mayWrite(deleteDocument, {})).toBe(true);
    expect(mayWrite(searchDocuments, {})).toBe(false);
    expect(outreachOf(addDocument, { config: {} })).toBe("adds documents to a collection");
    expect(outreachOf(deleteDocument, { config: {} })).toBe("deletes documents of a collection");
    expect(exposureOf(searchDocuments, {})).toEqual(["private-data", "untrusted-input"]);
    expect(exposureOf(addDocument, {})).toEqual([]);
  });

  it("S90 keeps the mark of a stranger's text with its passages, and names the source when they are found", async () => {
    const store = newStore();
    const hook: Given = { start: "webhook-trigger", input: { body: { text: "Green lamps." } } };
    const added = await step(store, ["add-document", { name: "note", content: "{{json.body.text}}" }], hook);
    const [source] = added.of("node-end").find(({ nodeId }) => nodeId === "start")?.untrusted ?? [];
    expect(source).toBeDefined();
    expect(added.end.untrusted).toEqual([source]);
    const found = await step(store, search("lamps"));
    expect(found.end.output).toMatchObject({ results: [{ metadata: { untrusted: [source] } }] });
    expect(found.end.untrusted).toEqual(['"step"', source]);
  });

  it("S90 counts what its owner stored as read from outside as well", async () => {
    const store = newStore();
    await step(store, addText("note", "Green lamps."));
    const found = await step(store, search("lamps"));
    expect(found.end.untrusted).toHaveLength(1);
    expect(found.end.output).not.toMatchObject({ results: [{ metadata: { untrusted: expect.anything() } }] });
  });
});

describe("a query that a run repeats", () => {
  it("is embedded once, and another one for itself", async () => {
    const query = (text: string): [string, JsonObject] => ["search-documents", { collection: "meaning", query: text }];
    const document = buildWorkflow({
      nodes: { start: ["manual-trigger"], one: query("lamps"), two: query("lamps"), three: query("chairs") },
      edges: ["start.main -> one.main", "one.main -> two.main", "two.main -> three.main"],
    });
    const run = () => {
      const host = testHost({ knowledge: newStore() });
      return runToEnd(document, { registry: nodeRegistry, host, input: {} });
    };
    for (const { of } of [await run(), await run()]) {
      expect(of("embedding").map(({ nodeId }) => nodeId)).toEqual(["one", "three"]);
    }
  });
});
