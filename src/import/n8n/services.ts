import type { Json, JsonObject } from "../../engine/json.ts";
import { namedTool } from "./tool-parameters.ts";
import type { Made } from "./made.ts";
import type { NodeWork } from "./node-work.ts";
import { serviceName } from "./service-name.ts";

/**
 * One call of a service's API. In the address `{name}` is a parameter of n8n's node; `query` and `body` say which
 * parameter goes where, `a.b` being a path; a value that begins with `=` is fixed.
 */
export interface ServiceCall {
  method: string;
  url: string;
  query?: Readonly<Record<string, string>>;
  body?: Readonly<Record<string, string>>;
  note?: string;
}

/** A service: where its API is, which credential signs, and the calls by n8n's `resource.operation`. */
export interface Service {
  base: string;
  needs: string;
  headers?: Readonly<Record<string, string>>;
  calls: Readonly<Record<string, ServiceCall>>;
  /** What n8n takes where the parameters are not stored. */
  usual?: { resource?: string; operation?: string };
  /** The body as a whole, for services that wrap it. */
  wrap?: (body: JsonObject) => Json;
}

const reads = /^(get|getAll|search|list|read|lookup|find|query|retrieve|download|fetch)/i;

function valueAt(work: NodeWork, path: string): Json | undefined {
  if (path.startsWith("=")) return path.slice(1);
  for (const one of path.split("|")) {
    const value = work.at(...one.split("."));
    if (value !== undefined && value !== "" && value !== null) return value;
  }
  return undefined;
}

function texts(work: NodeWork, names: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, path]) => {
      const value = valueAt(work, path);
      return value === undefined ? [] : [[name, path.startsWith("=") ? path.slice(1) : work.textOf(value)]];
    }),
  );
}

function fields(work: NodeWork, names: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, path]) => {
      const value = valueAt(work, path);
      return value === undefined ? [] : [[name, path.startsWith("=") ? path.slice(1) : work.template(value)]];
    }),
  );
}

/** A service's node as a request to its API, or as a tool that makes it. */
export function serviceRequest(work: NodeWork, type: string, service: Service, tool: boolean): Made {
  const name = serviceName(type);
  const resource = work.word("resource", service.usual?.resource ?? "");
  const operation = work.word("operation", service.usual?.operation ?? "");
  const key = `${resource}.${operation}`;
  const call = service.calls[key] ?? service.calls[`.${operation}`] ?? service.calls[`${resource}.`];
  const common = { headers: { ...service.headers } };
  const unsent = (config: JsonObject, note: string): Made => ({
    type: tool ? "http-request-tool" : "http-request",
    config: {
      ...(tool
        ? namedTool(work, `${operation || "Calls"} ${resource} (${name}).`.trim())
        : { result: "body", onError: work.node.onError === "continue" ? "continue" : "fail" }),
      ...common,
      ...config,
    },
    outcome: "approximated",
    note,
    needs: service.needs,
  });
  if (!call) {
    const kept = work.template(work.node.parameters);
    const isRead = reads.test(operation);
    return unsent(
      { url: service.base, method: isRead ? "GET" : "POST", ...(isRead ? {} : { body: kept }) },
      `Calls the API of ${name} directly. Complete the address for “${[resource, operation].filter(Boolean).join(": ") || name}”; the settings it had are in the body or in the report.`,
    );
  }
  const url = (call.url.startsWith("http") ? call.url : service.base + call.url).replace(
    /\{([\w.|]+)\}/g,
    (_, path: string) => {
      const value = valueAt(work, path);
      return value === undefined ? "" : work.textOf(value);
    },
  );
  const body = call.body ? fields(work, call.body) : undefined;
  return unsent(
    {
      url,
      method: call.method,
      query: texts(work, call.query),
      ...(body === undefined ? {} : { body: service.wrap ? service.wrap(body) : body }),
    },
    `Calls the API of ${name} directly. ${call.note ?? ""}`.trim(),
  );
}
