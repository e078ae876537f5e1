import type { Json, JsonObject } from "../../engine/json.ts";
import { quoted } from "../expressions/piece.ts";
import type { Made, Mappers } from "./made.ts";
import type { NodeWork } from "./node-work.ts";

/** A path of names as CEL below `json`; null where it is missing. */
export function below(path: string, root = "json"): string {
  const names = path.split(".").filter((name) => name !== "");
  return `${names.reduce((code, name) => `${code}[?${quoted(name)}]`, root)}.orValue(null)`;
}

function splitOut(work: NodeWork): Made {
  const field = (work.word("fieldToSplitOut") || work.word("fieldsToSplitOut")).split(",")[0]?.trim() ?? "";
  return {
    type: "for-each",
    config: {
      items: field === "" ? "{{items(json)}}" : `{{items(${below(field.replace(/^\$json\./, ""))})}}`,
      concurrency: 1,
    },
    output: () => "main",
    note: "What follows runs once per item; results go on behind the loop.",
  };
}

/** n8n's version 3 has the end of the loop first, the older ones the loop. */
function splitInBatches(work: NodeWork): Made {
  const done = work.node.version >= 3 ? 0 : 1;
  const size = work.number("batchSize") ?? (work.node.version >= 3 ? 1 : 10);
  const reset = work.at("options", "reset");
  const notes = [
    ...(size > 1 ? [`Each turn gets a list of ${size} items.`] : []),
    ...(reset === undefined || reset === null || reset === false || reset === ""
      ? []
      : [
          "n8n starts it anew with what comes back (reset); here the input's items get one turn each. Use a “Repeat until” where more comes up on the way.",
        ]),
  ];
  return {
    type: "for-each",
    config: { items: size > 1 ? `{{chunk(items(json), ${Math.round(size)})}}` : "{{items(json)}}", concurrency: 1 },
    output: (_kind, index) => (index === done ? "done" : "main"),
    ...(notes.length > 0 ? { outcome: "approximated", note: notes.join(" ") } : {}),
  };
}

function aggregate(work: NodeWork): Made {
  if (work.word("aggregate") === "aggregateAllItemData") {
    const name = work.word("destinationFieldName", "data");
    return { type: "set-fields", config: { fields: { [name]: "{{items(json)}}" }, keepInput: false } };
  }
  const fields: JsonObject = {};
  for (const { fieldToAggregate, renameField, outputFieldName } of work.list("fieldsToAggregate", "fieldToAggregate")) {
    const from = String(fieldToAggregate ?? "").replace(/^=/, "");
    if (from === "") continue;
    const name =
      renameField === true && typeof outputFieldName === "string" ? outputFieldName : (from.split(".").at(-1) ?? from);
    fields[name] = `{{items(json).map(x, ${below(from, "x")})}}`;
  }
  return { type: "set-fields", config: { fields, keepInput: false } };
}

/** JavaScript over the list of items. */
function overItems(code: string, inputs: JsonObject = {}): Made {
  return {
    type: "code",
    config: {
      code: `const list = Array.isArray(json) ? json : json === null ? [] : [json];\nconst at = (one, path) => path.split(".").reduce((value, key) => (value === null || value === undefined ? undefined : value[key]), one);\n${code}`,
      ...(Object.keys(inputs).length > 0 ? { inputs } : {}),
    },
  };
}

function summarize(work: NodeWork): Made {
  const sums = work.list("fieldsToSummarize", "values").map((one) => ({
    field: String(one.field ?? ""),
    how: String(one.aggregation ?? "count"),
    separator: String(one.customSeparator ?? one.separateBy ?? ", "),
  }));
  const groups = work
    .word("fieldsToSplitBy")
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
  return overItems(
    `const value = (rows, { field, how, separator }) => {
  const all = rows.map((one) => at(one, field)).filter((one) => one !== undefined && one !== null);
  switch (how) {
    case "sum": return all.reduce((sum, one) => sum + Number(one), 0);
    case "average": return all.length ? all.reduce((sum, one) => sum + Number(one), 0) / all.length : null;
    case "min": return all.length ? Math.min(...all.map(Number)) : null;
    case "max": return all.length ? Math.max(...all.map(Number)) : null;
    case "countUnique": return new Set(all.map((one) => JSON.stringify(one))).size;
    case "append": return all;
    case "concatenate": return all.join(separator);
    default: return all.length;
  }
};
const names = { sum: "sum", average: "average", min: "min", max: "max", count: "count", countUnique: "unique_count", append: "appended", concatenate: "concatenated" };
const groups = new Map();
for (const one of list) {
  const key = JSON.stringify(by.map((field) => at(one, field)));
  groups.set(key, [...(groups.get(key) ?? []), one]);
}
const result = [...groups.values()].map((rows) => Object.fromEntries([
  ...by.map((field) => [field, at(rows[0], field) ?? null]),
  ...sums.map((sum) => [(names[sum.how] ?? sum.how) + "_" + sum.field.replaceAll(".", "_"), value(rows, sum)]),
]));
return by.length > 0 ? result : (result[0] ?? {});`,
    { sums: sums as unknown as Json, by: groups },
  );
}

function sort(work: NodeWork): Made {
  const fields = work
    .list("sortFieldsUi", "sortField")
    .map(({ fieldName, order }) => ({ field: String(fieldName ?? ""), turn: order === "descending" ? -1 : 1 }));
  return overItems(
    `return list.slice().sort((a, b) => {
  for (const { field, turn } of fields) {
    const [x, y] = [at(a, field), at(b, field)];
    if (x === y) continue;
    return turn * (x === undefined || x < y ? -1 : 1);
  }
  return 0;
});`,
    { fields: fields as unknown as Json },
  );
}

function removeDuplicates(work: NodeWork): Made {
  const fields = work
    .word("fieldsToCompare")
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
  const before = work.word("operation").includes("Previous") || work.word("operation").includes("History");
  return {
    ...overItems(
      `const seen = new Set();
return list.filter((one) => {
  const key = JSON.stringify(fields.length > 0 ? fields.map((field) => at(one, field)) : one);
  return !seen.has(key) && Boolean(seen.add(key));
});`,
      { fields },
    ),
    ...(before
      ? { outcome: "approximated" as const, note: "Compares the items of this run only, not with earlier runs." }
      : {}),
  };
}

function renameKeys(work: NodeWork): Made {
  const keys = work
    .list("keys", "key")
    .map(({ currentKey, newKey }) => [String(currentKey ?? ""), String(newKey ?? "")]);
  return overItems(
    `const result = list.map((one) => Object.fromEntries(Object.entries(one).map(([key, value]) => [(keys.find(([from]) => from === key) ?? [key, key])[1], value])));
return Array.isArray(json) ? result : (result[0] ?? {});`,
    { keys },
  );
}

function itemLists(work: NodeWork): Made {
  switch (work.word("operation", "splitOutItems")) {
    case "splitOutItems":
      return splitOut(work);
    case "concatenateItems":
    case "aggregateItems":
      return aggregate(work);
    case "limit":
      return limit(work);
    case "sort":
      return sort(work);
    case "removeDuplicates":
      return removeDuplicates(work);
    case "summarize":
      return summarize(work);
    default:
      return { note: "Use a code node over the list." };
  }
}

function limit(work: NodeWork): Made {
  const most = Math.max(1, Math.round(work.number("maxItems") ?? 1));
  const end = work.word("keep", "firstItems") === "lastItems";
  return overItems(`return list.slice(${end ? `-${most}` : `0, ${most}`});`);
}

function html(work: NodeWork): Made {
  if (work.word("operation", "generateHtmlTemplate") === "generateHtmlTemplate") {
    return { type: "set-fields", config: { fields: { html: work.textOf(work.at("html")) }, keepInput: false } };
  }
  return { note: "Read the values with a code node or let an agent extract them." };
}

function markdown(work: NodeWork): Made {
  const name = work.word("destinationKey", "data");
  const source = work.at(work.word("mode", "htmlToMarkdown") === "htmlToMarkdown" ? "html" : "markdown");
  const text = work.textOf(source);
  return {
    type: "set-fields",
    config: { fields: { [name]: text }, keepInput: true },
    outcome: "approximated",
    note: "The text is passed on as it is: models read HTML and Markdown alike.",
  };
}

const csv = `const text = typeof json === "string" ? json : String((json && (json.data ?? json.body)) ?? "");
const rows = []; let row = [""]; let quoted = false;
for (let at = 0; at < text.length; at += 1) {
  const one = text[at];
  if (quoted) { if (one === '"' && text[at + 1] === '"') { row[row.length - 1] += '"'; at += 1; } else if (one === '"') quoted = false; else row[row.length - 1] += one; }
  else if (one === '"') quoted = true;
  else if (one === ",") row.push("");
  else if (one === "\\n") { rows.push(row); row = [""]; }
  else if (one !== "\\r") row[row.length - 1] += one;
}
if (row.length > 1 || row[0] !== "") rows.push(row);
const [names = [], ...values] = rows;
return values.map((one) => Object.fromEntries(names.map((name, index) => [name, one[index] ?? ""])));`;

/** Files come as text, or parsed where they are JSON. */
function fromFile(work: NodeWork): Made {
  const operation = work.word("operation", "csv");
  const note = "A file comes as text here, in what the node before it gives.";
  if (operation === "csv") return { type: "code", config: { code: csv }, outcome: "approximated", note };
  if (["text", "json", "fromJson", "html", "xml"].includes(operation))
    return { ...passes(), outcome: "approximated", note };
  return {
    outcome: "placeholder",
    note: "Put the document into a collection on the Knowledge page, which reads PDF, CSV and text.",
  };
}

function toFile(work: NodeWork): Made {
  const operation = work.word("operation", "csv");
  if (operation === "toJson")
    return {
      type: "set-fields",
      config: { fields: { data: "{{toJson(json)}}" }, keepInput: false },
      outcome: "approximated",
      note: "Gives the text instead of a file.",
    };
  if (["toText", "html", "rtf"].includes(operation))
    return { ...passes(), outcome: "approximated", note: "Gives the text instead of a file." };
  return { outcome: "placeholder", note: "Give the data as text or JSON; files are not made here." };
}

const passes = (): Made => ({ type: "set-fields", config: { fields: {}, keepInput: true } });

/** Nodes that work on lists of items, by n8n's names. */
export const listNodes: Mappers = {
  splitOut,
  splitInBatches,
  aggregate,
  summarize,
  sort,
  limit,
  removeDuplicates,
  renameKeys,
  itemLists,
  html,
  markdown,
  extractFromFile: fromFile,
  convertToFile: toFile,
  moveBinaryData: () => ({
    ...passes(),
    outcome: "approximated",
    note: "Data and files are the same here: text or JSON.",
  }),
  executionData: () => ({
    ...passes(),
    outcome: "approximated",
    note: "Runs are found by what they did; nothing is noted with them.",
  }),
  form: (work) =>
    work.word("operation") === "completion"
      ? { ...passes(), outcome: "approximated", note: "There are no forms: what the run gives is its answer." }
      : {
          outcome: "placeholder",
          note: "A run cannot show a second form: ask for everything at its start, or in a chat.",
        },
};

/** Whether a list goes into the node's loop. */
export function isLoop(made: Made): boolean {
  return made.type === "for-each";
}
