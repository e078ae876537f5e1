import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
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

/** A name that is an expression cannot be one here. */
const plainName = (name: string) => name.replace(/^=/, "");

/** Names and values of a JSON text, as far as it is an object. */
function jsonPairs(work: NodeWork, value: Json | undefined): Record<string, string> | undefined {
  const object = parsed(value);
  if (!isJsonObject(object)) return undefined;
  return Object.fromEntries(Object.entries(object).map(([name, one]) => [name, work.textOf(one)]));
}

/** A body that n8n's newer or older versions describe, as fields of the request. */
function body(work: NodeWork): { config: JsonObject; notes: string[] } {
  const old = work.node.version < 3;
  if (old) {
    const json = work.at("bodyParametersJson");
    const values = work.list("bodyParametersUi", "parameter");
    if (json !== undefined && json !== "") return { config: { body: jsonBody(work, json) }, notes: [] };
    if (values.length > 0)
      return { config: { body: Object.fromEntries(Object.entries(typedPairs(work, values))) }, notes: [] };
    return { config: {}, notes: [] };
  }
  if (!work.flag("sendBody")) return { config: {}, notes: [] };
  const type = work.word("contentType", "json");
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
      notes: ["Files are not sent: requests carry JSON, text or forms."],
    };
  }
  if (work.word("specifyBody", "keypair") === "json")
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

/** The request of n8n's HTTP node, all versions; `tool` for its form as an agent's tool. */
export function httpRequest(work: NodeWork, tool: boolean): Made {
  const old = work.node.version < 3;
  const method = (
    work.word(old && work.at("requestMethod") !== undefined ? "requestMethod" : "method") ||
    work.word("requestMethod", "GET")
  ).toUpperCase();
  const notes: string[] = [];
  if (!methods.includes(method)) notes.push(`The method ${method} is not possible; it became GET.`);
  const query = old
    ? {
        ...pairs(work, work.list("queryParametersUi", "parameter")),
        ...jsonPairs(work, work.at("queryParametersJson")),
      }
    : work.flag("sendQuery")
      ? work.word("specifyQuery") === "json"
        ? jsonPairs(work, work.at("jsonQuery"))
        : pairs(work, work.list("queryParameters", "parameters"))
      : {};
  const headers = old
    ? {
        ...pairs(work, work.list("headerParametersUi", "parameter")),
        ...jsonPairs(work, work.at("headerParametersJson")),
      }
    : work.flag("sendHeaders")
      ? work.word("specifyHeaders") === "json"
        ? jsonPairs(work, work.at("jsonHeaders"))
        : pairs(work, work.list("headerParameters", "parameters"))
      : {};
  if (query === undefined || headers === undefined)
    notes.push("Headers or parameters that are worked out as a whole were left out.");
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
