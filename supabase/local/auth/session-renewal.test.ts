import { expect, test } from "vitest";
import { z } from "zod/mini";
import { signUp } from "../testing/clients.ts";
import { sharedTestStack } from "../testing/shared-stack.ts";

const stack = await sharedTestStack();

const session = z.object({ access_token: z.string(), refresh_token: z.string() });

async function renew(token: string) {
  const response = await fetch(`${stack.url}/auth/v1/token?grant_type=refresh_token`, {
    method: "POST",
    headers: { apikey: stack.key, "content-type": "application/json" },
    body: JSON.stringify({ refresh_token: token }),
  });
  const body: unknown = await response.json();
  return { status: response.status, body, next: session.safeParse(body).data };
}

/** A session whose token has been exchanged, with the tokens in their order. */
async function exchanged(times: number) {
  const { client, userId } = await signUp(stack);
  const tokens = [(await client.auth.getSession()).data.session?.refresh_token ?? ""];
  for (let count = 0; count < times; count += 1)
    tokens.push((await renew(tokens.at(-1) ?? "")).next?.refresh_token ?? "");
  return { userId, tokens };
}

/** Lets seconds pass for all tokens. */
const wait = (userId: string, seconds: number) =>
  stack.sql(
    "update auth.refresh_tokens set updated_at = updated_at - make_interval(secs => $2) where user_id::text = $1",
    [userId, seconds],
  );

const sessionsOf = (userId: string) => stack.sql("select 1 from auth.sessions where user_id::text = $1", [userId]);

test("S94 a token that was exchanged and comes again later ends the whole session, for whoever has it", async () => {
  const { userId, tokens } = await exchanged(3);
  const [stolen = "", , , newest = ""] = tokens;
  const { next } = await renew(newest);
  await wait(userId, 11);
  const again = await renew(stolen);
  expect([again.status, again.body]).toEqual([
    400,
    expect.objectContaining({ error_code: "refresh_token_already_used" }),
  ]);
  expect(await sessionsOf(userId)).toEqual([]);
  for (const token of [...tokens, next?.refresh_token ?? ""]) expect((await renew(token)).status).toBe(400);
  const look = () =>
    fetch(`${stack.url}/rest/v1/studio_workflows?select=id`, {
      headers: { apikey: stack.key, authorization: `Bearer ${next?.access_token}` },
    });
  await expect.poll(async () => (await look()).status).toBe(401);
});

test("S94 where an answer got lost, the successor that nobody has used is given again", async () => {
  const { userId, tokens } = await exchanged(1);
  await wait(userId, 86_400);
  const [first = "", second = ""] = tokens;
  const again = await renew(first);
  expect([again.status, again.next?.refresh_token]).toEqual([200, second]);
  expect((await renew(second)).status).toBe(200);
  expect(await sessionsOf(userId)).toHaveLength(1);
});

test("S94 two tabs that renew at once both go on, and other sessions of the account too", async () => {
  const { userId, tokens } = await exchanged(2);
  const [first = "", , newest = ""] = tokens;
  const again = await renew(first);
  expect([again.status, again.next?.refresh_token]).toEqual([200, newest]);
  expect((await renew(newest)).status).toBe(200);
  expect(await sessionsOf(userId)).toHaveLength(1);
  expect((await renew("test-key-unknown")).status).toBe(400);
});
