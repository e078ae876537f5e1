import type { Json } from "../../engine/json.ts";
import { quoted } from "../expressions/piece.ts";
import { choiceIn } from "../parameters.ts";
import { withDeclared } from "./implicit-globals.ts";
import { fieldNames, itemCode } from "./item-code.ts";
import type { Made, Mappers } from "./made.ts";
import type { NodeWork } from "./node-work.ts";
import { summarizeNode } from "./summarize-node.ts";

/** A path of names as CEL below `json`; null where it is missing. */
export function below(path: string, root = "json"): string {
  const names = path.split(".").filter((name) => name !== "");
  return `${names.reduce((code, name) => `${code}[?${quoted(name)}]`, root)}.orValue(null)`;
}

/** A list in each item becomes items: a loop over it where nothing else is asked for, else code. */
function splitOut(work: NodeWork): Made {
  const fields = fieldNames(work.at("fieldToSplitOut") ?? work.at("fieldsToSplitOut"));
  const [field = ""] = fields;
  const include = work.choice("include", ["noOtherFields", "allOtherFields", "selectedOtherFields"], "noOtherFields");
  const names = fieldNames(work.at("options", "destinationFieldName"));
  const dots = !work.flag(["options", "disableDotNotation"]);
  if (field === "" && fields.length === 0) {
    return { type: "for-each", config: { items: "{{items(json)}}", concurrency: 1 }, output: eachItem };
  }
  return itemCode(splitCode, {
    fields,
    names,
    others:
      include === "allOtherFields"
        ? "all"
        : include === "selectedOtherFields"
          ? fieldNames(work.at("fieldsToInclude"))
          : [],
    dots,
  });
}

const eachItem = () => "main";

const splitCode = `const read = (one, field) => (dots ? at(one, field) : one[field]);
const drop = (one, [name, ...rest]) => {
  const { [name]: inner, ...others } = one;
  return rest.length > 0 && inner && typeof inner === "object" && !Array.isArray(inner) ? { ...others, [name]: drop(inner, rest) } : others;
};
const put = (name, field, part) => (name === undefined || !dots ? { [name ?? field]: part } : name.split(".").reduceRight((inner, key) => ({ [key]: inner }), part));
const partsOf = (value) => (value === undefined ? [] : value === null || typeof value !== "object" ? [value] : Object.values(value));
return list.flatMap((one) => {
  const made = [];
  for (const [place, field] of fields.entries()) {
    for (const [index, part] of partsOf(read(one, field)).entries()) {
      const whole = fields.length === 1 && !names[place] && others.length === 0 && part !== null && typeof part === "object";
      made[index] = { ...made[index], ...(whole ? part : put(names[place], field, part)) };
    }
  }
  const rest = others === "all"
    ? fields.reduce((left, field) => drop(left, dots && !(field in one) ? field.split(".") : [field]), one)
    : Object.fromEntries(others.map((field) => [field, read(one, field) ?? null]));
  return made.map((part) => ({ ...rest, ...part }));
});`;

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
  const by = fieldNames(work.at("options", "groupByFields"));
  const whole =
    work.choice("aggregate", ["aggregateIndividualFields", "aggregateAllItemData"], "aggregateIndividualFields") ===
    "aggregateAllItemData";
  const include = work.choice("include", ["allFields", "specifiedFields", "allFieldsExcept"], "allFields");
  const name = work.word("destinationFieldName", "data");
  if (by.length === 0 && whole && include === "allFields")
    return { type: "set-fields", config: { fields: { [name]: "{{items(json)}}" }, keepInput: false } };
  const fields = work
    .list("fieldsToAggregate", "fieldToAggregate")
    .map(({ fieldToAggregate, renameField, outputFieldName }) => {
      const from = fieldNames(fieldToAggregate)[0] ?? "";
      const own = renameField === true && typeof outputFieldName === "string" ? outputFieldName : "";
      const plain = work.flag(["options", "disableDotNotation"]) ? from : (from.split(".").at(-1) ?? from);
      return { from, name: own || plain };
    })
    .filter(({ from }) => from !== "");
  const keepsMissing = work.flag(["options", "keepMissing"]);
  const opens = work.flag(["options", "mergeLists"]);
  if (by.length === 0 && !whole && !work.flag(["options", "disableDotNotation"])) {
    const values = fields.map(({ from, name: field }): [string, Json] => {
      const all = `items(json).map(x, ${below(from, "x")})`;
      const kept = keepsMissing ? all : `${all}.filter(x, !isNothing(x))`;
      return [field, `{{${opens ? `flatten(${kept})` : kept}}}`];
    });
    return { type: "set-fields", config: { fields: Object.fromEntries(values), keepInput: false } };
  }
  return itemCode(aggregateCode, {
    by,
    whole,
    name,
    include,
    chosen: fieldNames(work.at(include === "specifiedFields" ? "fieldsToInclude" : "fieldsToExclude")),
    fields,
    keepsMissing,
    opens,
    dots: !work.flag(["options", "disableDotNotation"]),
  });
}

const aggregateCode = `const read = (one, field) => (dots ? at(one, field) : one[field]);
const part = (one) => (include === "allFields" ? one : Object.fromEntries(Object.entries(one).filter(([key]) => chosen.includes(key) === (include === "specifiedFields"))));
const values = (rows, from) => {
  const all = rows.map((one) => read(one, from) ?? null).filter((one) => keepsMissing || one !== null);
  return opens ? all.flat() : all;
};
const sum = (rows) => (whole ? { [name]: rows.map(part) } : Object.fromEntries(fields.map((one) => [one.name, values(rows, one.from)])));
if (by.length === 0) return sum(list);
const groups = new Map();
for (const one of list) {
  const key = keyed(by.map((field) => read(one, field) ?? null));
  groups.set(key, [...(groups.get(key) ?? []), one]);
}
return [...groups.values()].map((rows) => ({ ...Object.fromEntries(by.map((field) => [field, read(rows[0], field) ?? null])), ...sum(rows) }));`;

function sort(work: NodeWork): Made {
  const type = work.choice("type", ["simple", "random", "code"], "simple");
  if (type === "random") {
    return itemCode("return list.map((one) => [Math.random(), one]).sort(([a], [b]) => a - b).map(([, one]) => one);");
  }
  if (type === "code") {
    const source = withDeclared(String(work.at("code") ?? "return 0;"));
    return itemCode(
      `const compare = (a, b) => {\n${source}\n};\nreturn list.map((json) => ({ json })).sort(compare).map((one) => one.json);`,
    );
  }
  const fields = work.list("sortFieldsUi", "sortField").map((row) => ({
    field: String(row.fieldName ?? ""),
    turn: choiceIn(row, "order", ["ascending", "descending"], "ascending") === "descending" ? -1 : 1,
  }));
  return itemCode(
    `const read = (one, field) => {
  const value = dots ? at(one, field) : one[field];
  return typeof value === "string" ? value.toLowerCase() : value;
};
return list.slice().sort((a, b) => {
  for (const { field, turn } of fields) {
    const [x, y] = [read(a, field), read(b, field)];
    if (x < y) return -turn;
    if (x > y) return turn;
  }
  return 0;
});`,
    { fields: fields as unknown as Json, dots: !work.flag(["options", "disableDotNotation"]) },
  );
}

function removeDuplicates(work: NodeWork): Made {
  const compare = work.choice("compare", ["allFields", "allFieldsExcept", "selectedFields"], "allFields");
  const operations = [
    "removeDuplicateInputItems",
    "removeItemsSeenInPreviousExecutions",
    "clearDeduplicationHistory",
  ] as const;
  const before = work.choice("operation", operations, "removeDuplicateInputItems") !== "removeDuplicateInputItems";
  return {
    ...itemCode(
      `const read = (one, field) => (dots ? at(one, field) : one[field]);
const kept = (one) => compare === "selectedFields"
  ? fields.map((field) => read(one, field))
  : Object.fromEntries(Object.entries(one).filter(([key]) => compare === "allFields" || !fields.includes(key)));
const seen = new Set();
const first = list.filter((one) => {
  const key = keyed(kept(one));
  return !seen.has(key) && Boolean(seen.add(key));
});
if (!onlyFields || compare === "allFields") return first;
return compare === "allFieldsExcept" ? first.map(kept) : first.map((one) => Object.fromEntries(fields.map((field) => [field, read(one, field) ?? null])));`,
      {
        compare,
        fields: fieldNames(work.at(compare === "allFieldsExcept" ? "fieldsToExclude" : "fieldsToCompare")),
        dots: !work.flag(["options", "disableDotNotation"]),
        onlyFields: work.flag(["options", "removeOtherFields"]),
      },
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
  return itemCode(
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
      return summarizeNode(work);
    default:
      return { note: "Use a code node over the list." };
  }
}

function limit(work: NodeWork): Made {
  const most = Math.max(1, Math.round(work.number("maxItems") ?? 1));
  const fromEnd = work.choice("keep", ["firstItems", "lastItems"], "firstItems") === "lastItems";
  if (most === 1) return itemCode(`return list[${fromEnd ? "list.length - 1" : "0"}] ?? null;`);
  return itemCode(`return list.slice(${fromEnd ? `-${most}` : `0, ${most}`});`);
}

function html(work: NodeWork): Made {
  switch (work.word("operation", "generateHtmlTemplate")) {
    case "generateHtmlTemplate":
      return { type: "set-fields", config: { fields: { html: work.textOf(work.at("html")) }, keepInput: false } };
    case "convertToHtmlTable":
      return itemCode(tableCode, { caption: work.word(["options", "caption"]) });
    default:
      return {
        outcome: "placeholder",
        note: "Nothing here reads values out of HTML by selectors. Read them with a code node, or let an agent extract them.",
      };
  }
}

const tableCode = `const safe = (value) => String(value !== null && typeof value === "object" ? JSON.stringify(value) : (value ?? "")).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const names = [...new Set(list.flatMap((one) => Object.keys(one)))];
const row = (cells, tag) => "<tr>" + cells.map((cell) => "<" + tag + ">" + safe(cell) + "</" + tag + ">").join("") + "</tr>";
const rows = list.map((one) => row(names.map((name) => one[name]), "td")).join("");
return { table: "<table>" + (caption ? "<caption>" + safe(caption) + "</caption>" : "") + "<thead>" + row(names, "th") + "</thead><tbody>" + rows + "</tbody></table>" };`;

function markdown(work: NodeWork): Made {
  const name = work.word("destinationKey", "data");
  const source = work.at(
    work.choice("mode", ["htmlToMarkdown", "markdownToHtml"], "htmlToMarkdown") === "htmlToMarkdown"
      ? "html"
      : "markdown",
  );
  const text = work.textOf(source);
  return {
    type: "set-fields",
    config: { fields: { [name]: text }, keepInput: true },
    outcome: "approximated",
    note: "The text is passed on as it is: models read HTML and Markdown alike.",
  };
}

const passes = (): Made => ({ type: "set-fields", config: { fields: {}, keepInput: true } });

/** Nodes that work on lists of items, by n8n's names. */
export const listNodes: Mappers = {
  splitOut,
  splitInBatches,
  aggregate,
  summarize: summarizeNode,
  sort,
  limit,
  removeDuplicates,
  renameKeys,
  itemLists,
  html,
  markdown,
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
