import { describe, expect, it } from "vitest";
import { changeText, differs, rowChangesOf } from "./row-changes.ts";

const before = [{ id: 1, name: "Ann", status: "open" }];
const after = [{ id: 1, name: "Ann", status: "paid" }];
const of = (value: unknown) => {
  const found = rowChangesOf(value);
  if (!found) throw new Error("There are no changes.");
  return found;
};

describe("rows before and after", () => {
  it("are joined where a key says which is which; what differs comes first", () => {
    const found = of({ table: "orders", before, after, paired: true, affectedRows: 1, truncated: false });
    expect(found.columns).toEqual(["id", "status", "name"]);
    expect(found.changes).toEqual([{ before: before[0], after: after[0] }]);
    expect(found.columns.filter((column) => differs(found.changes[0] ?? {}, column))).toEqual(["status"]);
    expect(changeText(found)).toBe("1 row of orders would change");
  });

  it("stand one after the other without a key", () => {
    expect(of({ before, after, paired: false, affectedRows: 1 }).changes).toEqual([
      { before: before[0] },
      { after: after[0] },
    ]);
  });

  it("are added or deleted where one side is empty", () => {
    expect(changeText(of({ before: [], after, affectedRows: 12, truncated: true }))).toBe("12 rows would be added");
    expect(changeText(of({ before, after: [], affectedRows: 1, table: "t" }))).toBe("1 row of t would be deleted");
    expect(changeText(of({ before: [], after: [], affectedRows: 2 }))).toBe("2 rows would change");
    expect(changeText(of({ before: [], after: [], affectedRows: 0 }))).toBe("No row would change");
  });

  it("are told from any other value", () => {
    for (const value of [null, "x", [], { before }, { before, after }, { before: 1, after: 2, affectedRows: 1 }])
      expect(rowChangesOf(value)).toBeNull();
  });
});
