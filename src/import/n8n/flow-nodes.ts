import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { asArgument, NoExpression, piece, quoted } from "../expressions/piece.ts";
import { attempt } from "../expressions/translate.ts";
import { parsed } from "./tool-parameters.ts";
import { isFunctionBody, missingIn, nodesReadBy, shims } from "./code-shims.ts";
import { conditionOf, conditionTemplate } from "./conditions.ts";
import { httpRequest } from "./http-nodes.ts";
import type { Made, Mappers } from "./made.ts";
import type { NodeWork } from "./node-work.ts";

const onError = (work: NodeWork): JsonObject => (work.node.onError === "continue" ? { onError: "continue" } : {});

/** Puts a value at a path of names such as `a.b.c` into an object. */
function put(fields: JsonObject, path: string, value: Json): void {
  const names = path
    .split(".")
    .filter((name) => name !== "" && !["__proto__", "constructor", "prototype"].includes(name));
  const [first, ...rest] = names;
  if (first === undefined) return;
  if (rest.length === 0) {
    fields[first] = value;
    return;
  }
  const inner = fields[first];
  const object = isJsonObject(inner) ? inner : {};
  fields[first] = object;
  put(object, rest.join("."), value);
}

/** A fixed text as the type that the field has. */
function typed(work: NodeWork, value: Json | undefined, type: string): Json {
  if (typeof value === "string" && !value.startsWith("=")) {
    if (type === "number" || type === "numberValue")
      return value.trim() === "" || Number.isNaN(Number(value)) ? value : Number(value);
    if (type === "boolean" || type === "booleanValue") return value === "true";
    if (["array", "object", "arrayValue", "objectValue"].includes(type)) {
      const inner = parsed(value);
      return inner === undefined ? work.template(value) : work.template(inner);
    }
  }
  return work.template(value);
}

function setFields(work: NodeWork): Made {
  const { version } = work.node;
  const notes: string[] = [];
  const fields: JsonObject = {};
  const dots = work.at("options", "dotNotation") !== false;
  const set = (name: Json | undefined, value: Json) => {
    if (typeof name !== "string" || name === "") return;
    const plain = name.replace(/^=/, "");
    if (plain.includes("{{")) {
      notes.push("A field whose name is worked out was left out.");
      work.noted(plain, { ok: false, reason: "a field's name cannot be an expression" });
    } else if (dots) put(fields, plain, value);
    else fields[plain] = value;
  };
  let from: Json = null;
  const raw = work.word("mode", "manual") === "raw" || work.word("mode") === "json";
  if (version < 3) {
    for (const type of ["string", "number", "boolean"])
      for (const { name, value } of work.list("values", type)) set(name, typed(work, value, type));
  } else if (raw) {
    from = rawFields(work, fields, notes);
  } else {
    for (const { name, value, type } of work.list("assignments", "assignments"))
      set(name, typed(work, value, String(type ?? "string")));
    for (const one of [...work.list("fields", "values"), ...work.list("fields", "field")]) {
      const type = String(one.type ?? "stringValue");
      set(one.name, typed(work, one[type], type));
    }
  }
  const keeps =
    version < 3
      ? !work.flag("keepOnlySet")
      : version >= 3.3
        ? work.flag("includeOtherFields")
        : work.word("include", "all") !== "none";
  const include = work.word("include", "all");
  if (keeps && version >= 3 && (include === "selected" || include === "except"))
    notes.push("All other fields are kept, not only the chosen ones.");
  return {
    type: "set-fields",
    config: { fields, keepInput: keeps, ...(from === null ? {} : { from }), ...onError(work) },
    ...(notes.length > 0 ? { outcome: "approximated", note: notes.join(" ") } : {}),
  };
}

/** The JSON text of the node's raw mode: as fields where it can be read, else as the object that an expression gives. */
function rawFields(work: NodeWork, fields: JsonObject, notes: string[]): Json {
  const source = work.at("jsonOutput");
  if (isJsonObject(source)) {
    Object.assign(fields, work.template(source));
    return null;
  }
  const text = typeof source === "string" ? source : "{}";
  const fixed = parsed(text);
  if (isJsonObject(fixed)) {
    Object.assign(fields, work.isExpression(text) ? work.template(asExpressions(fixed)) : fixed);
    return null;
  }
  const only = /^=\s*\{\{[^]*\}\}\s*$/.test(text) ? work.text(text.trim()) : undefined;
  if (only !== undefined && only.indexOf("{{", 2) === -1) {
    const cel = only.slice(2, -2);
    return `{{typeName(${cel}) == "string" ? dyn(maybe(parseJson(${cel}))) : ${cel}}}`;
  }
  const template = only ?? work.text(text);
  if (!template.includes("{{")) {
    notes.push("Its JSON cannot be read.");
    return null;
  }
  const json = jsonTemplate(template);
  if (json) {
    Object.assign(fields, json);
    return null;
  }
  notes.push("Its JSON is put together from pieces; check the result.");
  return `{{parseJson(${concatOf(template)})}}`;
}

/** Texts within a JSON that stands in an expression are expressions themselves. */
function asExpressions(value: Json): Json {
  if (typeof value === "string") return value.includes("{{") ? `=${value}` : value;
  if (Array.isArray(value)) return value.map(asExpressions);
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asExpressions(one)]))
    : value;
}

/** A JSON text with templates in it, read as JSON in which the templates stand; undefined where that is none. */
function jsonTemplate(template: string): JsonObject | undefined {
  const held: string[] = [];
  const marked = template.replace(
    /\{\{((?:"(?:[^"\\]|\\.)*"|(?!\}\})[^"])*)\}\}/g,
    (whole) => `\uE000${held.push(whole) - 1}\uE001`,
  );
  const quotedText = marked.replace(/"(?:[^"\\]|\\.)*"|\uE000\d+\uE001/g, (part) =>
    part.startsWith("\uE000") ? `"${part}"` : part,
  );
  const value = parsed(quotedText);
  const restore = (one: Json): Json => {
    if (typeof one === "string")
      return one.replace(/\uE000(\d+)\uE001/g, (_, index: string) => held[Number(index)] ?? "");
    if (Array.isArray(one)) return one.map(restore);
    return isJsonObject(one)
      ? Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, restore(inner)]))
      : one;
  };
  const restored = value === undefined ? undefined : restore(value);
  return isJsonObject(restored) ? restored : undefined;
}

/** A template as one expression that gives its text. */
function concatOf(template: string): string {
  const parts = template.split(/(\{\{(?:"(?:[^"\\]|\\.)*"|(?!\}\})[^"])*\}\})/).filter((part) => part !== "");
  const pieces = parts.map((part) => (part.startsWith("{{") ? `text(${part.slice(2, -2)})` : quoted(part)));
  return `concat(${pieces.slice(0, 15).join(", ")})`;
}

function ifNode(work: NodeWork): Made {
  const { condition, problem } = conditionTemplate(work, work.at("conditions"), work.word("combineOperation", "all"));
  return {
    type: "if",
    config: { condition, ...onError(work) },
    output: (_kind, index) => (index === 0 ? "true" : "false"),
    ...(problem === undefined
      ? {}
      : { outcome: "approximated", note: `Its condition cannot be translated: ${problem}. Write it anew.` }),
  };
}

function filter(work: NodeWork): Made {
  const made = ifNode(work);
  return { ...made, output: (_kind, index) => (index === 0 ? "true" : "false") };
}

const mostCases = 6;

function switchNode(work: NodeWork): Made {
  const rules = work.list("rules", "values").length > 0 ? work.list("rules", "values") : work.list("rules", "rules");
  const made = work.word("mode", "rules") === "expression" ? byExpression(work) : byRules(work, rules);
  const count = made.count;
  const fallback = work.number(["options", "fallbackOutput"]) ?? work.number("fallbackOutput");
  return {
    type: "switch",
    config: { value: made.value, cases: made.cases.slice(0, mostCases), ...onError(work) },
    output: (_kind, index) => (index < Math.min(count, mostCases) ? `case${index + 1}` : "default"),
    ...(made.note !== undefined || count > mostCases || fallback !== undefined
      ? {
          outcome: "approximated",
          note:
            made.note ??
            (count > mostCases
              ? `A switch has ${mostCases} cases; the other ${count - mostCases} leave by "Otherwise".`
              : "What fits no case leaves by “Otherwise”."),
        }
      : {}),
  };
}

interface Cases {
  value: string;
  cases: Json[];
  count: number;
  note?: string;
}

function byExpression(work: NodeWork): Cases {
  const count = work.number("numberOutputs") ?? work.number("outputsAmount") ?? 4;
  return { value: work.textOf(work.at("output")), cases: Array.from({ length: count }, (_, index) => index), count };
}

/** What a rule is called there, or else the text that it compares with, or its number. */
function nameOfRule(rule: JsonObject, index: number): string {
  const [only, ...others] =
    isJsonObject(rule.conditions) && Array.isArray(rule.conditions.conditions) ? rule.conditions.conditions : [];
  const compared = others.length === 0 && isJsonObject(only) ? only.rightValue : rule.value2;
  const names = [rule.outputKey, compared].map((name) => (typeof name === "string" ? name.trim() : ""));
  return names.find((name) => name !== "" && name.length <= longestName && !/^=|\{\{/.test(name)) ?? String(index + 1);
}

/** Characters of a rule's name, which stands on the card and in the expression. */
const longestName = 60;

/** Each rule's condition in turn, as the name of the first that holds. */
function byRules(work: NodeWork, rules: readonly JsonObject[]): Cases {
  const given = rules.map(nameOfRule);
  const names = new Set(given).size === given.length ? given : given.map((_, index) => String(index + 1));
  const made = attempt(() => {
    const tests = rules.map((rule) => {
      if (isJsonObject(rule.conditions)) return conditionOf(work, rule.conditions, "all");
      const left = work.at("value1");
      const type = work.word("dataType", "number");
      const condition = { value1: left ?? "", value2: rule.value2 ?? "", operation: rule.operation ?? "equal" };
      return conditionOf(work, { [type]: [condition] }, "all");
    });
    const code = tests.reduceRight((rest, test, index) => `(${test} ? ${quoted(names[index] ?? "")} : ${rest})`, '""');
    return piece("string", code);
  });
  if (made.ok) return { value: `{{${made.cel}}}`, cases: names, count: rules.length };
  return {
    value: '{{""}}',
    cases: names,
    count: rules.length,
    note: `Its rules cannot be translated: ${made.reason}. Write them anew.`,
  };
}

function merge(work: NodeWork): Made {
  const mode = work.word("mode", "append");
  const combineBy = work.word("combineBy") || work.word("combinationMode") || "combineByFields";
  if (mode === "chooseBranch" || mode === "passThrough" || mode === "wait") {
    return {
      type: "merge",
      config: { mode: "all", combine: "list" },
      outcome: "approximated",
      note: "Gives the values of all branches as a list instead of the chosen one.",
    };
  }
  if (mode === "append") return { type: "merge", config: { mode: "all", combine: "list" } };
  const byPosition =
    combineBy === "combineByPosition" ||
    combineBy === "mergeByPosition" ||
    mode === "mergeByIndex" ||
    mode === "multiplex";
  return {
    type: "merge",
    config: { mode: "all", combine: "object" },
    ...(byPosition
      ? {}
      : {
          outcome: "approximated",
          note: "Puts the fields of the branches into one object; items are not matched by a key.",
        }),
  };
}

function codeNode(work: NodeWork): Made {
  const source = String(work.at("jsCode") ?? work.at("functionCode") ?? work.at("code") ?? "");
  const python =
    work.word("language", "javaScript").startsWith("python") ||
    (work.at("jsCode") === undefined && work.at("pythonCode") !== undefined);
  if (python)
    return { outcome: "placeholder", note: "Was Python: write it in JavaScript in a code node. The source is kept." };
  const each =
    work.word("mode", work.node.type === "functionItem" ? "runOnceForEachItem" : "runOnceForAllItems") ===
    "runOnceForEachItem";
  const missing = missingIn(source);
  const valid = isFunctionBody(source);
  const notes = [
    ...(valid ? [] : ["The code cannot be read and will fail."]),
    ...(missing.length > 0 ? [`The sandbox has no ${missing.join(", no ")}.`] : []),
  ];
  return {
    type: "code",
    config: { code: wrappedCode(source, each), ...nodeVariables(work, source), ...onError(work) },
    ...(notes.length > 0 ? { outcome: "approximated", note: notes.join(" ") } : {}),
  };
}

/** n8n's code within the shims; items come back as plain values. */
export function wrappedCode(source: string, each: boolean): string {
  const body = each
    ? `return $result(await Promise.all(items.map(async (one) => { const $json = one.json; const item = one.json; return await (async function () {\n${source}\n}).call({}); })));`
    : `const $json = items[0] && items[0].json; const item = items[0];\nreturn $result(await (async function () {\n${source}\n}).call({}));`;
  return `${shims}\n${body}`;
}

/** The outputs of the nodes that code reads, as its variable `nodes`. */
export function nodeVariables(work: NodeWork, source: string): JsonObject {
  const entries = nodesReadBy(source).flatMap((name) => {
    const path = work.pathOf(name);
    return path === undefined ? [] : [[name, `{{maybe(${path})}}`] as const];
  });
  return entries.length === 0 ? {} : { inputs: { nodes: Object.fromEntries(entries) } };
}

function stop(work: NodeWork): Made {
  const message = work.at("errorMessage") ?? work.at("errorObject") ?? "Stopped by the workflow.";
  return { type: "stop", config: { message: work.textOf(message) } };
}

function respondNode(work: NodeWork): Made {
  const kind = work.word("respondWith", "firstIncomingItem");
  const body = work.at("responseBody");
  const status = work.number(["options", "responseCode"]) ?? 200;
  const headers = Object.fromEntries(
    work
      .list("options", "responseHeaders", "entries")
      .flatMap(({ name, value }) => (typeof name === "string" ? [[name, work.textOf(value)]] : [])),
  );
  const made = (): JsonObject => {
    switch (kind) {
      case "json": {
        const fixed = typeof body === "string" && !work.isExpression(body) ? parsed(body) : undefined;
        return {
          bodyType: "json",
          json:
            fixed ??
            (typeof body === "string"
              ? (jsonTemplate(work.text(body)) ?? work.text(body.trim()))
              : work.template(body)),
        };
      }
      case "text":
        return { bodyType: "text", text: work.textOf(body) };
      case "noData":
        return { bodyType: "none" };
      default:
        return { bodyType: "input" };
    }
  };
  const odd = ["binary", "redirect", "jwt"].includes(kind);
  return {
    type: "respond",
    config: { status: Math.min(599, Math.max(200, Math.round(status))), headers, ...made() },
    ...(odd
      ? { outcome: "approximated", note: `An answer of the kind ${kind} is not possible; it sends the input as JSON.` }
      : {}),
  };
}

function wait(work: NodeWork): Made {
  const resume = work.word("resume", "timeInterval");
  if (resume === "specificTime") {
    return { type: "wait", config: { mode: "until", until: work.textOf(work.at("dateTime")) } };
  }
  if (resume !== "timeInterval")
    return {
      type: "set-fields",
      config: {},
      outcome: "approximated",
      note: "Waiting for a call or a form is not possible; it goes on at once.",
    };
  const unit = work.word("unit", work.node.version >= 1.1 ? "seconds" : "hours");
  const known = ["seconds", "minutes", "hours", "days"].includes(unit) ? unit : "seconds";
  return { type: "wait", config: { mode: "for", amount: Math.max(0, work.number("amount") ?? 1), unit: known } };
}

function dateTime(work: NodeWork): Made {
  const action = work.word("operation") || work.word("action", "format");
  const value = work.at("date") ?? work.at("value") ?? work.at("magnitude") ?? "={{ $now }}";
  const name =
    work.word("outputFieldName") ||
    work.word("dataPropertyName") ||
    (action === "formatDate" ? "formattedDate" : action === "getCurrentDate" ? "currentDate" : "newDate");
  const pattern = work.word("customFormat") || work.word("format", "yyyy-MM-dd");
  const format = pattern === "custom" ? work.word("customFormat", "yyyy-MM-dd") : pattern;
  const made = attempt(() => {
    const date = () => asArgument(work.operand(value));
    switch (action) {
      case "getCurrentDate":
        return piece("string", work.at("includeTime") === false ? 'iso(startOf(now, "day"))' : "iso(now)");
      case "format":
      case "formatDate":
        return piece("string", `formatDate(${date()}, ${quoted(format)})`);
      case "addToDate":
      case "subtractFromDate":
      case "calculate": {
        const amount = asArgument(work.operand(work.at("duration") ?? 0));
        const back = action === "subtractFromDate" || work.word("operation") === "subtract";
        return piece(
          "string",
          `iso(shiftDate(${date()}, ${back ? "-number" : "number"}(${amount}), ${quoted(work.word("timeUnit", "days"))}))`,
        );
      }
      case "roundDate":
        return piece("string", `iso(startOf(${date()}, ${quoted(work.word("toNearest", "month"))}))`);
      case "extractDate":
        return piece("number", `datePart(${date()}, ${quoted(work.word("part", "month"))})`);
      case "getTimeBetweenDates": {
        const units = work.at("units");
        const unit = Array.isArray(units) ? String(units[0] ?? "days") : "days";
        return piece(
          "number",
          `dateDiff(${asArgument(work.operand(work.at("startDate")))}, ${asArgument(work.operand(work.at("endDate")))}, ${quoted(unit)})`,
        );
      }
      default:
        throw new NoExpression(`the action ${action}`);
    }
  });
  if (!made.ok) return { note: `Use a set-fields node with formatDate, shiftDate or date (${made.reason}).` };
  return { type: "set-fields", config: { fields: { [name]: `{{${made.cel}}}` }, keepInput: true } };
}

const passes = (): Made => ({ type: "set-fields", config: { fields: {}, keepInput: true } });

/** Nodes of the main flow, by n8n's names. */
export const flowNodes: Mappers = {
  set: setFields,
  editFields: setFields,
  if: ifNode,
  filter,
  switch: switchNode,
  merge,
  code: codeNode,
  function: codeNode,
  functionItem: codeNode,
  aiTransform: codeNode,
  httpRequest: (work) => httpRequest(work, false),
  noOp: passes,
  wait,
  stopAndError: stop,
  respondToWebhook: respondNode,
  respondToChat: (work) => ({
    type: "set-fields",
    config: { fields: { response: work.template(work.at("message")) }, keepInput: true },
    outcome: "approximated",
    note: 'The chat shows the end of the run; this message is its "response".',
  }),
  dateTime,
};
