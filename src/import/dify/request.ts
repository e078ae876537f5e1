import type { Json, JsonObject } from "../../engine/json.ts";
import { methodProblem } from "../http-method.ts";
import { placeholder, type Made } from "../flow/made.ts";
import { webService } from "../flow/web-services.ts";
import { listOf, objectOf, textOf } from "./read-dify.ts";
import type { DifyWork } from "./references.ts";
import { lookup } from "../lookup.ts";

/** `name: value` lines as names with their texts, in order. */
function pairs(work: DifyWork, lines: Json | undefined): [name: string, text: string][] {
  return textOf(lines)
    .split("\n")
    .flatMap((line): [string, string][] => {
      // A variable has no colon before its braces close.
      const at = line.indexOf(":");
      const name = (at === -1 ? line : line.slice(0, at)).trim();
      return name === "" ? [] : [[work.text(name), at === -1 ? "" : work.text(line.slice(at + 1).trim())]];
    });
}

/** Texts by name; those of a name that stands there several times go through `several`. */
function byName<Value extends Json>(
  list: readonly [string, string][],
  several: (texts: string[]) => Value,
): Record<string, Value | string> {
  const texts = new Map<string, string[]>();
  for (const [name, text] of list) texts.set(name, [...(texts.get(name) ?? []), text]);
  return Object.fromEntries([...texts].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? "") : several(all)]));
}

/** The first file that a variable holds, as a template. */
const fileOf = (work: DifyWork, selector: Json | undefined) => `{{firstFile(${work.value(selector)})}}`;

function formFields(work: DifyWork, data: Json | undefined): [name: string, text: string][] {
  if (!Array.isArray(data)) return pairs(work, data);
  return listOf(data)
    .filter(({ key }) => textOf(key) !== "")
    .map(({ key, type, value, file }) => [textOf(key), type === "file" ? fileOf(work, file) : work.text(value)]);
}

/** The body; undefined where it is a form with a field several times, which forms here do not have. */
function bodyOf(work: DifyWork): JsonObject | undefined {
  const { type, data } = objectOf(work.node.data.body);
  const whole = () => work.text(Array.isArray(data) ? objectOf(listOf(data)[0]).value : data);
  switch (type) {
    case "json":
    case "raw-text":
      return { body: whole() };
    case "x-www-form-urlencoded":
    case "form-data": {
      const fields = formFields(work, data);
      if (new Set(fields.map(([name]) => name)).size < fields.length) return undefined;
      const form = Object.fromEntries(fields);
      const hasFile = Array.isArray(data) && listOf(data).some((one) => one.type === "file");
      return hasFile ? { bodyType: "multipart", parts: form } : { bodyType: "form", form };
    }
    case "binary":
      return { body: fileOf(work, objectOf(listOf(data)[0]).file) };
    default:
      return {};
  }
}

/** A call of a web API. */
export function httpRequest(work: DifyWork): Made {
  const { data } = work.node;
  const method = textOf(data.method, "get").toUpperCase();
  const authorization = objectOf(data.authorization);
  const signs = authorization.type === "api-key";
  const { type = "custom", header = "", api_key: key = "" } = objectOf(authorization.config);
  const seconds = Number(objectOf(data.timeout).read ?? objectOf(data.timeout).max_read_timeout);
  const problem = methodProblem(method);
  if (problem !== undefined) return placeholder("http-request", data, problem);
  const body = bodyOf(work);
  if (!body)
    return placeholder("http-request", data, "Its form has a field several times, which a form here cannot have.");
  const secret = /\{\{#env\.(\w+)#\}\}/.exec(textOf(key))?.[1];
  return {
    step: {
      type: "http-request",
      config: {
        url: work.text(data.url).trim(),
        method,
        headers: byName(pairs(work, data.headers), (texts) => texts.join(", ")),
        query: byName(pairs(work, data.params), (texts) => texts),
        ...body,
        ...(seconds >= 1 ? { timeoutMs: Math.min(120_000, Math.round(seconds * 1_000)) } : {}),
        anyStatus: true,
      },
    },
    ...(signs
      ? {
          needs: `a credential (${type === "basic" ? "basic" : type === "bearer" ? "bearer token" : `header ${textOf(header) || "Authorization"}`})`,
          credentials: [
            {
              type: `authorization: ${textOf(type)}`,
              note:
                secret === undefined
                  ? "The key that was written here does not come along: keep it in a credential."
                  : `The environment variable ${secret} does not come along: keep its value in a credential.`,
            },
          ],
        }
      : {}),
  };
}

/** The value of a tool's parameter. */
function argument(work: DifyWork, raw: Json | undefined): string {
  const { type, value } = objectOf(raw);
  if (type === "variable") return work.template(value);
  return raw !== undefined && typeof raw !== "object" ? work.text(raw) : work.text(value);
}

/** A tool of Dify as a step of the flow: a request where its service is known. */
export function toolNode(work: DifyWork): Made {
  const { data } = work.node;
  const name = `${textOf(data.provider_name) || textOf(data.provider_id)}/${textOf(data.tool_name)}`;
  const given = { ...objectOf(data.tool_configurations), ...objectOf(data.tool_parameters) };
  if (/(^|[/_])time\/|current_time/.test(name)) {
    return { step: { type: "set-fields", config: { fields: { body: "{{iso(now)}}" }, keepInput: false } } };
  }
  const web = webService(name, (_parameter, _words, names) => {
    const key = names.find((one) => lookup(given, one) !== undefined) ?? Object.keys(objectOf(data.tool_parameters))[0];
    return key === undefined ? "" : argument(work, given[key]);
  });
  if (!web) {
    const instead = "Use an HTTP request to the service's API, or a code node.";
    return placeholder(name, data, instead);
  }
  return {
    step: { type: "http-request", config: web.config },
    outcome: "approximated",
    note: "Calls the service's API directly; what it gives may look different.",
    ...(web.needs === undefined ? {} : { needs: web.needs }),
  };
}
