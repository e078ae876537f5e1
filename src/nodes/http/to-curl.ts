import type { Query, SentRequest } from "./sent-request.ts";

/** One word of a POSIX command line: nothing in it is expanded. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function withQuery(url: string, query: Query): string {
  if (Object.keys(query).length === 0) return url;
  const [address = "", fragment] = url.split("#", 2);
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  const added = new URLSearchParams(pairs).toString();
  return `${address}${address.includes("?") ? "&" : "?"}${added}${fragment === undefined ? "" : `#${fragment}`}`;
}

/** A sent request as a cURL command. The secret of a credential is not known here and so left out. */
export function toCurl({ method, url, query, headers, body }: SentRequest): string {
  const words = ["curl"];
  if (method === "HEAD") words.push("--head");
  else if (method !== "GET") words.push(`-X ${method}`);
  words.push(quoted(withQuery(url, query)));
  for (const [name, value] of Object.entries(headers)) words.push(`-H ${quoted(`${name}: ${value}`)}`);
  const named = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  if (body !== undefined && typeof body !== "string" && !named) words.push("-H 'content-type: application/json'");
  if (body !== undefined) words.push(`--data-raw ${quoted(typeof body === "string" ? body : JSON.stringify(body))}`);
  return words.join(" \\\n  ");
}
