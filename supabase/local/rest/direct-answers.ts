import type { JWTPayload } from "jose";
import { parseJson } from "../../functions/_shared/json-scan.ts";
import { type DirectFunction, readDirectFunctions } from "../../functions/_shared/database-functions.ts";
import { serviceSettings, settingsSql, userSettings } from "../../functions/_shared/transaction-settings.ts";
import { directSelect, readTables, type Tables } from "./direct-selects.ts";
import type { InstanceKeys } from "../database/keys.ts";
import type { SqlSession } from "../database/sql-session.ts";
import { createTokenReader, isInTime } from "../auth/token-reader.ts";
import { loadOnce } from "../../../src/engine/load-once.ts";

const path = /^\/rest\/v1\/(rpc\/)?([a-z_][a-z0-9_]*)$/;
/** With any of these PostgREST's other rules apply. */
const unusual = ["prefer", "range", "range-unit"];
const plainTypes = new Set([null, "*/*", "application/json"]);
/** SQLSTATE of a statement that took too long. */
const canceled = "57014";
const json = { "content-type": "application/json; charset=utf-8" };

interface Catalog {
  functions: ReadonlyMap<string, DirectFunction>;
  tables: Tables;
}

/** What is to be asked of the database for a request. */
interface Question {
  sql: string;
  parameters: string[];
  toResponse(row: { answer: string | null; found?: number } | undefined): Response;
}

/**
 * Answers what the studio and its functions ask most: calls of database functions, and plain reads of tables, by a
 * signed-in user or with the service key. The transaction, role and claims are the API library's, in a quarter of its time,
 * part of which it spends on looking up a session that has been looked up before (session-guard.ts). Gives every other
 * request back for the library, and one that failed and was rolled back: the library repeats it and puts its error into words.
 */
export function createDirectAnswers(
  session: SqlSession,
  keys: Pick<InstanceKeys, "jwtSecret" | "publishableKey" | "secretKey">,
): (request: Request) => Promise<Response | Request> {
  const catalog = loadOnce(() => readCatalog(session));
  const callerOf = createCallerReader(keys);

  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const [, isCall, name] = path.exec(pathname) ?? [];
    if (name === undefined || request.method !== (isCall ? "POST" : "GET") || !isPlain(request.headers)) return request;
    const settings = await callerOf(request.headers);
    if (settings === null) return request;
    const { functions, tables } = await catalog();
    if (!isCall) return answerBy(session, settings, readOf(tables, name, searchParams), request);
    const called = functions.get(name);
    if (!called || searchParams.size > 0) return request;
    // Two readers of one body would cost more than the call.
    const { url, method, headers } = request;
    const body = await request.text();
    return answerBy(session, settings, callOf(called, body), new Request(url, { method, headers, body }));
  };
}

async function readCatalog(session: SqlSession): Promise<Catalog> {
  return { functions: await readDirectFunctions(session), tables: await readTables(session) };
}

function isPlain(headers: Headers): boolean {
  const isPublic = ["accept-profile", "content-profile"].every((name) => (headers.get(name) ?? "public") === "public");
  return isPublic && plainTypes.has(headers.get("accept")) && !unusual.some((name) => headers.has(name));
}

async function answerBy(
  session: SqlSession,
  settings: string,
  question: Question | null,
  request: Request,
): Promise<Response | Request> {
  if (question === null) return request;
  try {
    await session.exec(`begin; ${settings}`);
    const { rows } = await session.query<{ answer: string | null; found?: number }>(question.sql, question.parameters);
    await session.exec("commit");
    return question.toResponse(rows[0]);
  } catch (error) {
    await session.exec("rollback");
    // Repeated, it would take too long a second time.
    if (error instanceof Error && "code" in error && error.code === canceled) throw error;
    return request;
  }
}

function readOf(tables: Tables, table: string, asked: URLSearchParams): Question | null {
  const select = directSelect(tables, table, asked);
  if (!select) return null;
  const { sql, parameters, offset } = select;
  return {
    sql,
    parameters,
    toResponse(row) {
      const found = row?.found ?? 0;
      const range = found === 0 ? "*/*" : `${offset}-${offset + found - 1}/*`;
      return new Response(row?.answer ?? "[]", { headers: { ...json, "content-range": range } });
    },
  };
}

function callOf(called: DirectFunction, body: string): Question | null {
  const given = objectOf(body);
  const names = Object.keys(given ?? {});
  if (!given || !names.every((one) => called.arguments.has(one))) return null;
  return {
    sql: called.statement(names),
    parameters: [body],
    toResponse: (row) =>
      called.returnsVoid ? new Response(null, { status: 204 }) : new Response(row?.answer ?? "null", { headers: json }),
  };
}

/** Reads who asks: the SQL that gives a transaction their role and claims; null where the library must judge. */
function createCallerReader(
  keys: Pick<InstanceKeys, "jwtSecret" | "publishableKey" | "secretKey">,
): (headers: Headers) => Promise<string | null> {
  const readToken = createTokenReader(keys.jwtSecret);
  const asService = settingsSql(serviceSettings);
  const asUsers = new WeakMap<JWTPayload, string>();
  return async (headers) => {
    const [apikey, authorization] = [headers.get("apikey"), headers.get("authorization")];
    if (authorization === null) return apikey === keys.secretKey ? asService : null;
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(authorization)?.[1];
    if (apikey !== keys.publishableKey || token === undefined) return null;
    const claims = await readToken(token);
    if (claims?.["role"] !== "authenticated" || claims.sub === undefined || !isOfNow(claims)) return null;
    const known = asUsers.get(claims);
    if (known !== undefined) return known;
    const settings = settingsSql(userSettings(claims.sub, claims));
    asUsers.set(claims, settings);
    return settings;
  };
}

/** The API library also refuses a token that was made in the future. */
function isOfNow(claims: JWTPayload): boolean {
  return isInTime(claims, Date.now(), 0) && (claims.iat === undefined || claims.iat <= Date.now() / 1_000);
}

function objectOf(text: string): object | undefined {
  try {
    const value = parseJson(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
