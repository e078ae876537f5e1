import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../engine/json.ts";
import { queryRows, type RowQuery, unknownColumn } from "./query-rows.ts";

const rows: JsonObject[] = [
  { city: "Oslo", amount: "10", when: "2026-01-02" },
  { city: "Bergen", amount: "9.5", when: "2026-01-01", customer: { name: "Ann" } },
  { city: "Oslo", amount: "", when: "2026-01-03" },
  { city: "Oslo", amount: "0.1", when: "2026-01-04" },
];
const query = (asked: Partial<RowQuery>): RowQuery => ({
  where: [],
  group_by: [],
  aggregates: [],
  columns: [],
  sort: [],
  skip: 0,
  limit: 50,
  ...asked,
});
const found = (asked: Partial<RowQuery>, column = "when") =>
  queryRows(rows, query(asked)).rows.map((row) => row[column]);

describe("a query of rows", () => {
  it("keeps those for which all conditions hold, and compares numbers as numbers", () => {
    expect(found({ where: [{ column: "amount", is: "greater", value: 9 }] }, "city")).toEqual(["Oslo", "Bergen"]);
    expect(found({ where: [{ column: "amount", is: "at_most", value: "9.50" }] }, "city")).toEqual(["Bergen", "Oslo"]);
    expect(found({ where: [{ column: "when", is: "less", value: "2026-01-02" }] }, "city")).toEqual(["Bergen"]);
    expect(found({ where: [{ column: "city", is: "contains", value: "OS" }] }).length).toBe(3);
    expect(found({ where: [{ column: "amount", is: "empty" }] })).toEqual(["2026-01-03"]);
    expect(found({ where: [{ column: "amount", is: "not_empty" }] }).length).toBe(3);
    expect(found({ where: [{ column: "city", is: "not_equals", value: "Oslo" }] })).toEqual(["2026-01-01"]);
    expect(found({ where: [{ column: "customer.name", is: "equals", value: "Ann" }] }, "city")).toEqual(["Bergen"]);
    const both: RowQuery["where"] = [
      { column: "city", is: "equals", value: "Oslo" },
      { column: "amount", is: "at_least", value: 1 },
    ];
    expect(found({ where: both })).toEqual(["2026-01-02"]);
  });

  it("sorts, with empty cells last, chooses columns and pages", () => {
    expect(found({ sort: [{ column: "amount" }] }, "amount")).toEqual(["0.1", "9.5", "10", ""]);
    expect(found({ sort: [{ column: "amount", descending: true }] }, "amount")).toEqual(["10", "9.5", "0.1", ""]);
    expect(queryRows(rows, query({ columns: ["city"], skip: 1, limit: 2 }))).toEqual({
      columns: ["city"],
      rows: [{ city: "Bergen" }, { city: "Oslo" }],
      matched: 4,
    });
  });

  it("groups, and calculates of each group or of all", () => {
    const aggregates: RowQuery["aggregates"] = [
      { of: "count" },
      { of: "sum", column: "amount" },
      { of: "avg", column: "amount" },
      { of: "min", column: "when" },
    ];
    expect(queryRows(rows, query({ group_by: ["city"], aggregates, sort: [{ column: "count" }] })).rows).toEqual([
      { city: "Bergen", count: 1, sum_amount: 9.5, avg_amount: 9.5, min_when: "2026-01-01" },
      { city: "Oslo", count: 3, sum_amount: 10.1, avg_amount: 5.05, min_when: "2026-01-02" },
    ]);
    expect(queryRows(rows, query({ aggregates: [{ of: "max", column: "amount" }] })).rows).toEqual([
      { max_amount: "10" },
    ]);
    expect(queryRows([], query({ aggregates: [{ of: "count" }, { of: "avg", column: "x" }] })).rows).toEqual([
      { count: 0, avg_x: null },
    ]);
  });

  const mixed: JsonObject[] = ["b", "10", "9a", "1a", 9, "a", "1e999", "2"].map((value) => ({ value }));
  const valuesOf = (asked: Partial<RowQuery>) => queryRows(mixed, query(asked)).rows.map(({ value }) => value);

  it("puts numbers before texts, in one order whatever the order of the rows", () => {
    const sorted = ["2", 9, "10", "1a", "1e999", "9a", "a", "b"];
    expect(valuesOf({ sort: [{ column: "value" }] })).toEqual(sorted);
    const turned = queryRows(mixed.toReversed(), query({ sort: [{ column: "value" }] }));
    expect(turned.rows.map(({ value }) => value)).toEqual(sorted);
    expect(valuesOf({ sort: [{ column: "value", descending: true }] })).toEqual(sorted.toReversed());
  });

  it("finds less and greater only among cells of the same kind", () => {
    expect(valuesOf({ where: [{ column: "value", is: "greater", value: 5 }] })).toEqual(["10", 9]);
    expect(valuesOf({ where: [{ column: "value", is: "at_most", value: "9a" }] })).toEqual(["9a", "1a", "1e999"]);
  });

  it("calculates of the numbers, and says how many cells were none", () => {
    const aggregates: RowQuery["aggregates"] = (["sum", "avg", "min", "max", "count"] as const).map((of) => ({
      of,
      column: "value",
    }));
    expect(queryRows(mixed, query({ aggregates })).rows).toEqual([
      { sum_value: 21, avg_value: 7, min_value: "2", max_value: "10", count_value: 8, ignored_value: 5 },
    ]);
    expect(queryRows(mixed, query({ aggregates, columns: ["sum_value"] }))).toMatchObject({
      columns: ["sum_value", "ignored_value"],
      rows: [{ sum_value: 21, ignored_value: 5 }],
    });
    expect(queryRows(mixed, query({ aggregates, columns: ["min_value"] })).columns).toEqual(["min_value"]);
    const words = mixed.filter(({ value }) => value === "a" || value === "b");
    expect(queryRows(words, query({ aggregates })).rows).toEqual([
      { sum_value: 0, avg_value: null, min_value: "a", max_value: "b", count_value: 2, ignored_value: 2 },
    ]);
    expect(unknownColumn(mixed, query({ aggregates, sort: [{ column: "ignored_value" }] }))).toBeUndefined();
  });

  it("tells ids apart that are too long for a number, or written in another way", () => {
    const ids: JsonObject[] = ["9007199254740993", "9007199254740992", "007", "7"].map((id) => ({ id }));
    const same = (value: string | number) =>
      queryRows(ids, query({ where: [{ column: "id", is: "equals", value }] })).rows.map(({ id }) => id);
    expect(same("9007199254740993")).toEqual(["9007199254740993"]);
    expect(same("7")).toEqual(["7"]);
    expect(same(7)).toEqual(["007", "7"]);
    const others = queryRows(ids, query({ where: [{ column: "id", is: "not_equals", value: "9007199254740992" }] }));
    expect(others.matched).toBe(3);
    const sorted = queryRows(ids, query({ sort: [{ column: "id", descending: true }] })).rows;
    expect(sorted[0]).toEqual({ id: "9007199254740993" });
    const [sum] = queryRows(ids, query({ aggregates: [{ of: "sum", column: "id" }] })).rows;
    expect(sum).toEqual({ sum_id: 14, ignored_id: 2 });
  });

  it("names a column that no row has", () => {
    expect(unknownColumn(rows, query({ columns: ["town"] }))).toBe("town");
    expect(unknownColumn(rows, query({ where: [{ column: "customer.name", is: "empty" }] }))).toBeUndefined();
    expect(unknownColumn(rows, query({ group_by: ["city"], sort: [{ column: "amount" }] }))).toBe("amount");
    expect(
      unknownColumn(rows, query({ group_by: ["city"], aggregates: [{ of: "count" }], sort: [{ column: "count" }] })),
    ).toBeUndefined();
  });
});
