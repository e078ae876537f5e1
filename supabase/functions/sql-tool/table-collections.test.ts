import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createNodeHost } from "../../../cli/headless/node-host.ts";
import { RunError } from "../../../src/engine/errors.ts";
import type { PostgresTable, VectorComparison } from "../../../src/engine/knowledge/postgres-table.ts";
import { parseFilter } from "../../../src/engine/knowledge/filter/parse-filter.ts";
import { knowledgeStore } from "../../../src/engine/in-memory/knowledge-store.ts";
import type { JsonObject } from "../../../src/engine/json.ts";
import { buildWorkflow } from "../../../src/engine/testing/build-workflow.ts";
import { runToEnd } from "../../../src/engine/testing/run-to-end.ts";
import { testHost } from "../../../src/engine/testing/test-host.ts";
import { nodeRegistry } from "../../../src/nodes/index.ts";
import { checkTable, type TableDraft } from "../../../src/nodes/knowledge/table/check-table.ts";
import { searchTable } from "../../../src/nodes/knowledge/table/search-table.ts";
import { startVectorDatabase, type VectorDatabase } from "./testing/vector-database.ts";

const setup = `
  create extension vector;
  create schema kb;
  create table kb.articles (
    id uuid primary key default gen_random_uuid(), title text, body text, link text, team text, year integer, price numeric,
    live boolean, tags text[], day date, details jsonb, embedding vector(3), half halfvec(3)
  );
  insert into kb.articles (title, body, link, team, year, price, live, tags, day, embedding) values
    ('Refunds', 'A refund is paid within two weeks of the request.', 'https://example.com/refunds', 'sales', 2025, 1.5, true, '{money,policy}', '2025-03-01', '[1,0,0]'),
    ('Returns', 'Returned goods are checked on arrival, then the money comes back.', null, 'sales', 2024, 2, false, '{money}', '2024-03-01', '[0.8,0.6,0]'),
    ('Vacation', 'Everybody has thirty days of vacation.', null, 'people', 2025, null, true, null, '2025-06-01', '[0,1,0]'),
    ('Unread', 'No vector yet for this refund.', null, null, null, null, null, null, null, null);
  update kb.articles set half = embedding::halfvec, details = '{"a": 1}';
  create table plain (id integer primary key, body text);
  insert into plain values (1, 'Only words here.');
`;

let database: VectorDatabase;
let host: ReturnType<typeof createNodeHost>;

beforeAll(async () => {
  database = await startVectorDatabase(setup);
  const allowedHosts = [new URL(database.url).host];
  const others = { tables: ["plain"] };
  const credential = { type: "postgres" as const, fields: { connectionString: database.url, tls: false } };
  host = createNodeHost({
    credentials: {
      get: (id) => (id === "gone" ? undefined : { credential, allowedHosts, settings: id === "c" ? {} : others }),
      secrets: [],
    },
    policy: { allowHosts: [] },
    approve: false,
    workflows: { load: () => Promise.reject(new Error("There is none.")) },
  });
});
afterAll(() => database.stop());

const articles: TableDraft = {
  credential: "c",
  table: "kb.articles",
  id: "id",
  text: "body",
  title: "title",
  url: "link",
  vector: "embedding",
  comparison: "cosine",
  metadata: ["team", "year", "price", "live", "tags", "day"],
  filter: "",
  language: "english",
};

const demo = { provider: "demo", model: "words-256", credential: "" };

const { signal } = new AbortController();
const check = (change: Partial<TableDraft> = {}, vector?: number[]) =>
  checkTable({ ...articles, ...change }, { host, signal }, vector && (async () => vector));

interface Asked {
  text?: string;
  embedding?: readonly number[];
  mode?: "hybrid" | "semantic" | "keyword";
  filter?: string;
  minScore?: number;
}

async function search(table: PostgresTable, { filter = "", text = "refund", mode = "hybrid", ...asked }: Asked) {
  const read = parseFilter(filter);
  if (!read.ok) throw new Error(read.message);
  const narrowed = read.condition ? { filter: read.condition } : {};
  return await searchTable(table, { collection: "t", limit: 5, text, mode, ...asked, ...narrowed }, { host, signal });
}

const titles = async (table: PostgresTable, asked: Asked) =>
  (await search(table, asked)).map(({ metadata }) => metadata.document);

const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (error: unknown) => (error instanceof RunError ? error.data : error),
  );

const near = { mode: "semantic", embedding: [1, 0, 0] } as const;

describe("a table of pgvector as a collection", () => {
  test("what it holds is read when it is checked", async () => {
    expect(await check({}, [1, 0, 0])).toEqual({
      ...articles,
      dimension: 3,
      metadata: [
        { column: "team", list: false, type: "text" },
        { column: "year", list: false, type: "number" },
        { column: "price", list: false, type: "number" },
        { column: "live", list: false, type: "boolean" },
        { column: "tags", list: true, type: "text" },
        { column: "day", list: false, type: "text" },
      ],
    });
  });

  test.for<[VectorComparison, string]>([
    ["cosine", "embedding"],
    ["inner-product", "embedding"],
    ["l2", "embedding"],
    ["cosine", "half"],
  ])(
    "rows are found by meaning, by %s in %s, with scores on the scale of every collection",
    async ([comparison, vector]) => {
      const table = await check({ comparison, vector });
      const hits = await search(table, near);
      expect(hits.map(({ metadata }) => metadata.document)).toEqual(["Refunds", "Returns", "Vacation"]);
      expect(hits.map(({ semanticScore }) => Number(semanticScore?.toFixed(2)))).toEqual([1, 0.9, 0.5]);
      expect(hits.map(({ keywordScore }) => keywordScore)).toEqual([null, null, null]);
      expect(await titles(table, { ...near, minScore: 0.7 })).toEqual(["Refunds", "Returns"]);
    },
  );

  test("a passage has its row's text, title, address and metadata, and counts as written by others", async () => {
    const [hit] = await search(await check(), near);
    expect(hit).toMatchObject({
      content: "A refund is paid within two weeks of the request.",
      metadata: {
        document: "Refunds",
        url: "https://example.com/refunds",
        team: "sales",
        year: 2025,
        price: 1.5,
        live: true,
        tags: ["money", "policy"],
        day: "2025-03-01",
        untrusted: ["the table kb.articles"],
      },
    });
    expect(hit?.chunkId).toBe(`row:${hit?.metadata.documentId}`);
  });

  test("rows are found by word forms of the language, those with more words first", async () => {
    const table = await check();
    expect(await titles(table, { mode: "keyword", text: "refunds paid for requests" })).toEqual(["Refunds", "Unread"]);
    expect(await titles({ ...table, language: "simple" }, { mode: "keyword", text: "refunds" })).toEqual([]);
    const [best, other] = await search(table, { mode: "keyword", text: "the refund that is paid" });
    expect(best?.keywordScore).toBe(1);
    expect(other?.keywordScore).toBeLessThan(1);
    expect(await titles(table, { mode: "keyword", text: "the of" })).toEqual([]);
    expect(await titles(table, { mode: "keyword", text: "?! '" })).toEqual([]);
  });

  test("hybrid search fuses both orders, and without a vector it is a search by words", async () => {
    const table = await check();
    const hits = await search(table, { text: "vacation", embedding: [1, 0, 0] });
    expect(hits.map(({ metadata }) => metadata.document)).toEqual(["Vacation", "Refunds", "Returns"]);
    expect(hits[0]).toMatchObject({ semanticScore: 0.5, keywordScore: 1, score: 1 });
    expect(await titles(table, { text: "vacation" })).toEqual(["Vacation"]);
  });

  test.for<[string, string[]]>([
    ['team = "sales"', ["Refunds", "Returns"]],
    ['team != "sales"', ["Vacation"]],
    ["year >= 2025", ["Refunds", "Vacation"]],
    ["year >= 2024.5", ["Refunds", "Vacation"]],
    ["year < 99999999999", ["Refunds", "Returns", "Vacation"]],
    ["price < 2", ["Refunds"]],
    ["not price < 2", ["Returns", "Vacation"]],
    ["live = false", ["Returns"]],
    ['tags = "money"', ["Refunds", "Returns"]],
    ['tags = "policy" or team = "people"', ["Refunds", "Vacation"]],
    ['day > "2025-04-01"', ["Vacation"]],
    ['team starts with "sal" and document starts with "Ref"', ["Refunds"]],
    [`team = "sales' or true --"`, []],
    [`document = "Refunds" and tags in ("policy", "x")`, ["Refunds"]],
  ])("S30 the filter %s is SQL with bound values", async ([filter, found]) => {
    expect(await titles(await check(), { ...near, filter })).toEqual(found);
  });

  test("the collection's own filter holds for every search, and no other widens it", async () => {
    const table = await check({ filter: 'team = "sales" and year >= 2025' });
    expect(await titles(table, near)).toEqual(["Refunds"]);
    expect(await titles(table, { ...near, filter: 'team = "people" or year > 0' })).toEqual(["Refunds"]);
    expect(await titles(table, { mode: "keyword", text: "vacation" })).toEqual([]);
  });

  test("a table without vectors, a title or metadata is searched by words", async () => {
    const table = await check({
      table: "plain",
      title: null,
      url: null,
      vector: null,
      metadata: [],
    });
    expect(await search(table, { mode: "keyword", text: "words" })).toMatchObject([
      { chunkId: "row:1", content: "Only words here.", metadata: { document: "1" } },
    ]);
    expect(await failure(search(table, near))).toMatchObject({ code: "invalid_config" });
  });

  test.for<[string, Partial<TableDraft>, string]>([
    ["a table that is not there", { table: "kb.article" }, "There is no such table."],
    ["a name that is none", { table: "a.b.c" }, "The table's name cannot be read."],
    ["a column that is not there", { text: "text" }, "There is no such column. It is text."],
    [
      "a column that is no vector",
      { vector: "tags" },
      "it is not a vector, or the database lacks the extension pgvector",
    ],
    ["a column of objects", { metadata: ["details"] }, 'The column "details" holds objects'],
    ["a filter of a column that is not listed", { filter: 'link = "x"' }, 'the field "link"'],
    ["a filter that cannot be read", { filter: "team =" }, "The collection's own filter cannot be used."],
    ["a system catalog", { table: "pg_catalog.pg_authid" }, "System catalogs cannot be read."],
  ])("S15 %s is refused with what to do", async ([, change, message]) => {
    const refused = await failure(check(change));
    expect(refused).toMatchObject({ message: expect.stringContaining(message), hint: expect.stringMatching(/\w/) });
  });

  test("vectors of another model are refused, when the table is checked and when it is searched", async () => {
    const words = "The vectors of the table have 3 numbers, but the embedding model gave 2.";
    expect(await failure(check({}, [1, 0]))).toMatchObject({ code: "invalid_config", message: words });
    expect(await failure(search(await check(), { ...near, embedding: [1, 0] }))).toMatchObject({ message: words });
  });

  test("what a filter asks of a list, and of a place that a row has not, is refused", async () => {
    const table = await check();
    expect(await failure(search(table, { ...near, filter: 'tags > "a"' }))).toMatchObject({ code: "invalid_config" });
    expect(await failure(search(table, { ...near, filter: "page = 3" }))).toMatchObject({
      message: 'The table has no column for "page".',
    });
  });

  test("the search step finds rows, and steps that change documents are refused", async () => {
    const table = await check();
    const run = async (type: string, config: JsonObject) => {
      const knowledge = knowledgeStore([
        { id: "t", name: "Articles", embedding: demo, dimension: null, chunks: [], table },
      ]);
      const within = testHost({ knowledge });
      within.callFunction = host.callFunction;
      const document = buildWorkflow({
        nodes: { start: ["manual-trigger"], step: [type, { collection: "t", ...config }] },
        edges: ["start.main -> step.main"],
      });
      const { end } = await runToEnd(document, { registry: nodeRegistry, host: within, input: {} });
      return end.error ? { message: end.error.message } : end.output;
    };
    const words = { query: "refund paid", mode: "keyword", where: 'team = "sales"' };
    expect(await run("search-documents", words)).toMatchObject({
      collection: "Articles",
      results: [{ metadata: { document: "Refunds", team: "sales" } }],
    });
    expect(await run("search-documents", { query: "refund", mode: "hybrid" })).toEqual({
      message: "The vectors of the table have 3 numbers, but the embedding model gave 256.",
    });
    const onlyRead = { message: "The collection is a Postgres table, which is only read." };
    expect(await run("add-document", { name: "a", content: "b" })).toEqual(onlyRead);
    expect(await run("delete-document", { name: "a" })).toEqual(onlyRead);
  });

  test("S15 a credential that allows other tables only, and one that is not there, refuse", async () => {
    expect(await failure(check({ credential: "other" }))).toMatchObject({ code: "tool_error" });
    expect(await failure(check({ credential: "gone" }))).toMatchObject({ hint: expect.stringMatching(/\w/) });
  });
});
