import { setTimeout as sleep } from "node:timers/promises";
import type { SignedIn } from "./clients.ts";
import type { TestStack } from "./start-stack.ts";

/** What a stack told a client that went on asking: 200, or 503 with the seconds after which to come again. */
export interface Told {
  served: number;
  refused: number;
  /** Anything else, such as an error or a 503 that does not say when to come again. */
  wrong: string[];
}

/** Statements that no stack may let others wait for. */
export const attacks = {
  /** Never ends within a test. */
  long: "select count(*) from generate_series(1, 100000000000) as n",
  /** Grows with the fourth power of the text's length, which is odd. */
  backReference: `select repeat('a', 1201) ~ '^(a*)(a*)(a*)\\1\\2\\3$'`,
  nestedJson: `select repeat('[', 200000)::jsonb`,
  nestedPattern: `select 'x' ~ (repeat('(', 30000) || repeat(')', 30000))`,
  nestedWords: `select (repeat('(', 200000) || 'x' || repeat(')', 200000))::tsquery`,
};

/** A read by `user` through the API, as a page makes it. */
export function read(stack: TestStack, user: SignedIn): Promise<Response> {
  const headers = { apikey: stack.key, authorization: `Bearer ${user.accessToken}` };
  return fetch(`${stack.url}/rest/v1/studio_workflows?select=id`, { headers });
}

/** Reads as `user` until `until` resolves, and tells how each request ended. */
export async function readMeanwhile(stack: TestStack, user: SignedIn, until: Promise<unknown>): Promise<Told> {
  const told: Told = { served: 0, refused: 0, wrong: [] };
  const over = watch(until);
  while (!over.aborted) {
    const response = await read(stack, user);
    const text = await response.text();
    if (response.status === 200) told.served += 1;
    else if (response.status === 503 && Number(response.headers.get("retry-after")) > 0) told.refused += 1;
    else told.wrong.push(`${response.status} ${text}`);
    await sleep(20);
  }
  return told;
}

/**
 * Inserts workflows as `user` until `until` resolves; one that is refused is tried again. Returns the names whose insertion
 * was acknowledged.
 */
export async function writeMeanwhile(user: SignedIn, until: Promise<unknown>): Promise<string[]> {
  const acknowledged: string[] = [];
  const over = watch(until);
  for (let index = 0; !over.aborted; index += 1) {
    const name = `write ${Date.now()} ${index}`;
    const { error } = await user.client.from("studio_workflows").insert({ name, document: {} });
    if (!error) acknowledged.push(name);
    else await sleep(20);
  }
  return acknowledged;
}

/** Aborted once `until` has settled. */
function watch(until: Promise<unknown>): AbortSignal {
  const over = new AbortController();
  void until.catch(() => undefined).finally(() => over.abort());
  return over.signal;
}

/** Ends the process that holds the database, as a crash does. */
export function killDatabase(stack: TestStack): void {
  if (stack.database.pid !== undefined) process.kill(stack.database.pid, "SIGKILL");
}
