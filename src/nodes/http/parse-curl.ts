import { longOption, shortOption, takesValue, type CurlOption } from "./curl-options.ts";
import { type HttpMethod, httpMethods } from "./http-methods.ts";
import { shellWords } from "./shell-words.ts";

/** A request as the settings of an HTTP node hold it. */
export interface CurlRequest {
  method: HttpMethod;
  url: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  bodyType: "auto" | "form";
  body: string;
  /** Empty unless the body is a form. */
  form: Record<string, string>;
}

/** The request of a command; `notes` say what could not be taken over. Or why it is none. */
type ParsedCurl = { ok: true; request: CurlRequest; notes: string[] } | { ok: false; problem: string };

const longestCommand = 200_000;
/** Headers whose values are keys: they belong in a credential and are not written into a workflow. */
const secretHeader =
  /^(authorization|proxy-authorization|cookie|x-api-key|api-key|apikey|x-auth-token|x-access-token|x-goog-api-key)$/i;
/** Headers that only the way out itself may set. */
const ownHeader = /^(host|content-length|connection|transfer-encoding|accept-encoding)$/i;

class Draft {
  method: string | undefined;
  urls: string[] = [];
  headers: Record<string, string> = {};
  data: string[] = [];
  json = false;
  asQuery = false;
  head = false;
  secrets = new Set<string>();
  notes = new Set<string>();

  header(text: string): void {
    const match = /^([^:;]+)[:;]\s*(.*)$/s.exec(text);
    const name = match?.[1]?.trim() ?? "";
    if (name === "" || ownHeader.test(name)) return;
    if (secretHeader.test(name)) this.secrets.add(name);
    else this.headers[name] = match?.[2]?.trim() ?? "";
  }

  has(name: string): boolean {
    return Object.keys(this.headers).some((known) => known.toLowerCase() === name);
  }
}

function urlencoded(text: string): string {
  const at = text.indexOf("=");
  return at < 0 ? encodeURIComponent(text) : `${text.slice(0, at + 1)}${encodeURIComponent(text.slice(at + 1))}`;
}

function take(draft: Draft, option: CurlOption, value: string): void {
  switch (option.kind) {
    case "method":
      draft.method = value.toUpperCase();
      return;
    case "header":
      return draft.header(value);
    case "header-of":
      draft.headers[option.header] = value;
      return;
    case "data":
      if (value.startsWith("@")) draft.notes.add("A body from a file cannot be imported.");
      else draft.data.push(value);
      return;
    case "raw":
      draft.data.push(value);
      return;
    case "urlencode":
      draft.data.push(urlencoded(value));
      return;
    case "json":
      draft.data.push(value);
      draft.json = true;
      return;
    case "user":
      draft.secrets.add("user name and password");
      return;
    case "secret":
      draft.secrets.add(option.what);
      return;
    case "url":
      draft.urls.push(value);
      return;
    case "flag":
      if (option.flag === "get") draft.asQuery = true;
      else draft.head = true;
      return;
    case "unsupported":
      draft.notes.add(`${option.what}; this part was left out.`);
      return;
    case "ignored":
      return;
    default:
      return option satisfies never;
  }
}

function readWords(words: readonly string[]): Draft {
  const draft = new Draft();
  let index = 0;
  const next = () => words[index++] ?? "";
  while (index < words.length) {
    const word = next();
    if (word.startsWith("--")) {
      const [name = "", ...inline] = word.slice(2).split("=");
      const option = longOption(name);
      take(draft, option, takesValue(option) ? (inline.length > 0 ? inline.join("=") : next()) : "");
    } else if (word.startsWith("-") && word.length > 1) readLetters(draft, word.slice(1), next);
    else draft.urls.push(word);
  }
  return draft;
}

/** Letters in one word, such as `-sSL` or `-XPOST`; the first that takes a value takes the rest. */
function readLetters(draft: Draft, letters: string, next: () => string): void {
  for (let at = 0; at < letters.length; at += 1) {
    const option = shortOption(letters.charAt(at));
    if (!takesValue(option)) {
      take(draft, option, "");
      continue;
    }
    const rest = letters.slice(at + 1);
    return take(draft, option, rest === "" ? next() : rest);
  }
}

/** The query as single values, while each name stands once; else it stays in the URL. */
function splitQuery(url: URL): Record<string, string> {
  const names = [...url.searchParams.keys()];
  if (new Set(names).size !== names.length) return {};
  const query = Object.fromEntries(url.searchParams);
  url.search = "";
  return query;
}

/** A body that is the fields of a web form, each once, as these; null for any other. */
function formOf(draft: Draft, body: string): Record<string, string> | null {
  const [name, type] = Object.entries(draft.headers).find(([key]) => key.toLowerCase() === "content-type") ?? [];
  if (draft.json || (type !== undefined && !/^application\/x-www-form-urlencoded$/i.test(type))) return null;
  if (!/^[^=&{}[\]"\s]+=[^&]*(&[^=&]+=[^&]*)*$/.test(body)) return null;
  const fields = [...new URLSearchParams(body)];
  if (new Set(fields.map(([key]) => key)).size !== fields.length) return null;
  // The form says so itself.
  if (name !== undefined) delete draft.headers[name];
  return Object.fromEntries(fields);
}

function addContentType(draft: Draft): void {
  if (draft.json) {
    if (!draft.has("content-type")) draft.headers["Content-Type"] = "application/json";
    if (!draft.has("accept")) draft.headers["Accept"] = "application/json";
  } else if (!draft.has("content-type")) draft.headers["Content-Type"] = "application/x-www-form-urlencoded";
}

function methodOf(draft: Draft, hasBody: boolean): HttpMethod | undefined {
  const method = draft.method ?? (draft.head ? "HEAD" : hasBody ? "POST" : "GET");
  return httpMethods.find((known) => known === method);
}

/**
 * Reads a cURL command, as documentation and the network panels of browsers give it. Pure; nothing is run or sent. Keys,
 * passwords and cookies are left out and named in the notes, since they belong in a credential.
 */
export function parseCurl(text: string): ParsedCurl {
  if (text.length > longestCommand) return { ok: false, problem: "The command is too long." };
  const words = shellWords(text.trim().replace(/^\$\s+/, ""));
  if (words === null) return { ok: false, problem: "A quote is not closed. Copy the whole command." };
  if (!/^(.*[\\/])?curl(\.exe)?$/.test(words[0] ?? "")) {
    return { ok: false, problem: "This is not a cURL command: it has to begin with curl." };
  }
  const draft = readWords(words.slice(1));
  const [first] = draft.urls;
  if (first === undefined) return { ok: false, problem: "The command names no URL." };
  if (draft.urls.length > 1) draft.notes.add("The command names several URLs; the first was taken.");
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(first) ? first : `https://${first}`;
  if (!URL.canParse(address)) return { ok: false, problem: `"${first.slice(0, 80)}" is not a web address.` };

  const url = new URL(address);
  if (url.username !== "" || url.password !== "") {
    draft.secrets.add("user name and password");
    url.username = "";
    url.password = "";
  }
  const body = draft.data.join(draft.json ? "" : "&");
  if (draft.asQuery && body !== "") url.search += url.search === "" ? body : `&${body}`;
  const sent = draft.asQuery ? "" : body;
  const form = formOf(draft, sent);
  if (sent !== "" && form === null) addContentType(draft);
  const method = methodOf(draft, sent !== "");
  if (method === undefined) {
    return { ok: false, problem: `The method ${draft.method ?? ""} is not one of ${httpMethods.join(", ")}.` };
  }
  for (const what of draft.secrets) draft.notes.add(`${what}: left out. Keep it in a credential and choose it here.`);
  const query = splitQuery(url);
  const carried = form
    ? { bodyType: "form" as const, body: "", form }
    : { bodyType: "auto" as const, body: sent, form: {} };
  const request = { method, url: url.href, query, headers: draft.headers, ...carried };
  return { ok: true, request, notes: [...draft.notes] };
}
