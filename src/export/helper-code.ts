import type { CodeFile } from "./code-file.ts";

interface Helper {
  code: string;
  /** Other helpers that it calls. */
  uses?: readonly string[];
  imports?: readonly [module: string, version: string, ...names: string[]];
}

/** What a program may need besides its own steps. */
const helpers: Readonly<Record<string, Helper>> = {
  text: {
    code: `/** A value as text: nothing for null, JSON for lists and objects. */
function text(value: Json): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}`,
  },
  listOf: {
    code: `function listOf(value: Json): Json[] {
  return Array.isArray(value) ? value : [];
}`,
  },
  sizeOf: {
    code: `function sizeOf(value: Json): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  return Object.keys(value ?? {}).length;
}`,
  },
  isEqual: {
    code: `function isEqual(left: Json, right: Json): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}`,
  },
  isIn: {
    uses: ["isEqual"],
    code: `/** Whether a list has an item, an object a field, or a text a part. */
function isIn(part: Json, whole: Json): boolean {
  if (Array.isArray(whole)) return whole.some((one) => isEqual(one, part));
  return typeof whole === "string" ? whole.includes(String(part)) : Object.hasOwn(whole ?? {}, String(part));
}`,
  },
  notCarried: {
    code: `/** Stands for what the studio does and this program does not. */
function notCarried(what: string): never {
  throw new Error(\`\${what} is not part of this program. See the notes at the top.\`);
}`,
  },
  firstOf: {
    code: `/** The first branch that was taken. */
function firstOf(...values: Json[]): Json {
  return values.find((value) => value !== undefined);
}`,
  },
  lastOf: {
    code: `/** The last branch that was taken. */
function lastOf(...values: Json[]): Json {
  return values.findLast((value) => value !== undefined);
}`,
  },
  eachItem: {
    code: `/** Works on several items at once; the results keep their order. */
async function eachItem(items: Json, atOnce: number, work: (item: Json) => Promise<Json>): Promise<Json[]> {
  if (!Array.isArray(items)) throw new Error("Items is not a list.");
  const results: Json[] = items.map(() => null);
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index]);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}`,
  },
  repeatUntil: {
    code: `/** Does the work again with its last result until the condition holds. */
async function repeatUntil(
  first: Json,
  holds: (result: Json) => boolean,
  { before, mostTurns, mayEnd }: { before: boolean; mostTurns: number; mayEnd: boolean },
  work: (last: Json) => Promise<Json>,
): Promise<Json> {
  let result = first;
  if (before && holds(result)) return result;
  for (let turn = 0; turn < mostTurns; turn += 1) {
    result = await work(result);
    if (holds(result)) return result;
  }
  if (mayEnd) return result;
  throw new Error("The condition did not hold after the last turn.");
}`,
  },
  sendRequest: {
    code: `interface HttpRequest {
  method: string;
  url: string;
  query?: Record<string, string | string[]>;
  headers?: Record<string, string>;
  body?: Json;
  timeoutMs: number;
  /** Hosts that may be reached; all when absent. */
  allowedHosts?: string[];
}

/** Sends a request; gives its status, headers and body, which is parsed where it is JSON. */
async function sendRequest({ method, url, query, headers, body, timeoutMs, allowedHosts }: HttpRequest): Promise<Json> {
  const address = new URL(url);
  if (allowedHosts && !allowedHosts.some((host) => isHost(address, host))) throw new Error(\`\${address.host} is not among the allowed hosts.\`);
  for (const [name, value] of Object.entries(query ?? {})) for (const one of [value].flat()) address.searchParams.append(name, one);
  const hasBody = body !== undefined && body !== "" && method !== "GET" && method !== "HEAD";
  const isText = typeof body === "string";
  const answer = await fetch(address, {
    method,
    headers: { ...(hasBody && (!isText || /^\\s*[[{]/.test(body)) ? { "content-type": "application/json" } : {}), ...headers },
    ...(hasBody ? { body: isText ? body : JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await answer.text();
  const isJson = /^application\\/(.*\\+)?json\\b/i.test(answer.headers.get("content-type") ?? "");
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body: isJson && text !== "" ? JSON.parse(text) : text };
}

function isHost(address: URL, host: string): boolean {
  return host.startsWith("*.") ? address.hostname.endsWith(host.slice(1)) : host === address.hostname || host === address.host;
}`,
  },
  queryOf: {
    code: `/** Parameters as they go out: those of one name one after the other, and lists as the service reads them. */
function queryOf(rows: [string, Json][], lists: string): Record<string, string[]> {
  const query: Record<string, string[]> = {};
  const text = (value: Json): string => (typeof value === "string" ? value : value === null || value === undefined ? "" : JSON.stringify(value));
  for (const [name, value] of rows) {
    const isList = Array.isArray(value) && lists !== "json";
    const texts: string[] = isList ? value.map(text) : [text(value)];
    if (texts.length === 0) continue;
    const key = isList && lists === "brackets" && !name.endsWith("[]") ? \`\${name}[]\` : name;
    query[key] = [...(query[key] ?? []), ...(isList && lists === "commas" ? [texts.join(",")] : texts)];
  }
  return query;
}`,
  },
  sendPages: {
    uses: ["sendRequest"],
    code: `interface Pages {
  by: "page" | "offset" | "cursor" | "link";
  /** Carries the number or the cursor. */
  parameter: string;
  /** Where the cursor or the address is in an answer; the Link header when empty. */
  next: string;
  /** Where the list is in an answer; the answer itself when empty. */
  items: string;
  most: number;
}

/** Sends a request and asks for the pages that follow, at the same server; their lists are joined. */
async function sendPages(first: HttpRequest, pages: Pages): Promise<Json> {
  const items: Json[] = [];
  let request = first;
  for (let page = 1; ; page += 1) {
    const answer = await sendRequest(request);
    if (answer.status < 200 || answer.status > 299) return answer;
    const found = valueAt(answer.body, pages.items);
    if (!Array.isArray(found)) throw new Error(\`Page \${page} of the answer has no list.\`);
    items.push(...found);
    const next = found.length === 0 ? undefined : nextPage(request, answer, { pages, page, had: items.length });
    if (next === undefined || page >= pages.most) return { ...answer, body: items, pages: page, more: next !== undefined };
    request = next;
  }
}

function nextPage(request: HttpRequest, answer: Json, { pages, page, had }: { pages: Pages; page: number; had: number }): HttpRequest | undefined {
  const { by, parameter, next } = pages;
  const value = next === "" ? undefined : valueAt(answer.body, next);
  if (by === "link") {
    const header = /<([^>]*)>[^,]*rel="?next"?/.exec(answer.headers.link ?? "")?.[1];
    const link = next === "" ? header : value;
    if (typeof link !== "string" || link === "") return undefined;
    const url = new URL(link, request.url);
    if (url.origin !== new URL(request.url).origin) throw new Error(\`The next page is on another server (\${url.origin}).\`);
    return url.href === request.url ? undefined : { ...request, url: url.href, query: {} };
  }
  const inBody = request.method !== "GET" && request.method !== "HEAD";
  const body: Json = typeof request.body === "string" && inBody ? JSON.parse(request.body) : request.body;
  const before = inBody ? body?.[parameter] : request.query?.[parameter];
  const carried = by === "page" ? Number(before ?? page) + 1 : by === "offset" ? had : value;
  // A server that gives the same cursor again would be asked for ever.
  if (carried === undefined || carried === null || carried === "" || String(carried) === String(before)) return undefined;
  if (inBody) return { ...request, body: { ...body, [parameter]: carried } };
  return { ...request, query: { ...request.query, [parameter]: String(carried) } };
}

function valueAt(value: Json, path: string): Json {
  const steps = path.split(".").filter(Boolean);
  return steps.reduce<Json>((found, step) => (Array.isArray(found) ? found.at(Number(step)) : found?.[path] ?? found?.[step]), value);
}`,
  },
  calculate: {
    imports: ["expr-eval-fork", "3.0.3", "Parser"],
    code: `/** Calculates an arithmetic expression, rounded to 15 digits. */
function calculate(expression: string): number {
  const value: unknown = new Parser({ allowMemberAccess: false }).evaluate(expression.replaceAll("**", "^"));
  if (typeof value !== "number" || !Number.isFinite(value)) throw new Error("The expression does not give a finite number.");
  return Number(value.toPrecision(15));
}`,
  },
  askedFirst: {
    code: `/** Does a call once \`approve\` agrees to it. */
async function askedFirst(tool: string, args: Json, options: RunOptions, call: () => Promise<Json>): Promise<Json> {
  const agreed = (await options.approve?.({ tool, args })) ?? false;
  return agreed ? call() : "A person refused this call.";
}`,
  },
  toolResult: {
    code: `/** What a model sees of a call: its result cut to a length, or why it failed. */
async function toolResult(longest: number, call: () => Json | Promise<Json>): Promise<string> {
  try {
    const value = await call();
    const written = typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
    return written.length > longest ? \`\${written.slice(0, longest)}… (cut)\` : written;
  } catch (error) {
    return \`The call failed: \${error instanceof Error ? error.message : String(error)}\`;
  }
}`,
  },
};

/** The helpers that the program calls, and their imports. */
export function helperCode(file: CodeFile): string {
  const written = new Map<string, string>();
  const add = (name: string) => {
    const helper = helpers[name];
    if (helper === undefined || written.has(name)) return;
    for (const other of helper.uses ?? []) add(other);
    if (helper.imports) file.import(...helper.imports);
    written.set(name, helper.code);
  };
  for (const name of file.helpers) add(name);
  return [...written.values()].join("\n\n");
}

/** Names that no step of a program may have. */
export const helperNames: readonly string[] = [
  ...Object.keys(helpers),
  "isHost",
  "nextPage",
  "valueAt",
  "Pages",
  "HttpRequest",
  "Json",
  "Scope",
  "RunOptions",
];
