import { describe, expect, it } from "vitest";
import { isFiltered, noSearch, readSearch, toFilter, writeSearch } from "./run-filter.ts";

describe("filters of the run list", () => {
  it("go through the address unchanged, and leave out what is empty", () => {
    const search = { ...noSearch, status: "failed", text: "invoice 7", tests: "with", from: "2026-01-05" };
    expect(readSearch(new URLSearchParams(writeSearch(search)))).toEqual(search);
    expect(writeSearch(noSearch)).toEqual({});
    expect(isFiltered(noSearch)).toBe(false);
    expect(isFiltered(search)).toBe(true);
  });

  it("take nothing from an address that they do not know", () => {
    expect(readSearch(new URLSearchParams("status=toString&tests=toString&from=yesterday&to=2026-1-1"))).toEqual(
      noSearch,
    );
  });

  it("become whole days of this place for the database, the last one included", () => {
    const filter = toFilter({ ...noSearch, from: "2026-01-31", to: "2026-01-31", status: "interrupted" });
    expect(filter).toEqual({
      statuses: ["interrupted"],
      trials: false,
      from: new Date(2026, 0, 31).toISOString(),
      to: new Date(2026, 1, 1).toISOString(),
    });
    expect(toFilter({ ...noSearch, text: "  ", workflow: "w" })).toEqual({ workflowId: "w", trials: false });
    expect(toFilter({ ...noSearch, tests: "only" })).toEqual({ trials: true });
    expect(toFilter({ ...noSearch, tests: "with" })).toEqual({});
  });
});
