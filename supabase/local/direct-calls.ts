import { parseJson } from "../functions/_shared/json-scan.ts";
import type { SqlSession } from "./sql-session.ts";

/** How a function of the database is called with its arguments as one JSON object. */
interface Callable {
  /** SQL types by the names of its arguments. */
  arguments: ReadonlyMap<string, string>;
  statement(given: readonly string[]): string;
  returnsVoid: boolean;
}

const path = /^\/rest\/v1\/rpc\/([a-z_][a-z0-9_]*)$/;
/** SQLSTATE of a statement that took too long. */
const canceled = "57014";
const begin = `begin; set local role service_role; set local "request.jwt.claim.role" to 'service_role';
  set local "request.jwt.claims" to '{"role":"service_role"}'`;

/**
 * Answers calls of database functions that come with the service key, as the edge functions make several of for each request
 * of theirs: the same transaction, role and claims as the API library's, in a quarter of its time. Gives every other request
 * back for the library, and one of a call that failed and was rolled back: the library repeats it and puts its error into
 * words.
 */
export function createDirectCalls(
  session: SqlSession,
  secretKey: string,
): (request: Request) => Promise<Response | Request> {
  let callables: Promise<ReadonlyMap<string, Callable>> | undefined;

  return async (request) => {
    const { method, headers } = request;
    const { pathname, search } = new URL(request.url);
    const name = path.exec(pathname)?.[1];
    const isPlain = method === "POST" && search === "" && !headers.has("prefer") && !headers.has("authorization");
    if (name === undefined || !isPlain || headers.get("apikey") !== secretKey) return request;
    const callable = (await (callables ??= readCallables(session))).get(name);
    if (!callable) return request;
    // Two readers of one body would cost more than the call.
    const body = await request.text();
    const again = () => new Request(request.url, { method, headers, body });
    const given = objectOf(body);
    const names = Object.keys(given ?? {});
    if (!given || !names.every((one) => callable.arguments.has(one))) return again();
    try {
      await session.exec(begin);
      const { rows } = await session.query<{ answer: string | null }>(callable.statement(names), [body]);
      await session.exec("commit");
      if (callable.returnsVoid) return new Response(null, { status: 204 });
      return new Response(rows[0]?.answer ?? "null", {
        headers: { "content-type": "application/json; charset=utf-8" },
      });
    } catch (error) {
      await session.exec("rollback");
      // Repeated, it would take too long a second time.
      if (error instanceof Error && "code" in error && error.code === canceled) throw error;
      return again();
    }
  };
}

interface FunctionRow {
  name: string;
  returns_void: boolean;
  names: string[] | null;
  types: string[];
}

/** Functions that the service role may call by name, with arguments that all have names and one value as the result. */
async function readCallables(session: SqlSession): Promise<ReadonlyMap<string, Callable>> {
  const { rows } = await session.query<FunctionRow>(
    `select min(found.proname::text) as name, bool_or(found.prorettype = 'void'::regtype) as returns_void,
            min(found.proargnames) as names,
            coalesce(min((select array_agg(format_type(type, null) order by place)
                          from unnest(found.proargtypes) with ordinality as given (type, place))), '{}') as types
     from pg_catalog.pg_proc as found
     where found.pronamespace = 'public'::regnamespace and found.prokind = 'f' and found.provariadic = 0
       and has_function_privilege('service_role', found.oid, 'execute')
     group by found.proname
     having count(*) = 1 and not bool_or(found.proretset) and bool_and(found.proargmodes is null)`,
    [],
  );
  const callables = new Map<string, Callable>();
  for (const { name, returns_void, names, types } of rows) {
    const named = new Map((names ?? []).map((one, index) => [one, types[index] ?? ""]));
    if (named.size !== types.length || named.has("")) continue;
    callables.set(name, {
      arguments: named,
      statement(given) {
        const columns = given.map((one) => `"${one}" ${named.get(one)}`).join(", ");
        const source =
          given.length > 0 ? `json_to_record($1::json) as given(${columns})` : "(select $1::json) as given";
        const call = `public."${name}"(${given.map((one) => `"${one}" => given."${one}"`).join(", ")})`;
        return `select ${returns_void ? `${call}::text` : `to_json(${call})::text`} as answer from ${source}`;
      },
      returnsVoid: returns_void,
    });
  }
  return callables;
}

function objectOf(text: string): object | undefined {
  try {
    const value = parseJson(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
