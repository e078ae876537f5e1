import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { type AppMapper, type AppRequest, given, inAddress, isRequest, presentTexts, unsaid } from "./apps/request.ts";
import { namedTool } from "./tool-parameters.ts";
import type { Made, Step } from "./made.ts";
import type { NodeWork, StepName } from "./node-work.ts";
import { serviceName } from "./service-name.ts";
import { lookup } from "../lookup.ts";

/**
 * One call of a service's API. In the address `{name}` is a parameter of n8n's node; `query`, `body` and `form` say which
 * parameter goes where, `a.b` being a path and `a|b` whichever is there; a value that begins with `=` is fixed.
 */
export interface FixedCall {
  method: AppRequest["method"];
  url: string;
  query?: Readonly<Record<string, string>>;
  body?: Readonly<Record<string, string>>;
  form?: Readonly<Record<string, string>>;
  /** Groups of n8n's optional fields, which go in beside the others under their own names or in another style. */
  rest?: readonly string[];
  style?: "snake" | "lower" | "pascal";
  /** Names that are neither n8n's nor in the style. */
  names?: Readonly<Record<string, string>>;
  /** The member that the body stands in. */
  within?: string;
  /** How n8n's “return all” or limit is said; the path of the list in the answer. */
  limit?: string;
  items?: string;
  /** Parameters that n8n's editor uses to find others. */
  unused?: readonly string[];
  note?: string;
}

/** A service: where its API is, which credential signs, and the calls by n8n's `resource.operation`. */
export interface Service {
  base: string;
  needs: string;
  /** The studio's own connector for the service, which says more about the credential. */
  connector?: string;
  headers?: Readonly<Record<string, string>>;
  /** Path of the error in answers of status 2xx, where the service tells errors so. */
  errorAt?: string;
  calls: Readonly<Record<string, FixedCall | AppMapper>>;
  /** What n8n takes where the parameters are not stored; `operations` where it depends on the resource. */
  usual?: {
    resource?: string;
    operation?: string;
    operations?: Readonly<Record<string, string>>;
    /** Where the node's second version has another one. */
    laterResource?: string;
  };
}

function valueAt(work: NodeWork, path: string): Json | undefined {
  if (path.startsWith("=")) return path.slice(1);
  for (const one of path.split("|")) {
    const value = work.at(...one.split("."));
    if (value !== undefined && value !== "" && value !== null) return value;
  }
  return undefined;
}

function fields<T extends Json>(
  work: NodeWork,
  names: Readonly<Record<string, string>>,
  read: (value: Json) => T,
): Record<string, T | string> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, path]): [string, T | string][] => {
      const value = valueAt(work, path);
      return value === undefined ? [] : [[name, path.startsWith("=") ? path.slice(1) : read(value)]];
    }),
  );
}

const styles = {
  snake: (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  lower: (name: string) => name.toLowerCase(),
  pascal: (name: string) => name.charAt(0).toUpperCase() + name.slice(1),
} as const;

/** The optional fields that are plain; of others the account knows that they are left. */
function restOf(work: NodeWork, { rest = [], style, names = {} }: FixedCall): JsonObject {
  const made: JsonObject = {};
  for (const group of rest) {
    const path = group.split(".");
    const found = work.node.parameters.find(path).value;
    for (const name of isJsonObject(found) ? Object.keys(found) : []) {
      const raw = isJsonObject(found) ? found[name] : undefined;
      const isPlain =
        typeof raw !== "object" || raw === null || (Array.isArray(raw) && !raw.some(isJsonObject)) || "__rl" in raw;
      const value = isPlain ? given(work, ...path, name) : undefined;
      const key = lookup(names, name) ?? (style === undefined ? name : styles[style](name));
      if (value !== undefined && key !== "") made[key] = value;
    }
  }
  return made;
}

function fixedRequest(work: NodeWork, call: FixedCall): AppRequest {
  const path = call.url.replace(/\{([\w.|]+)\}/g, (_, name: string) => {
    const value = valueAt(work, name);
    return value === undefined ? "" : call.url.startsWith("{") ? work.textOf(value) : inAddress(work.textOf(value));
  });
  for (const name of call.unused ?? []) work.drop(name, "The editor finds other values by it.");
  const texts = (names: Readonly<Record<string, string>>) => fields(work, names, (value) => work.textOf(value));
  const rest = restOf(work, call);
  const all = work.flag("returnAll");
  const amount: JsonObject = call.limit === undefined ? {} : { [call.limit]: all ? 100 : (given(work, "limit") ?? 50) };
  const isRead = call.method === "GET";
  const query = { ...(call.query ? texts(call.query) : {}), ...amount, ...(isRead ? rest : {}) };
  const body =
    call.body || (!isRead && !call.form && Object.keys(rest).length > 0)
      ? { ...fields(work, call.body ?? {}, (value) => work.template(value)), ...(isRead || call.form ? {} : rest) }
      : undefined;
  return {
    method: call.method,
    path,
    ...(Object.keys(query).length === 0 ? {} : { query }),
    ...(body === undefined ? {} : { body: call.within === undefined ? body : { [call.within]: body } }),
    ...(call.form ? { form: { ...texts(call.form), ...presentTexts(rest) } } : {}),
    ...(call.items === undefined ? {} : { paging: { parameter: "page", next: "", items: call.items, all: false } }),
    ...(call.note === undefined ? {} : { note: call.note }),
  };
}

/** A service's node as a request to its API, as a tool that makes it, or as a placeholder where there is no such request. */
export function serviceRequest(work: NodeWork, type: string, service: Service, tool: boolean): Made {
  const name = serviceName(type);
  const { laterResource } = service.usual ?? {};
  const usual = laterResource !== undefined && work.node.version >= 2 ? laterResource : service.usual?.resource;
  const resource = work.word("resource", usual ?? "");
  const operation = work.word(
    "operation",
    lookup(service.usual?.operations ?? {}, resource) ?? service.usual?.operation ?? "",
  );
  const { calls } = service;
  const call =
    lookup(calls, `${resource}.${operation}`) ?? lookup(calls, `.${operation}`) ?? lookup(calls, `${resource}.`);
  if (!call) {
    const asked = [resource, operation].filter(Boolean).join(": ") || name;
    // A tool without an address would let the model choose one.
    if (tool) return unsaid(`Write the request for “${asked}” as the API of ${name} wants it.`);
    const isRead = /^(get|list|search|read|lookup|find|query|retrieve|download|fetch)/i.test(operation);
    return {
      ...requested(work, `${operation || "Calls"} ${resource} (${name}).`.trim(), service, tool, {
        method: isRead ? "GET" : "POST",
        path: "",
        ...(isRead ? {} : { body: work.template(work.all) }),
      }),
      outcome: "approximated",
      // Without its address it cannot be sent: what the API wants is not what n8n has.
      note: `Write the request for “${asked}” as the API of ${name} wants it, from ${service.base} on. ${isRead ? "Its settings are in this report." : "The body holds the settings that n8n had."}`,
    };
  }
  const made = typeof call === "function" ? call(work) : fixedRequest(work, call);
  if (tool && work.sendsFile)
    return unsaid("It sends a file, and an agent’s tool gets none: make it a step of the flow.");
  if (!isRequest(made)) return made;
  return requested(work, `${operation || "Calls"} ${resource} (${name}).`.trim(), service, tool, made);
}

function requested(work: NodeWork, says: string, service: Service, tool: boolean, made: AppRequest): Made {
  const { note = "", needs = service.needs } = made;
  return {
    type: tool ? "http-request-tool" : "http-request",
    config: {
      ...(tool ? namedTool(work, says) : stepConfig(work)),
      ...requestConfig(service, made),
      ...(tool ? {} : pagingConfig(made)),
    },
    ...(made.before === undefined ? {} : { before: made.before }),
    ...(note === "" ? {} : { outcome: "approximated", note }),
    needs,
  };
}

/** The list as the output, and all pages of it where they are wanted, as far as the studio goes. */
const pagingConfig = ({ paging }: AppRequest): JsonObject =>
  paging === undefined
    ? {}
    : {
        paging: paging.parameter === "" ? "link" : "cursor",
        pageParameter: paging.parameter,
        nextPath: paging.next,
        itemsPath: paging.items,
        maxPages: paging.all ? 50 : 1,
      };

const stepConfig = (work: NodeWork): JsonObject => ({
  result: "body",
  onError: work.node.onError === "continue" ? "continue" : "fail",
});

/** A request that runs before the node's own. */
export const requestStep = ({ title }: StepName, service: Service, request: AppRequest): Step => ({
  title,
  type: "http-request",
  config: { result: "body", ...requestConfig(service, request) },
});

/** The settings of an HTTP node that makes a request of a service. */
export function requestConfig(service: Service, request: AppRequest): JsonObject {
  const { method, path, query = {}, headers = {}, body, form, parts, needs } = request;
  return {
    ...(service.connector === undefined || needs !== undefined ? {} : { connector: service.connector }),
    needsCredential: (needs ?? service.needs) !== "",
    ...(service.errorAt === undefined ? {} : { errorPath: service.errorAt }),
    url: path === "" || /^(https?:|\{\{)/.test(path) ? path : service.base + path,
    method,
    query,
    queryLists: "repeated",
    headers: { ...service.headers, ...headers },
    ...(body === undefined ? {} : { body }),
    ...(form === undefined ? {} : { bodyType: "form", form }),
    ...(parts === undefined ? {} : { bodyType: "multipart", parts }),
  };
}
