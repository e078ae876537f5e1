import { expect, it } from "vitest";
import { templates } from "../templates/index.ts";
import { templateCategories } from "../templates/workflow-template.ts";
import { findTemplates } from "./find-templates.ts";

const ids = (search: string, category: Parameters<typeof findTemplates>[2] = null) =>
  findTemplates(templates, search, category).map(({ id }) => id);

it("finds templates by every word of what they say, within a category", () => {
  expect(ids("")).toHaveLength(templates.length);
  expect(ids(" JSON   schema ")).toEqual(["extract-json"]);
  expect(ids("agent", "data")).toEqual(["enrich-list", "weekly-report"]);
  expect(ids("nothing like it")).toEqual([]);
});

it("has at least twelve templates besides the empty one, none without a category, no id twice", () => {
  const full = templates.filter((template) => Object.keys(template.build("d").nodes).length > 0);
  expect(full.length).toBeGreaterThanOrEqual(12);
  expect(new Set(templates.map(({ id }) => id)).size).toBe(templates.length);
  for (const category of templateCategories) expect(ids("", category)).not.toEqual([]);
});
