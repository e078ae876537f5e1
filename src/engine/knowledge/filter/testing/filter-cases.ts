import type { JsonObject } from "../../../json.ts";

/** What documents have, by their names. */
export const filteredMetadata: Record<string, JsonObject> = {
  "a.md": { team: "sales", year: 2025, tags: ["new", "big"], draft: true, day: "2025-03-01" },
  "b.md": { team: "sales", year: 2024, tags: ["old"], draft: false, day: "2024-12-31" },
  "c.md": { team: "support", year: "2025", day: "2025-12-31" },
  "d.md": { team: 'quote " \\ and $."x" \u{1F600} ü', year: -3.5 },
  "e.md": { mark: "\u{1F600}" },
};

/** Filters, and the documents that they find; here and in the database. */
export const filterCases: [filter: string, found: string[]][] = [
  ['team = "sales"', ["a.md", "b.md"]],
  ["team = 'sales' AND year >= 2025", ["a.md"]],
  ['team == "sales" and not draft = true', ["b.md"]],
  ['team != "sales"', ["c.md", "d.md", "e.md"]],
  ['team <> "sales" and year = 2025', []],
  ['year = "2025"', ["c.md"]],
  ["year < 0", ["d.md"]],
  ["year > -4 and year < 2025", ["b.md", "d.md"]],
  ["not year > 2000", ["c.md", "d.md", "e.md"]],
  ["year in (2024, 2025)", ["a.md", "b.md"]],
  ["year not in (2024, 2025)", ["c.md", "d.md", "e.md"]],
  ['tags = "big"', ["a.md"]],
  ['tags != "big"', ["b.md", "c.md", "d.md", "e.md"]],
  ['tags starts with "o"', ["b.md"]],
  ["draft = false", ["b.md"]],
  ['day >= "2025-01-01" and day <= "2025-06-30"', ["a.md"]],
  ['team = "support" or (team = "sales" and year = 2024)', ["b.md", "c.md"]],
  ['team = "quote \\" \\\\ and $.\\"x\\" \u{1F600} ü"', ["d.md"]],
  ['mark > "\u{FFFD}"', ["e.md"]],
  ['team > "sales"', ["c.md"]],
  ['missing = "x"', []],
  ['not missing = "x"', ["a.md", "b.md", "c.md", "d.md", "e.md"]],
];
