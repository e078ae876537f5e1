/** Why a request is refused before it becomes SQL, in words for its sender. */
export interface Refusal {
  message: string;
  hint: string;
}

/** What a filter may compare by: cheap with an index or without, whatever the value. */
const operators = new Set(["eq", "neq", "gt", "gte", "lt", "lte", "like", "ilike", "is", "isdistinct", "in"]);
const reserved = new Set(["select", "order", "limit", "offset", "columns", "on_conflict"]);
const conditions = new Set(["and", "or", "not.and", "not.or"]);

const mostQueryCharacters = 12_000;
const mostParentheses = 4;
const mostConditions = 60;
const mostWildcards = 6;
/** Far above what a workflow's document needs, far below what overflows Postgres's stack. */
const maxLevels = 200;

/**
 * Whether a request below /rest/v1 asks for something that the studio does not use and that costs the database more than its
 * sender: patterns, text search, casts, other tables' rows in the same answer, plans, deep nesting.
 */
export function refusalOfRest(request: { method: string; url: string; headers: Headers }): Refusal | null {
  const { pathname, search, searchParams } = new URL(request.url);
  if (search.length > mostQueryCharacters) return tooLong;
  const accepted = request.headers.get("accept") ?? "";
  if (/vnd\.pgrst\.plan/i.test(accepted)) return notOffered("Plans of statements");
  const type = request.headers.get("content-type");
  if (type !== null && !/^application\/([\w.]+\+)?json\b/i.test(type)) return notOffered(`A body of type ${type}`);
  if (pathname.startsWith("/rest/v1/rpc/") && (request.method === "GET" || request.method === "HEAD")) {
    return searchParams.size === 0 ? null : notOffered("Calling a function by GET with arguments");
  }
  for (const [name, value] of searchParams) {
    const refusal = refusalOfParameter(name, value);
    if (refusal) return refusal;
  }
  return null;
}

function refusalOfParameter(name: string, value: string): Refusal | null {
  if (name.includes("::") || /[()]/.test(name)) return notOffered("Casts and functions of columns");
  if (name === "select" || name === "order" || name === "columns" || name === "on_conflict") {
    if (value.includes("::")) return notOffered("Casts of columns");
    return /[()]/.test(value) ? notOffered("Rows of other tables and functions of columns") : null;
  }
  if (reserved.has(name)) return null;
  if (conditions.has(name)) return refusalOfConditions(value);
  if (name.includes(".")) return notOffered("Filters on other tables");
  return refusalOfFilter(value);
}

/** A filter such as `eq.5`, `not.in.(1,2)` or `like(any).{a*,b*}`. */
function refusalOfFilter(value: string): Refusal | null {
  const [, operator = ""] = /^(?:not\.)?([a-z]+)(?:\((?:any|all)\))?\./i.exec(value) ?? [];
  if (!operators.has(operator)) return notOffered(operator === "" ? "This filter" : `The operator ${operator}`);
  const wildcards = /^i?like$/.test(operator) ? (value.match(/[*%]/g) ?? []).length : 0;
  return wildcards > mostWildcards ? tooManyConditions : null;
}

/** Conditions such as `(a.eq.1,or(b.gt.2,c.is.null))`. Quoted text is a value, whatever it holds. */
function refusalOfConditions(value: string): Refusal | null {
  const bare = value.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  if (bare.includes("::")) return notOffered("Casts of columns");
  if (depthOf(bare) > mostParentheses || bare.split(",").length > mostConditions) return tooManyConditions;
  const foreign = [...bare.matchAll(/[\w>-]+\.(?:not\.)?([a-z]+)(?:\((?:any|all)\))?\./g)].find(
    ([, operator]) => operator !== undefined && !operators.has(operator) && isOperator(operator),
  );
  return foreign ? notOffered(`The operator ${foreign[1]}`) : null;
}

function isOperator(name: string): boolean {
  return /^(i?match|p[lh]fts|w?fts|cs|cd|ov|sl|sr|nx[lr]|adj)$/.test(name);
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === "(") deepest = Math.max(deepest, (depth += 1));
    if (character === ")") depth -= 1;
  }
  return deepest;
}

/** Whether the JSON in a body is nested too deeply. Text in quotes does not count. */
export function refusalOfBody(body: Uint8Array): Refusal | null {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index];
    if (quoted) {
      if (byte === 0x5c) index += 1;
      else if (byte === 0x22) quoted = false;
    } else if (byte === 0x22) quoted = true;
    else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      if (depth > maxLevels) return tooDeep;
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1;
  }
  return null;
}

const tooLong: Refusal = {
  message: "The query is too long.",
  hint: `Keep it below ${mostQueryCharacters} characters; ask for fewer things at once.`,
};

const tooManyConditions: Refusal = {
  message: "The conditions are too many or nested too deeply.",
  hint: "Ask with fewer conditions, or with fewer wildcards.",
};

const tooDeep: Refusal = {
  message: `The JSON is nested more than ${maxLevels} levels deep.`,
  hint: "Make it flatter, or keep the nested part as text.",
};

function notOffered(what: string): Refusal {
  return {
    message: `${what} cannot be asked for here.`,
    hint: `The embedded database takes plain columns and the operators ${[...operators].join(", ")}.`,
  };
}
