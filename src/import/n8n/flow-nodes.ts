import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { concat } from "../expressions/concat.ts";
import { quoted } from "../expressions/piece.ts";
import { besideInput, isPath, putAt } from "./field-paths.ts";
import { parsed } from "./tool-parameters.ts";
import { isFunctionBody, missingIn, nodesReadBy, shims } from "./code-shims.ts";
import { calledWorkflow } from "./called-workflow.ts";
import { conditionTemplate } from "./conditions.ts";
import { cryptoNode } from "./crypto-node.ts";
import { withDeclared } from "./implicit-globals.ts";
import { dateNode } from "./date-node.ts";
import { httpRequest } from "./http-nodes.ts";
import { fieldNames } from "./item-code.ts";
import type { Made, Mappers } from "./made.ts";
import { mergeNode } from "./merge-node.ts";
import type { NodeWork } from "./node-work.ts";
import { switchNode } from "./switch-node.ts";
import { typedValue } from "./typed-value.ts";

const onError = (work: NodeWork): JsonObject => (work.node.onError === "continue" ? { onError: "continue" } : {});

function setFields(work: NodeWork): Made {
  const { version } = work.node;
  const lenient = work.flag(["options", "ignoreConversionErrors"]);
  const notes: string[] = [];
  const fields: JsonObject = {};
  /** Fields at paths, such as `customer.name`. */
  const within: JsonObject = {};
  const dots = work.at("options", "dotNotation") !== false;
  const set = (name: Json | undefined, value: Json) => {
    if (typeof name !== "string" || name === "") return;
    const plain = name.replace(/^=/, "");
    if (plain.includes("{{")) {
      notes.push("A field whose name is worked out was left out.");
      work.noted(plain, { ok: false, reason: "a field's name cannot be an expression" });
    } else if (dots && isPath(plain)) putAt(within, plain, value);
    else fields[plain] = value;
  };
  let from: Json = null;
  const raw = work.choice("mode", ["manual", "raw", "json"], "manual") !== "manual";
  if (version < 3) {
    for (const type of ["string", "number", "boolean"] as const)
      for (const { name, value } of work.list("values", type))
        set(name, typedValue(work, value ?? { string: "", number: 0, boolean: false }[type], type, lenient));
  } else if (raw) {
    from = rawFields(work, fields, notes);
  } else {
    for (const { name, value, type } of work.list("assignments", "assignments"))
      set(name, typedValue(work, value, String(type ?? "string"), lenient));
    for (const one of [...work.list("fields", "values"), ...work.list("fields", "field")]) {
      const type = String(one.type ?? "stringValue");
      set(one.name, typedValue(work, one[type], type, lenient));
    }
  }
  const keeps =
    version < 3
      ? !work.flag("keepOnlySet")
      : version >= 3.3
        ? work.flag("includeOtherFields")
        : work.choice("include", inclusions, "all") !== "none";
  const include = work.choice("include", inclusions, "all");
  const some = keeps && version >= 3 ? chosenFields(work, include) : undefined;
  const whole = some === undefined ? from : from === null ? `{{${some}}}` : from;
  if (some !== undefined && from !== null) notes.push("All other fields are kept, not only the chosen ones.");
  const keepInput = keeps && (some === undefined || from !== null);
  return {
    type: "set-fields",
    config: {
      fields: { ...fields, ...besideInput(within, keepInput) },
      keepInput,
      ...(whole === null ? {} : { from: whole }),
      ...onError(work),
    },
    ...(notes.length > 0 ? { outcome: "approximated", note: notes.join(" ") } : {}),
  };
}

/** The fields of the input that a choice keeps, as CEL; nothing where it keeps all. */
function chosenFields(work: NodeWork, include: string): string | undefined {
  const names = fieldNames(work.at(include === "selected" ? "includeFields" : "excludeFields"));
  const list = names.map((name) => quoted(name)).join(", ");
  if (include === "selected") return `fromEntries(entries(json).filter(x, includes([${list}], x[0])))`;
  return include === "except" && names.length > 0 ? `without(json, ${list})` : undefined;
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
export function asExpressions(value: Json): Json {
  if (typeof value === "string") return value.includes("{{") ? `=${value}` : value;
  if (Array.isArray(value)) return value.map(asExpressions);
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asExpressions(one)]))
    : value;
}

/** A JSON text with templates in it, read as JSON in which the templates stand; undefined where that is none. */
export function jsonTemplate(template: string): JsonObject | undefined {
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
  return concat(pieces);
}

function ifNode(work: NodeWork): Made {
  const { condition, problem } = conditionTemplate(work, work.at("conditions"), combinationOf(work));
  return {
    type: "if",
    config: { condition, ...onError(work) },
    output: (_kind, index) => (index === 0 ? "true" : "false"),
    ...(problem === undefined
      ? {}
      : { outcome: "approximated", note: `Its condition cannot be translated: ${problem}. Write it anew.` }),
  };
}

const inclusions = ["all", "none", "selected", "except"] as const;

/** How the conditions of older versions go together. */
function combinationOf(work: NodeWork): string {
  const ways = ["all", "any", "AND", "OR"] as const;
  return work.choice("combineOperation", ways, work.choice("combineConditions", ways, "all")).toLowerCase();
}

/** One item goes on or not; of a list, those that fit go on. */
function filter(work: NodeWork): Made {
  const made = ifNode(work);
  if (!work.getsItems) return made;
  const condition = String(made.config?.["condition"] ?? "").slice(2, -2);
  const rest = made.outcome === undefined ? {} : { outcome: made.outcome, note: made.note ?? "" };
  const inputs = { kept: `{{items(json).filter(json, ${condition})}}` };
  return { type: "code", config: { code: "return kept;", inputs, ...onError(work) }, ...rest };
}

function codeNode(work: NodeWork): Made {
  const source = String(work.at("jsCode") ?? work.at("functionCode") ?? work.at("code") ?? "");
  const python =
    work.choice("language", ["javaScript", "python", "pythonNative"], "javaScript") !== "javaScript" ||
    (work.at("jsCode") === undefined && work.at("pythonCode") !== undefined);
  if (python)
    return { outcome: "placeholder", note: "Was Python: write it in JavaScript in a code node. The source is kept." };
  const each =
    work.choice(
      "mode",
      ["runOnceForEachItem", "runOnceForAllItems"],
      work.node.type === "functionItem" ? "runOnceForEachItem" : "runOnceForAllItems",
    ) === "runOnceForEachItem";
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
export function wrappedCode(written: string, each: boolean): string {
  const source = withDeclared(written);
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
  const kinds = [
    "firstIncomingItem",
    "allIncomingItems",
    "json",
    "text",
    "noData",
    "binary",
    "redirect",
    "jwt",
  ] as const;
  const kind = work.choice("respondWith", kinds, "firstIncomingItem");
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
  const unit = work.choice(
    "unit",
    ["seconds", "minutes", "hours", "days"],
    work.node.version >= 1.1 ? "seconds" : "hours",
  );
  return { type: "wait", config: { mode: "for", amount: Math.max(0, work.number("amount") ?? 1), unit } };
}

const passes = ({ getsItems }: NodeWork): Made =>
  getsItems
    ? { type: "code", config: { code: "return json;" } }
    : { type: "set-fields", config: { fields: {}, keepInput: true } };

/** Nodes of the main flow, by n8n's names. */
export const flowNodes: Mappers = {
  set: setFields,
  editFields: setFields,
  if: ifNode,
  filter,
  switch: switchNode,
  merge: mergeNode,
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
  dateTime: dateNode,
  crypto: cryptoNode,
  executeWorkflow: calledWorkflow,
};
