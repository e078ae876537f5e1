import { describe, expect, it } from "vitest";
import type { PostgresTable } from "../../../engine/knowledge/postgres-table.ts";
import { rowPlace } from "./row-place.ts";
import { newTable, readTyped, typedTable } from "./typed-table.ts";
import { webAddress } from "./web-address.ts";

const demo = { provider: "demo", model: "words-256", credential: "" };
const table: PostgresTable = {
  credential: "c",
  table: "kb.articles",
  id: "id",
  text: "body",
  title: "title",
  url: null,
  vector: "embedding",
  comparison: "l2",
  dimension: 3,
  metadata: [
    { column: "team", type: "text", list: false },
    { column: "year", type: "number", list: false },
  ],
  filter: "",
  language: "german",
};

describe("a table as it is typed", () => {
  it("is read as it was stored, but for what the table itself says", () => {
    const { dimension: _dimension, ...others } = table;
    expect(readTyped(typedTable(table), demo)).toEqual({
      ok: true,
      draft: { ...others, metadata: ["team", "year"] },
      embedding: demo,
    });
  });

  it("says what is missing", () => {
    expect(readTyped({ ...newTable, id: "" }, null)).toEqual({
      ok: false,
      problems: {
        credential: "Choose the credential of the database.",
        table: "Name the table.",
        id: "Name the column that tells rows apart.",
        text: "Name the column with the text.",
      },
    });
  });

  it("needs the model of its vectors, and none without them", () => {
    expect(readTyped(typedTable(table), null)).toMatchObject({
      ok: false,
      problems: { embedding: expect.any(String) },
    });
    expect(readTyped({ ...typedTable(table), vector: "" }, demo)).toMatchObject({ ok: true, embedding: null });
  });
});

describe("a row that was found", () => {
  it("shows its metadata in words", () => {
    const place = { documentId: "1", document: "A", heading: "", position: 0, untrusted: ["x"], url: "u" };
    expect(rowPlace({ ...place, team: "sales", tags: ["a", "b"] })).toBe("team sales · tags a, b");
  });

  it("links to addresses of the web only", () => {
    expect(webAddress("https://example.com/a")).toBe("https://example.com/a");
    for (const other of ["javascript:alert(1)", "/a", "https://", 1, undefined])
      expect(webAddress(other)).toBeUndefined();
  });
});
