import type { Json } from "../../engine/json.ts";
import { choiceIn } from "../parameters.ts";
import { fieldNames, itemCode } from "./item-code.ts";
import type { Made } from "./made.ts";
import type { NodeWork } from "./node-work.ts";

const figures = ["append", "average", "concatenate", "count", "countUnique", "max", "min", "sum"] as const;

/** n8n's Summarize: figures of all items, or of each group of them. */
export function summarizeNode(work: NodeWork): Made {
  const sums = work.list("fieldsToSummarize", "values").map((one) => ({
    field: String(one.field ?? ""),
    how: choiceIn(one, "aggregation", figures, "count"),
    separator: one.separateBy === "other" ? String(one.customSeparator ?? "") : String(one.separateBy ?? ","),
    empty: one.includeEmpty === true,
  }));
  return itemCode(summaryCode, {
    sums: sums as unknown as Json,
    by: fieldNames(work.at("fieldsToSplitBy")),
    dots: !work.flag(["options", "disableDotNotation"]),
    // The node's first version made texts of what it groups by.
    texts: work.node.type === "itemLists" || work.node.version < 1.1,
    skipEmpty: work.flag(["options", "skipEmptySplitFields"]),
    nested: work.choice(["options", "outputFormat"], ["separateItems", "singleItem"], "separateItems") === "singleItem",
    strict:
      work.node.type === "summarize" && work.node.version < 1.1 && !work.flag(["options", "continueIfFieldNotFound"]),
  });
}

const summaryCode = `const read = (one, field) => (dots ? at(one, field) : one[field]);
const blank = (value) => value === undefined || value === null || value === "";
const named = (text) => text.replace(/[\\]["]/g, "").replace(/[ .]/g, "_");
const least = (values, better) => values.filter((one) => !blank(one)).reduce((best, one) => (best === undefined || better(one, best) ? one : best), undefined) ?? null;
const figure = (rows, { field, how, separator, empty }) => {
  const all = rows.map((one) => read(one, field));
  const full = empty ? all : all.filter((one) => !blank(one));
  const numbers = all.filter((one) => typeof one === "number");
  switch (how) {
    case "sum": return numbers.reduce((sum, one) => sum + one, 0);
    case "average": return numbers.length === 0 ? null : numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
    case "min": return least(all, (one, best) => one < best);
    case "max": return least(all, (one, best) => one > best);
    case "countUnique": return new Set(full).size;
    case "append": return full.map((one) => one ?? null);
    case "concatenate": return full.map((one) => (typeof one === "object" ? JSON.stringify(one) : String(one))).join(separator);
    default: return full.length;
  }
};
if (strict) for (const { field } of sums)
  if (field !== "" && !list.some((one) => read(one, field) !== undefined)) throw new Error("The field '" + field + "' does not exist in any items");
const names = { countUnique: "unique_count", append: "appended", concatenate: "concatenated" };
const figures = (rows) => Object.fromEntries(sums.map((sum) => [named((names[sum.how] ?? sum.how) + "_" + sum.field), figure(rows, sum)]));
const groups = (rows, [field, ...rest]) => {
  if (field === undefined) return nested ? figures(rows) : [figures(rows)];
  const found = new Map();
  for (const one of rows) {
    let value = read(one, field);
    if (value && typeof value === "object") value = JSON.stringify(value);
    if (texts) value = String(value);
    if (skipEmpty && typeof value !== "number" && !value) continue;
    found.set(value, [...(found.get(value) ?? []), one]);
  }
  if (nested) return Object.fromEntries([...found].map(([value, some]) => [value, groups(some, rest)]));
  return [...found].flatMap(([value, some]) => groups(some, rest).map((one) => ({ ...one, ...(value === undefined ? {} : { [named(field)]: value }) })));
};
const result = groups(list, by);
return by.length > 0 || nested ? result : result[0];`;
