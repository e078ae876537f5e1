import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../engine/json.ts";
import { nodeRegistry } from "../../../nodes/index.ts";
import { readImported } from "../../testing/read-imported.ts";

const read = (type: string, typeVersion: number, parameters: JsonObject) =>
  readImported(
    {
      nodes: [
        { name: "Start", type: "n8n-nodes-base.manualTrigger", typeVersion: 1, position: [0, 0], parameters: {} },
        { name: "It", type: `n8n-nodes-base.${type}`, typeVersion, position: [200, 0], parameters },
      ],
      connections: { Start: { main: [[{ node: "It", type: "main", index: 0 }]] } },
    },
    nodeRegistry,
  ).node("It");

const sheet = {
  documentId: { __rl: true, mode: "id", value: "D1" },
  sheetName: { __rl: true, mode: "list", value: "gid=7", cachedResultName: "S1" },
};
const sheets = (parameters: JsonObject) => read("googleSheets", 4.5, parameters);
const clear = (parameters: JsonObject) => sheets({ operation: "clear", ...sheet, ...parameters });
const remove = (parameters: JsonObject) => sheets({ operation: "delete", ...sheet, ...parameters });
const postgres = (parameters: JsonObject) => read("postgres", 2.5, { table: "t", ...parameters });

describe("cells that Google Sheets clears", () => {
  it.each<[string, JsonObject]>([
    ["no range", { clear: "specificRange" }],
    ["an empty range", { clear: "specificRange", range: "" }],
    ["an empty expression", { clear: "specificRange", range: "=" }],
    ["blanks", { clear: "specificRange", range: "  " }],
    ["a way that is not known", { clear: "everythingElse" }],
    ["a way that is worked out", { clear: "={{ $json.how }}" }],
    ["rows from zero", { clear: "specificRows", startIndex: 0 }],
    ["rows without a number", { clear: "specificRows", startIndex: "abc" }],
    ["a negative count", { clear: "specificRows", rowsToDelete: -2 }],
    ["a column that is no letter", { clear: "specificColumns", startIndex: "5" }],
    ["no sheet and no range", { clear: "wholeSheet", sheetName: null }],
  ])("are not all of them for %s", (_, parameters) => {
    expect(clear(parameters)).toMatchObject({ type: "placeholder" });
  });

  it.each<[JsonObject, string]>([
    [{}, "'S1'"],
    [{ keepFirstRow: true }, "'S1'!A2%3AZZZ"],
    [{ clear: "specificRange", range: "B2:C3" }, "'S1'!B2%3AC3"],
    [{ clear: "specificRows", startIndex: 3, rowsToDelete: 2 }, "'S1'!3%3A4"],
    [{ clear: "specificColumns", startIndex: "Z", columnsToDelete: 2 }, "'S1'!Z%3AAA"],
  ])("are those of %j", (parameters, range) => {
    const url = decodeURIComponent(String(clear(parameters)?.config.url));
    expect(url).toBe(`https://sheets.googleapis.com/v4/spreadsheets/D1/values/${decodeURIComponent(range)}:clear`);
  });
});

describe("rows that Google Sheets deletes", () => {
  it.each<[JsonObject]>([
    [{ startIndex: "abc" }],
    [{ startIndex: "={{ $json.row }}a" }],
    [{ startIndex: "={{ $json.a }}{{ $json.b }}" }],
    [{ startIndex: 0 }],
    [{ startIndex: 1.5 }],
    [{ numberToDelete: "many" }],
    [{ numberToDelete: 0 }],
    [{ numberToDelete: "={{ $json.n }} rows" }],
    [{ toDelete: "={{ $json.what }}" }],
    [{ toDelete: "columns", startIndex: "={{ $json.c }}" }],
    [{ sheetName: { __rl: true, mode: "name", value: "2024" } }],
  ])("are not told by %j", (parameters) => {
    expect(remove(parameters)).toMatchObject({ type: "placeholder" });
  });

  it.each<[JsonObject, Json, Json]>([
    [{}, 1, 2],
    [{ startIndex: "=5" }, 4, 5],
    [{ startIndex: "5", numberToDelete: "2" }, 4, 6],
    [{ startIndex: 3, numberToDelete: "={{ $json.n }}" }, 2, "{{2 + [int(number(json.?n))].filter(one, one >= 1)[0]}}"],
    [
      { startIndex: "={{ $json.row }}" },
      "{{[int(number(json.?row))].filter(one, one >= 1)[0] - 1}}",
      "{{[int(number(json.?row))].filter(one, one >= 1)[0] - 1 + 1}}",
    ],
    [{ toDelete: "columns", startIndex: "AB" }, 27, 28],
  ])("are those of %j", (parameters, startIndex, endIndex) => {
    expect(remove(parameters)?.config.body).toMatchObject({
      requests: [{ deleteDimension: { range: { sheetId: 7, startIndex, endIndex } } }],
    });
  });
});

describe("rows that Postgres deletes", () => {
  const where = (condition: string) => ({ where: { values: [{ column: "a", condition, value: "x" }] } });

  it.each<[JsonObject]>([
    [where("NOT LIKE")],
    [where("constructor")],
    [where("={{ $json.how }}")],
    [{ ...where("equal"), combineConditions: "XOR" }],
    [{ ...where("equal"), deleteCommand: "drop" }],
    [{ ...where("equal"), deleteCommand: "truncate" }],
    [{ ...where("equal"), deleteCommand: "={{ $json.how }}" }],
    [{}],
  ])("are not told by %j", (parameters) => {
    expect(postgres({ operation: "deleteTable", ...parameters })).toMatchObject({ type: "placeholder" });
  });

  it("are those that its conditions find", () => {
    const made = (parameters: JsonObject) => postgres({ operation: "deleteTable", ...parameters })?.config.where;
    expect(made({ ...where("LIKE"), deleteCommand: "delete" })).toEqual([
      { column: "a", operator: "like", value: "x" },
    ]);
    expect(made(where("IS NULL"))).toEqual([{ column: "a", operator: "is null" }]);
  });

  it.each<[string, boolean]>([
    ["select * from t where kind = 'a;b';", true],
    ["-- all\nSELECT 1", true],
    ["/* a */ show all", true],
    ["with a as (select 1) select * from a", true],
    ["explain select 1", true],
    ["-- add\nINSERT INTO t VALUES (1)", false],
    ["CREATE TABLE u (a int)", false],
    ["select 1; delete from t", false],
    ["with a as (delete from t returning *) select * from a", false],
    ["explain analyze delete from t", false],
    ["={{ $json.sql }}", false],
  ])("know whether %j only reads", (query, readOnly) => {
    expect(postgres({ operation: "executeQuery", query })?.config).toMatchObject({ readOnly });
  });
});
