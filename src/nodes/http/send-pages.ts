import {
  type ExactJson,
  isJsonObject,
  type Json,
  type JsonObject,
  parseExactJson,
  parseJson,
  valueOrExactText,
} from "../../engine/json.ts";
import type { PagingSettings, RequestSettings } from "./request-fields.ts";
import { type HttpAnswer, type HttpResult, type Sender, sendRequest } from "./send-request.ts";
import type { HttpRequest } from "./sent-request.ts";

/** Characters of JSON after which no further page is asked for. */
const mostCharacters = 5 * 1024 * 1024;

/** What pages put together give: the last answer with all items as its body, how many pages there were, and whether there are more. */
interface PagedAnswer extends HttpAnswer {
  pages?: number;
  more?: boolean;
}

type Failed = Extract<HttpResult, { ok: false }>;

type PagedResult = { ok: true; answer: PagedAnswer } | Failed;

/**
 * Sends a request and, where the settings say how, asks for the pages that follow, up to their limit. An answer of another
 * status than 2xx is given back as it is. Further pages come from the same origin. Rejects only when the signal aborts.
 */
export async function sendPages(
  sender: Sender,
  first: HttpRequest,
  settings: PagingSettings & Pick<RequestSettings, "errorPath">,
): Promise<PagedResult> {
  if (settings.paging === "none") return sendChecked(sender, first, settings.errorPath);
  const items: Json[] = [];
  const asked = new Set([placeOf(first)]);
  let request = first;
  let characters = 0;
  for (let page = 1; ; page += 1) {
    const result = await sendChecked(sender, request, settings.errorPath);
    if (!result.ok || result.answer.status < 200 || result.answer.status > 299) return result;
    const { answer } = result;
    const found = valueAt(answer.body, settings.itemsPath);
    if (!Array.isArray(found)) return noList(settings.itemsPath, page);
    items.push(...found);
    characters += JSON.stringify(found).length;
    const following = nextRequest(request, answer, items.length, settings);
    if (following !== undefined && "problem" in following) return failed(following.problem, following.hint);
    // A numbered page without items is the last one; a server that names a next page may leave some out.
    const isCounted = settings.paging === "page" || settings.paging === "offset";
    const isEnd = following === undefined || (isCounted && found.length === 0) || asked.has(placeOf(following));
    const next = isEnd ? undefined : following;
    if (next) asked.add(placeOf(next));
    const isLast = next === undefined || page >= settings.maxPages || characters > mostCharacters;
    if (isLast) return { ok: true, answer: { ...answer, body: items, pages: page, more: next !== undefined } };
    request = withPageKey(next, first, page + 1);
  }
}

/** As `sendRequest`; an error that stands in an answer of status 2xx is a failure. */
async function sendChecked(sender: Sender, request: HttpRequest, errorPath: string): Promise<HttpResult> {
  const result = await sendRequest(sender, request);
  if (!result.ok || errorPath === "" || result.answer.status < 200 || result.answer.status > 299) return result;
  const found = valueAt(result.answer.body, errorPath);
  const isNone = found === undefined || found === null || found === false || found === "";
  if (isNone || (Array.isArray(found) && found.length === 0)) return result;
  const words = (typeof found === "string" ? found : JSON.stringify(found)).slice(0, 1_000);
  return failed(`The service answered with an error: ${words}`, "Look the error up in the service's documentation.");
}

/** Which page a request asks for: a server that names one again would be asked for ever. */
function placeOf({ url, query, body }: HttpRequest): string {
  return JSON.stringify([url, Object.keys(query ?? {}).length === 0 ? null : query, body ?? null]);
}

/** Each page of a request that carries a key of its own is a request of its own. */
function withPageKey(request: HttpRequest, { headers = {} }: HttpRequest, page: number): HttpRequest {
  const name = Object.keys(headers).find((one) => one.toLowerCase() === "idempotency-key");
  return name === undefined ? request : { ...request, headers: { ...headers, [name]: `${headers[name]}/${page}` } };
}

interface Problem {
  problem: string;
  hint: string;
}

/** The request for the page after an answer; undefined where that was the last one. */
function nextRequest(
  request: HttpRequest,
  { headers, body }: HttpAnswer,
  had: number,
  { paging, pageParameter: parameter, nextPath }: PagingSettings,
): HttpRequest | Problem | undefined {
  switch (paging) {
    case "page":
      return withParameter(request, parameter, Number(parameterOf(request, parameter) ?? 1) + 1);
    case "offset":
      return withParameter(request, parameter, had);
    case "cursor": {
      const cursor = valueAt(body, nextPath);
      const isText = (typeof cursor === "string" && cursor !== "") || typeof cursor === "number";
      return isText ? withParameter(request, parameter, cursor) : undefined;
    }
    case "link": {
      const link = nextPath === "" ? linkedPage(headers, "next") : valueAt(body, nextPath);
      if (typeof link !== "string" || link === "" || !URL.canParse(link, request.url)) return undefined;
      const { href, origin } = new URL(link, request.url);
      if (origin !== new URL(request.url).origin) {
        const hint = "Check the path of the next page, or use a cursor instead.";
        return { problem: `The next page is on another server (${origin}), so it was not requested.`, hint };
      }
      return { ...request, url: href, query: {} };
    }
    case "none":
      return undefined;
    default:
      return paging satisfies never;
  }
}

/** Whether parameters of this request stand in its body. */
function isInBody({ method, body }: HttpRequest): boolean {
  return method !== "GET" && method !== "HEAD" && jsonOf(body) !== undefined;
}

function jsonOf(body: Json | undefined): JsonObject | undefined {
  const value = typeof body === "string" ? parseJson(body) : body;
  return isJsonObject(value) ? value : undefined;
}

/** The body of a request with parameters in it, its large integers as they are written there. */
function exactBody(body: Json | undefined): ExactObject {
  const value = typeof body === "string" ? parseExactJson(body) : body;
  return isJsonObject(value) ? value : {};
}

interface ExactObject {
  [name: string]: ExactJson;
}

function parameterOf(request: HttpRequest, parameter: string): Json | undefined {
  return isInBody(request) ? valueAt(jsonOf(request.body) ?? null, parameter) : request.query?.[parameter];
}

/** The request with another value of a parameter; one of the body may be a path. */
function withParameter(request: HttpRequest, parameter: string, value: string | number): HttpRequest {
  if (!isInBody(request)) return { ...request, query: { ...request.query, [parameter]: String(value) } };
  return { ...request, body: valueOrExactText(withValue(exactBody(request.body), parameter.split("."), value)) };
}

function withValue(object: ExactObject, [name = "", ...rest]: readonly string[], value: Json): ExactObject {
  const inner = object[name];
  const next = rest.length === 0 ? value : withValue(isJsonObject(inner) ? inner : {}, rest, value);
  return Object.fromEntries([...Object.entries(object).filter(([key]) => key !== name), [name, next]]);
}

/**
 * What stands at a path of names and places, `a.0.b`; a negative place counts from the end. Only own properties; one whose
 * name has dots in it, such as `@odata.nextLink`, ends a path.
 */
function valueAt(value: Json, path: string): Json | undefined {
  let found: Json | undefined = value;
  const steps = path.split(".").filter(Boolean);
  for (const [index, step] of steps.entries()) {
    if (Array.isArray(found)) {
      found = found.at(Number(step));
      continue;
    }
    if (!isJsonObject(found)) return undefined;
    const rest = steps.slice(index).join(".");
    if (Object.hasOwn(found, rest)) return found[rest];
    found = Object.hasOwn(found, step) ? found[step] : undefined;
  }
  return found;
}

function noList(path: string, page: number): Failed {
  const place = path === "" ? "is no list" : `has no list at "${path}"`;
  return failed(`Page ${page} of the answer ${place}.`, 'Correct "Path of the list", or ask for smaller pages.');
}

function failed(message: string, hint: string): Failed {
  return { ok: false, error: { code: "tool_error", message, hint, retryable: false } };
}

/** The address of a relation in a Link header (RFC 8288 §3), such as `<https://a.example/?page=2>; rel="next"`. */
function linkedPage(headers: Readonly<Record<string, string>>, relation: string): string | undefined {
  const [, header = ""] = Object.entries(headers).find(([name]) => name.toLowerCase() === "link") ?? [];
  for (const [, address, parameters = ""] of header.matchAll(/<([^<>]*)>([^<]*)/g)) {
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
    const names = (quoted ?? bare ?? "").toLowerCase().split(/\s+/);
    if (names.includes(relation)) return address;
  }
  return undefined;
}
