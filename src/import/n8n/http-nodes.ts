import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { methodProblem } from "../http-method.ts";
import { lookup } from "../lookup.ts";
import { parsed } from "./tool-parameters.ts";
import type { Made } from "./made.ts";
import type { NodeWork } from "./node-work.ts";

/** Names and values of n8n's parameter lists. */
function pairs(work: NodeWork, list: readonly JsonObject[]): Record<string, string> {
  return Object.fromEntries(
    list.flatMap(({ name, value }) =>
      typeof name === "string" && name !== "" ? [[plainName(name), work.textOf(value)]] : [],
    ),
  );
}

/** As `pairs`; a name that stands there several times has a list of its values. */
function queryPairs(work: NodeWork, list: readonly JsonObject[]): JsonObject {
  const query: JsonObject = {};
  for (const row of list)
    for (const [name, value] of Object.entries(pairs(work, [row])))
      query[name] = Object.hasOwn(query, name) ? [query[name] ?? "", value].flat() : value;
  return query;
}

/** As `jsonPairs`; a list of plain values is one, to go out as lists do. */
function queryJson(work: NodeWork, value: Json | undefined): JsonObject | undefined {
  const written = parsed(value);
  const texts = jsonPairs(work, value);
  return (
    texts &&
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => {
        const list = isJsonObject(written) ? written[name] : undefined;
        const isPlain = Array.isArray(list) && list.every((one) => !/^=|\{\{/.test(String(one)) && !isJsonObject(one));
        return [name, isPlain ? `{{${JSON.stringify(list)}}}` : text];
      }),
    )
  );
}

/** How n8n sends lists: in brackets unless it is told otherwise. */
const listStyles: Readonly<Record<string, string>> = { repeat: "repeated" };

/** A name that is an expression cannot be one here. */
const plainName = (name: string) => name.replace(/^=/, "");

/** Names and values of a JSON text, as far as it is an object. */
function jsonPairs(work: NodeWork, value: Json | undefined): Record<string, string> | undefined {
  const object = parsed(value);
  if (!isJsonObject(object)) return undefined;
  return Object.fromEntries(Object.entries(object).map(([name, one]) => [name, work.textOf(one)]));
}

/** What a body becomes; `lost` says why it cannot be one. */
interface Body {
  config: JsonObject;
  notes?: readonly string[];
  lost?: string;
}

const twice = "Its form has a field several times, which a form here cannot have.";

/** Fields of a form; undefined where a name stands several times. */
function formOf<Value extends Json>(
  rows: readonly JsonObject[],
  value: (row: JsonObject) => Value,
): Record<string, Value> | undefined {
  const named = rows.filter(({ name }) => typeof name === "string" && name !== "");
  const names = named.map(({ name }) => plainName(String(name)));
  if (new Set(names).size < names.length) return undefined;
  return Object.fromEntries(named.map((row, index) => [names[index] ?? "", value(row)]));
}

/** A web form, from its fields. */
function webForm(work: NodeWork, rows: readonly JsonObject[]): Body {
  const form = formOf(rows, ({ value }) => work.textOf(value));
  return form ? { config: { bodyType: "form", form } } : { config: {}, lost: twice };
}

/** A form with files; every file of n8n's items is the one that comes in here, so that there can be one. */
function formWithFile(work: NodeWork, rows: readonly JsonObject[]): Body {
  const isFile = ({ parameterType }: JsonObject) => parameterType === "formBinaryData";
  if (rows.filter(isFile).length > 1) return { config: {}, lost: "Its form has several files, and one comes in here." };
  const at = String(rows.findIndex(isFile));
  const file = () => work.file("bodyParameters", "parameters", at, "inputDataFieldName");
  const parts = formOf(rows, (row) => (isFile(row) ? file() : work.template(row.value)));
  return parts ? { config: { bodyType: "multipart", parts } } : { config: {}, lost: twice };
}

/** The body of the HTTP node's first two versions. */
function oldBody(work: NodeWork): Body {
  const json = work.at("bodyParametersJson");
  const values = work.list("bodyParametersUi", "parameter");
  const type = work.word(["options", "bodyContentType"], "json");
  const sendsFile = work.flag("sendBinaryData");
  if (!sendsFile) work.drop("binaryPropertyName", "sendBinaryData is off.");
  switch (type) {
    case "form-urlencoded": {
      if (json === undefined || json === "") return webForm(work, values);
      const form = jsonPairs(work, json);
      return form === undefined
        ? { config: {}, notes: ["Its form is worked out as a whole: write its fields."] }
        : { config: { bodyType: "form", form } };
    }
    case "raw": {
      const header = work.word(["options", "bodyContentCustomMimeType"]);
      const headers: JsonObject = header === "" ? {} : { headers: { "content-type": header } };
      return { config: { body: sendsFile ? work.file("binaryPropertyName") : work.textOf(json), ...headers } };
    }
    case "multipart-form-data": {
      const files = sendsFile ? work.word("binaryPropertyName", "data").split(",") : [];
      if (json !== undefined && json !== "") return { config: {}, lost: "Its form is worked out as a whole." };
      return formWithFile(work, [
        ...values,
        ...files.map((one) => ({ name: one.split(":")[0]?.trim() ?? "", parameterType: "formBinaryData" })),
      ]);
    }
    case "json":
      if (json !== undefined && json !== "") return { config: { body: jsonBody(work, json) } };
      return { config: values.length > 0 ? { body: typedPairs(work, values) } : {} };
    default:
      return { config: {}, lost: `Its body is of a kind that is not known: ${type}.` };
  }
}

/** A body that n8n's newer or older versions describe, as fields of the request. */
function body(work: NodeWork): Body {
  if (work.node.version < 3) return oldBody(work);
  if (!work.flag("sendBody")) return { config: {} };
  const values = work.list("bodyParameters", "parameters");
  const header = work.word("rawContentType");
  const type = work.choice("contentType", contentTypes, "json");
  switch (type) {
    case "form-urlencoded": {
      if (work.choice("specifyBody", ["keypair", "string"], "keypair") === "keypair") return webForm(work, values);
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      return { config: { body: work.textOf(work.at("body")), headers } };
    }
    case "raw":
      return {
        config: {
          body: work.textOf(work.at("body")),
          ...(header === "" ? {} : { headers: { "content-type": header } }),
        },
      };
    case "multipart-form-data":
      return formWithFile(work, values);
    case "binaryData":
      return { config: { body: work.file("inputDataFieldName") } };
    case "json":
      if (work.choice("specifyBody", ["keypair", "json"], "keypair") === "json")
        return { config: { body: jsonBody(work, work.at("jsonBody")) } };
      return { config: { body: typedPairs(work, values) } };
    default:
      return type satisfies never;
  }
}

function typedPairs(work: NodeWork, list: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(
    list.flatMap(({ name, value }) =>
      typeof name === "string" && name !== "" ? [[plainName(name), work.template(value)]] : [],
    ),
  );
}

/** A JSON text as JSON where it is fixed, so that it can be read and edited; else as a template. */
function jsonBody(work: NodeWork, value: Json | undefined): Json {
  if (typeof value !== "string") return work.template(value);
  const fixed = value.startsWith("=") && value.includes("{{") ? undefined : parsed(value);
  return fixed === undefined ? work.text(value.replace(/^=\s+/, "=")) : work.template(fixed);
}

function credentialNeeds(work: NodeWork): string | undefined {
  const [credential] = work.node.credentials;
  const kind = work.word("authentication", "none");
  if (kind === "none" && !credential) return undefined;
  if (kind === "none" && work.node.version >= 2) return undefined;
  return credential ? `a credential for “${credential.name || credential.type}”` : "a credential";
}

const contentTypes = ["json", "form-urlencoded", "multipart-form-data", "raw", "binaryData"] as const;

/** The forms in which n8n keeps query, headers and body; it sends one of each, or none. */
const unsentForms = [
  { send: "sendQuery", choice: "specifyQuery", list: "queryParameters", json: "jsonQuery" },
  { send: "sendHeaders", choice: "specifyHeaders", list: "headerParameters", json: "jsonHeaders" },
  { send: "sendBody", choice: "specifyBody", list: "bodyParameters", json: "jsonBody" },
] as const;

/** Says which of the stored forms n8n does not send. */
function dropUnsent(work: NodeWork): void {
  if (work.node.version < 3) {
    work.drop("jsonParameters", "Which of its forms is used.");
    return;
  }
  for (const { send, choice, list, json } of unsentForms) {
    if (!work.flag(send)) for (const key of [choice, list, json]) work.drop(key, `${send} is off.`);
    else
      work.drop(
        work.choice(choice, ["keypair", "json"], "keypair") === "json" ? list : json,
        `${choice} says otherwise.`,
      );
  }
  if (!work.flag("sendBody"))
    for (const key of ["body", "contentType", "rawContentType", "inputDataFieldName"])
      work.drop(key, "sendBody is off.");
}

/** The method, in capitals. */
function methodOf(work: NodeWork): string {
  const names = work.node.version < 3 ? ["requestMethod", "method"] : ["method", "requestMethod"];
  const value = names.map((name) => work.at(name)).find((one) => one !== undefined && one !== "") ?? "GET";
  return String(value).replace(/^=/, "").trim().toUpperCase();
}

/** The request of n8n's HTTP node, all versions; `tool` for its form as an agent's tool. */
export function httpRequest(work: NodeWork, tool: boolean): Made {
  const old = work.node.version < 3;
  const method = methodOf(work);
  const notes: string[] = [];
  dropUnsent(work);
  const problem = methodProblem(method);
  if (problem !== undefined) return { outcome: "placeholder", note: problem };
  const query = old
    ? {
        ...queryPairs(work, work.list("queryParametersUi", "parameter")),
        ...queryJson(work, work.at("queryParametersJson")),
      }
    : work.flag("sendQuery")
      ? work.choice("specifyQuery", ["keypair", "json"], "keypair") === "json"
        ? queryJson(work, work.at("jsonQuery"))
        : queryPairs(work, work.list("queryParameters", "parameters"))
      : {};
  const headers = old
    ? {
        ...pairs(work, work.list("headerParametersUi", "parameter")),
        ...jsonPairs(work, work.at("headerParametersJson")),
      }
    : work.flag("sendHeaders")
      ? work.choice("specifyHeaders", ["keypair", "json"], "keypair") === "json"
        ? jsonPairs(work, work.at("jsonHeaders"))
        : pairs(work, work.list("headerParameters", "parameters"))
      : {};
  if (query === undefined || headers === undefined)
    notes.push("Headers or parameters that are worked out as a whole were left out.");
  const listStyle = work.choice(["options", "queryParameterArrays"], ["brackets", "repeat", "indices"], "brackets");
  const hasQuery = query !== undefined && Object.keys(query).length > 0;
  if (hasQuery && listStyle === "indices")
    notes.push("Lists in the query are sent as ids[]=1&ids[]=2, without the index in each name.");
  const made = body(work);
  if (made.lost !== undefined) return { outcome: "placeholder", note: made.lost };
  notes.push(...(made.notes ?? []));
  const full = work.flag(["options", "response", "response", "fullResponse"]) || work.flag(["options", "fullResponse"]);
  const never =
    work.flag(["options", "response", "response", "neverError"]) || work.flag(["options", "ignoreResponseCode"]);
  if (work.at("options", "pagination") !== undefined) notes.push("Only the first page is fetched.");
  if (work.at("options", "batching") !== undefined) notes.push("Batches are not kept.");
  if (
    work.word(["options", "response", "response", "responseFormat"]) === "file" ||
    work.word("responseFormat") === "file"
  ) {
    notes.push("A response that is text comes as text, anything else as a file.");
  }
  const timeout = work.number(["options", "timeout"]);
  const needs = credentialNeeds(work);
  const madeHeaders = isJsonObject(made.config.headers) ? made.config.headers : {};
  const config: JsonObject = {
    url: address(work.textOf(work.at("url"))),
    method,
    query: query ?? {},
    ...(hasQuery ? { queryLists: lookup(listStyles, listStyle) ?? "brackets" } : {}),
    ...made.config,
    headers: { ...madeHeaders, ...headers },
    ...(timeout === undefined ? {} : { timeoutMs: Math.min(120_000, Math.max(1, Math.round(timeout))) }),
    ...(tool
      ? {}
      : {
          result: full ? "full" : "body",
          ...(never ? { anyStatus: true } : {}),
          onError: work.node.onError === "continue" ? "continue" : "fail",
        }),
  };
  return {
    type: tool ? "http-request-tool" : "http-request",
    config,
    ...(notes.length > 0 ? { outcome: "approximated", note: notes.join(" ") } : {}),
    ...(needs === undefined ? {} : { needs }),
  };
}

/** An address without a scheme gets one, as n8n sends it. */
function address(url: string): string {
  const trimmed = url.trim();
  return trimmed === "" || /^(https?:|\{\{)/i.test(trimmed) ? trimmed : `https://${trimmed}`;
}
