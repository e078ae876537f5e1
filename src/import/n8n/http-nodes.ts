import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { lookup } from "../lookup.ts";
import { parsed } from "./tool-parameters.ts";
import type { Made } from "./made.ts";
import type { NodeWork } from "./node-work.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"];

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

const filesStay = "The file is not taken over: choose it as the body, or under Form with files.";

/** A body that n8n's newer or older versions describe, as fields of the request. */
function body(work: NodeWork): { config: JsonObject; notes: string[] } {
  const old = work.node.version < 3;
  if (old) {
    const json = work.at("bodyParametersJson");
    const values = work.list("bodyParametersUi", "parameter");
    const type = work.word(["options", "bodyContentType"], "json");
    if (type === "form-urlencoded") {
      const form = json === undefined || json === "" ? pairs(work, values) : jsonPairs(work, json);
      return form === undefined
        ? { config: {}, notes: ["Its form is worked out as a whole: write its fields."] }
        : { config: { bodyType: "form", form }, notes: [] };
    }
    if (type === "raw") {
      const header = work.word(["options", "bodyContentCustomMimeType"]);
      const headers: JsonObject = header === "" ? {} : { headers: { "content-type": header } };
      return { config: { body: work.textOf(json), ...headers }, notes: [] };
    }
    if (type !== "json") {
      work.node.parameters.tell(["options", "bodyContentType"], { why: filesStay, isWithoutEffect: false });
      return { config: { body: typedPairs(work, values) }, notes: [filesStay] };
    }
    if (json !== undefined && json !== "") return { config: { body: jsonBody(work, json) }, notes: [] };
    if (values.length > 0)
      return { config: { body: Object.fromEntries(Object.entries(typedPairs(work, values))) }, notes: [] };
    return { config: {}, notes: [] };
  }
  if (!work.flag("sendBody")) return { config: {}, notes: [] };
  const type = work.choice("contentType", contentTypes, "json");
  const values = work.list("bodyParameters", "parameters");
  if (type === "form-urlencoded") return { config: { bodyType: "form", form: pairs(work, values) }, notes: [] };
  if (type === "raw") {
    const header = work.word("rawContentType");
    return {
      config: { body: work.textOf(work.at("body")), ...(header === "" ? {} : { headers: { "content-type": header } }) },
      notes: [],
    };
  }
  if (type === "multipart-form-data" || type === "binaryData") {
    return {
      config: {
        body: typedPairs(
          work,
          values.filter(({ parameterType }) => parameterType !== "formBinaryData"),
        ),
      },
      notes: [filesStay],
    };
  }
  if (work.choice("specifyBody", ["keypair", "json"], "keypair") === "json")
    return { config: { body: jsonBody(work, work.at("jsonBody")) }, notes: [] };
  return { config: { body: typedPairs(work, values) }, notes: [] };
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

/** The request of n8n's HTTP node, all versions; `tool` for its form as an agent's tool. */
export function httpRequest(work: NodeWork, tool: boolean): Made {
  const old = work.node.version < 3;
  const method = (
    work.word(old && work.at("requestMethod") !== undefined ? "requestMethod" : "method") ||
    work.word("requestMethod", "GET")
  ).toUpperCase();
  const notes: string[] = [];
  dropUnsent(work);
  if (!methods.includes(method)) notes.push(`The method ${method} is not possible; it became GET.`);
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
  notes.push(...made.notes);
  const full = work.flag(["options", "response", "response", "fullResponse"]) || work.flag(["options", "fullResponse"]);
  const never =
    work.flag(["options", "response", "response", "neverError"]) || work.flag(["options", "ignoreResponseCode"]);
  if (work.at("options", "pagination") !== undefined) notes.push("Only the first page is fetched.");
  if (work.at("options", "batching") !== undefined) notes.push("Batches are not kept.");
  if (
    work.word(["options", "response", "response", "responseFormat"]) === "file" ||
    work.word("responseFormat") === "file"
  ) {
    notes.push("A file comes as text, as far as it is text.");
  }
  const timeout = work.number(["options", "timeout"]);
  const needs = credentialNeeds(work);
  const madeHeaders = isJsonObject(made.config.headers) ? made.config.headers : {};
  const config: JsonObject = {
    url: address(work.textOf(work.at("url"))),
    method: methods.includes(method) ? method : "GET",
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
