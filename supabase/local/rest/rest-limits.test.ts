import { afterAll, beforeAll, expect, test } from "vitest";
import { refusalOfBody, refusalOfRest } from "./rest-limits.ts";
import { signUp, type SignedIn } from "../testing/clients.ts";
import { startTestStack, type TestStack } from "../testing/start-stack.ts";

let stack: TestStack;
let user: SignedIn;

beforeAll(async () => {
  stack = await startTestStack();
  user = await signUp(stack);
});

afterAll(() => stack.stop());

const table = "/rest/v1/studio_workflows";
const deep = "(".repeat(3_000) + ")".repeat(3_000);

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { apikey: stack.key, authorization: `Bearer ${user.accessToken}` };
  return fetch(`${stack.url}${path}`, { ...init, headers: { ...headers, ...init.headers } });
}

test.each([
  ["a nested pattern", `?name=match.${deep}`],
  ["a pattern without case", "?name=imatch.(a*)*b"],
  ["a negated pattern", "?name=not.match.a"],
  ["one of many patterns", "?name=match(any).{a,b}"],
  ["a pattern among conditions", "?or=(name.eq.a,name.match.b)"],
  ["a negated pattern among conditions", "?and=(name.not.imatch.b)"],
  ["a cast in select", "?select=document::text"],
  ["a cast of a column", "?name::tsquery=eq.a"],
  ["text search", "?name=fts.cat"],
  ["text search with a language", "?name=wfts(english).cat"],
  ["JSON containment", `?document=cs.${"[".repeat(3_000)}`],
  ["other tables' rows", "?select=id,studio_runs(id,studio_run_events(*))"],
  ["a filter on another table", "?studio_runs.status=eq.a"],
  ["an order by another table", "?order=studio_runs(id)"],
  ["an aggregate", "?select=id.count()"],
  ["many wildcards", `?name=like.${"*a".repeat(40)}`],
  ["deep conditions", `?or=${"(or".repeat(30)}(name.eq.a)${")".repeat(30)}`],
  ["a very long query", `?name=eq.${"a".repeat(13_000)}`],
])("S61 %s is refused before it becomes SQL", async (_what, query) => {
  const response = await ask(table + query);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: "not_offered", hint: expect.stringMatching(/\S/) });
});

test("S61 plans, odd bodies and deeply nested JSON are refused as well", async () => {
  expect((await ask(table, { headers: { accept: "application/vnd.pgrst.plan+json" } })).status).toBe(400);
  const csv = { method: "POST", headers: { "content-type": "text/csv" }, body: "name\na" };
  expect((await ask(table, csv)).status).toBe(400);
  const nested = "[".repeat(5_000) + "]".repeat(5_000);
  const document = { method: "POST", headers: { "content-type": "application/json" }, body: `{"document":${nested}}` };
  expect((await ask(table, document)).status).toBe(400);
  expect((await ask("/rest/v1/rpc/studio_find_runs?p_limit=1")).status).toBe(400);
});

test("what the studio asks for passes", () => {
  const queries = [
    "?select=id,name,document->nodes&order=updated_at.desc,id&limit=50&offset=100",
    "?id=in.(1,2,3)&deleted_at=is.null&seq=gte.4&name=not.eq.a",
    "?or=(name.ilike.*a*,and(at.lt.2026-01-01T00:00:00.000Z,id.gt.5))",
    `?or=(name.eq."a.match.b(((((","name".eq.x)`,
    "?name=eq.match.a&columns=name,document&on_conflict=owner,name",
  ];
  for (const query of queries) {
    const url = `http://127.0.0.1${table}${query}`;
    expect(refusalOfRest({ method: "GET", url, headers: new Headers() }), query).toBeNull();
  }
  const words = JSON.stringify({ text: `${"[".repeat(1_000)}\\"${"{".repeat(1_000)}` });
  expect(refusalOfBody(new TextEncoder().encode(words))).toBeNull();
});
