import { isJsonObject, type Json, type JsonObject } from "../engine/json.ts";
import type { ExpressionPlace } from "./expression-code.ts";
import { textCode, textsCode, valueCode } from "./template-code.ts";

/** A call of `sendRequest` for a node that sends HTTP requests. */
export function requestCode(config: JsonObject, place: ExpressionPlace): string {
  const { file } = place;
  const { method, url, query, headers, body, bodyType, form, allowedHosts, timeoutMs } = config;
  noteWhatIsLeft(config, place);
  const isForm = bodyType === "form" && isJsonObject(form) && Object.keys(form).length > 0;
  const fields = [
    `method: ${JSON.stringify(typeof method === "string" ? method : "GET")}`,
    `url: ${textCode(typeof url === "string" ? url : "", place, "url")}`,
    ...(isFilled(query) ? [`query: ${queryCode(query, config.queryLists, place)}`] : []),
    ...(isFilled(headers) || isForm ? [`headers: ${headersCode(headers, isForm, place)}`] : []),
    ...(isForm ? [`body: new URLSearchParams(${textsCode(form, place)}).toString()`] : bodyCode(body, place)),
    `timeoutMs: ${typeof timeoutMs === "number" ? timeoutMs : 30_000}`,
    ...(Array.isArray(allowedHosts) && allowedHosts.length > 0
      ? [`allowedHosts: ${JSON.stringify(allowedHosts)}`]
      : []),
  ];
  const pages = pagesCode(config);
  return pages === undefined
    ? `${file.helper("sendRequest")}({ ${fields.join(", ")} })`
    : `${file.helper("sendPages")}({ ${fields.join(", ")} }, ${pages})`;
}

/** How the pages of a list follow each other; undefined for one request. */
function pagesCode({ paging, pageParameter, nextPath, itemsPath, maxPages }: JsonObject): string | undefined {
  if (typeof paging !== "string" || paging === "none") return undefined;
  const text = (value: unknown) => JSON.stringify(typeof value === "string" ? value : "");
  return `{ by: ${text(paging)}, parameter: ${text(pageParameter)}, next: ${text(nextPath)}, items: ${text(itemsPath)}, most: ${Number(maxPages ?? 3)} }`;
}

/** What the studio does around a request and the program does not. */
function noteWhatIsLeft({ leaveOutEmpty, errorPath, credential }: JsonObject, { file, node }: ExpressionPlace) {
  if (leaveOutEmpty === true) file.note("Empty values are sent: remove those that should not be.", node);
  if (typeof errorPath === "string" && errorPath !== "") {
    file.note(`An error reported at "${errorPath}" does not count as a failure: check for it yourself.`, node);
  }
  if (typeof credential === "string" && credential !== "") {
    file.note("Its credential stays in the studio: add the header that signs its requests.", node);
  }
}

function isFilled(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** Each row of the query, with lists as the settings send them. */
function queryCode(query: JsonObject, lists: Json | undefined, place: ExpressionPlace): string {
  const rows = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, Json] => [name, one]),
  );
  const style = lists ?? "json";
  if (style === "json" && rows.length === Object.keys(query).length) return textsCode(query, place);
  const pairs = rows.map(([name, value]) => `[${JSON.stringify(name)}, ${valueCode(value, place)}]`);
  return `${place.file.helper("queryOf")}([${pairs.join(", ")}], ${JSON.stringify(style)})`;
}

function headersCode(headers: unknown, isForm: boolean, place: ExpressionPlace): string {
  const own = isFilled(headers) ? textsCode(headers, place) : "{}";
  return isForm ? `{ "content-type": "application/x-www-form-urlencoded", ...${own} }` : own;
}

function bodyCode(body: JsonObject[string] | undefined, place: ExpressionPlace): string[] {
  if (body === undefined || body === "" || body === null) return [];
  return [`body: ${typeof body === "string" ? textCode(body, place, "json") : valueCode(body, place)}`];
}
