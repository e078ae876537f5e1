import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import type { Made } from "./made.ts";
import { choiceIn } from "../parameters.ts";
import { fieldNames, itemCode } from "./item-code.ts";
import type { NodeWork } from "./node-work.ts";

/** n8n's Merge of all versions: a merge of ours brings its inputs, and code puts their items together. */
export function mergeNode(work: NodeWork): Made {
  const mode = work.choice("mode", modes, "append");
  if (mode === "combineBySql")
    return { outcome: "placeholder", note: "Joins by SQL are not possible: put the items together in a code node." };
  if (mode === "append" && !work.getsItems) return { type: "merge", config: { mode: "all", combine: "list" } };
  const how = howOf(work, mode);
  if (how === "position" && !work.getsItems && work.at("options") === undefined)
    return { type: "merge", config: { mode: "all", combine: "object" } };
  return {
    ...itemCode(
      `const [first = [], second = []] = json.map((one) => (Array.isArray(one) ? one : one === null ? [] : [one]));\n${pairCode}\n${ways[how]}`,
      settingsOf(work, mode),
    ),
    joins: true,
  };
}

/** Of all versions. */
const modes = [
  "append",
  "combine",
  "combineBySql",
  "chooseBranch",
  "passThrough",
  "wait",
  "multiplex",
  "mergeByIndex",
  "mergeByKey",
  "keepKeyMatches",
  "removeKeyMatches",
  "inner",
] as const;

type How = "append" | "choose" | "position" | "all" | "fields";

function howOf(work: NodeWork, mode: string): How {
  if (mode === "append") return "append";
  if (["chooseBranch", "passThrough", "wait"].includes(mode)) return "choose";
  const ways = [
    "combineByFields",
    "combineByPosition",
    "combineAll",
    "mergeByFields",
    "mergeByPosition",
    "multiplex",
  ] as const;
  const by = work.choice("combineBy", ways, work.choice("combinationMode", ways, "combineByFields"));
  if (mode === "mergeByIndex" || by === "combineByPosition" || by === "mergeByPosition") return "position";
  if (mode === "multiplex" || by === "combineAll" || by === "multiplex") return "all";
  return "fields";
}

function settingsOf(work: NodeWork, mode: string): JsonObject {
  const clash = objectAt(work.at("options", "clashHandling", "values"));
  const old = mode === "mergeByKey" || mode === "keepKeyMatches" || mode === "removeKeyMatches";
  const joins: Readonly<Record<string, string>> = {
    mergeByKey: "enrichInput1",
    keepKeyMatches: "keepMatches",
    removeKeyMatches: "keepNonMatches",
    inner: "enrichBoth",
  };
  const join = old
    ? (joins[mode] ?? mode)
    : work.choice(
        "joinMode",
        ["keepMatches", "keepNonMatches", "keepEverything", "enrichInput1", "enrichInput2"],
        "keepMatches",
      );
  const indexJoin = work.choice("join", ["left", "inner", "outer"], "left");
  return {
    pairs: old ? [{ field1: work.word("propertyName1"), field2: work.word("propertyName2") }] : pairsOf(work),
    join,
    from: old
      ? mode === "mergeByKey"
        ? "both"
        : "input1"
      : work.choice("outputDataFrom", ["both", "input1", "input2"], "both"),
    chosen: chosenOf(work, mode),
    clash: choiceIn(clash, "resolveClash", ["", "preferInput1", "preferInput2", "preferLast", "addSuffix"], ""),
    shallow: choiceIn(clash, "mergeMode", ["deepMerge", "shallowMerge"], "deepMerge") === "shallowMerge",
    keepsFull: clash.overrideEmpty === true,
    unpaired: work.flag(["options", "includeUnpaired"]) || (mode === "mergeByIndex" && indexJoin === "outer"),
    firstOnly: work.choice(["options", "multipleMatches"], ["all", "first"], "all") === "first" || old,
    dots: work.at("options", "disableDotNotation") !== true,
    fuzzy: work.flag(["options", "fuzzyCompare"]),
  };
}

function chosenOf(work: NodeWork, mode: string): string {
  const output = work.word("output") || (work.word("chooseBranchMode") === "" ? "" : "specifiedInput");
  if (mode === "wait" || output === "empty") return "empty";
  const index = work.number("useDataOfInput");
  return output === "input2" || index === 2 ? "input2" : "input1";
}

function pairsOf(work: NodeWork): Json {
  const pairs = [...work.list("mergeByFields", "values"), ...work.list("fieldsToMatch", "values")];
  if (pairs.length > 0)
    return pairs.map(({ field1, field2 }) => ({ field1: String(field1 ?? ""), field2: String(field2 ?? "") }));
  return fieldNames(work.at("fieldsToMatchString")).map((name) => ({ field1: name, field2: name }));
}

const objectAt = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** What the ways share: which items belong together, and how two become one. */
const pairCode = `const read = (one, path) => (dots ? at(one, path) : one[path]);
const blank = (value) => value === undefined || value === null || value === "";
const alike = (a, b) => {
  if (same(a, b)) return true;
  if (!fuzzy) return false;
  if (blank(a) || blank(b)) return blank(a) && blank(b);
  return typeof a !== "object" && typeof b !== "object" && String(a) === String(b);
};
const isPlain = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const over = (under, above) => {
  const result = { ...under };
  for (const [key, value] of Object.entries(above)) {
    if (value === undefined || (keepsFull && blank(value) && key in result)) continue;
    result[key] = !shallow && isPlain(result[key]) && isPlain(value) ? over(result[key], value) : value;
  }
  return result;
};
const suffixed = (one, number) => Object.fromEntries(Object.entries(one).map(([key, value]) => [key + "_" + number, value]));
const joined = (a, b, usual) => {
  if (clash === "addSuffix") return { ...suffixed(a, 1), ...suffixed(b, 2) };
  return (clash || usual) === "preferInput1" ? over(b, a) : over(a, b);
};`;

const ways: Readonly<Record<How, string>> = {
  append: `return json.flatMap((one) => (Array.isArray(one) ? one : one === null ? [] : [one]));`,
  choose: `return chosen === "empty" ? {} : chosen === "input2" ? second : first;`,
  position: `if (first.length === 0 || second.length === 0) return [...first, ...second];
const length = unpaired ? Math.max(first.length, second.length) : Math.min(first.length, second.length);
return Array.from({ length }, (_, index) => {
  const [a, b] = [first[index], second[index]];
  if (clash === "addSuffix") return { ...(a ? suffixed(a, 1) : {}), ...(b ? suffixed(b, 2) : {}) };
  return a && b ? joined(a, b, "preferInput2") : (a ?? b);
});`,
  all: `if (first.length === 0 || second.length === 0) return [...first, ...second];
if (clash === "preferInput1") return second.flatMap((b) => first.map((a) => joined(a, b)));
return first.flatMap((a) => second.map((b) => joined(a, b, "preferInput2")));`,
  fields: `if (first.length === 0 || second.length === 0) {
  if (join === "keepMatches" || (join === "enrichInput1" && first.length === 0) || (join === "enrichInput2" && second.length === 0)) return [];
  if (join === "keepNonMatches" && ((from === "input1" && first.length === 0) || (from === "input2" && second.length === 0))) return [];
  return [...first, ...second];
}
const matched = [], alone = [], used = new Set(), kept = [];
for (const a of first) {
  const known = pairs.every(({ field1 }) => read(a, field1) !== undefined);
  const fits = (b) => pairs.every(({ field1, field2 }) => alike(read(a, field1), read(b, field2)));
  const found = known ? second.flatMap((b, index) => (fits(b) ? [index] : [])) : [];
  const taken = firstOnly ? found.slice(0, 1) : found;
  if (taken.length === 0) alone.push(a);
  else kept.push(a);
  for (const index of taken) { used.add(index); matched.push([a, second[index]]); }
}
const alone2 = second.filter((_, index) => !used.has(index));
const own = (list, number) => (clash === "addSuffix" ? list.map((one) => suffixed(one, number)) : list);
const pairsMade = matched.map(([a, b]) => joined(a, b, join === "enrichInput2" ? "preferInput1" : "preferInput2"));
switch (join) {
  case "keepNonMatches":
    if (from === "input1") return alone;
    if (from === "input2") return alone2;
    return [...alone.map((one) => ({ ...one, _source: "input1" })), ...alone2.map((one) => ({ ...one, _source: "input2" }))];
  case "enrichInput1": return [...pairsMade, ...own(alone, 1)];
  case "enrichInput2": return [...pairsMade, ...own(alone2, 2)];
  default: {
    const both = from === "input1" ? kept : from === "input2" ? second.filter((_, index) => used.has(index)) : pairsMade;
    return join === "keepEverything" ? [...both, ...own(alone, 1), ...own(alone2, 2)] : both;
  }
}`,
};
