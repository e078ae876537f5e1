import { afterAll, expect, test } from "vitest";
import { signUp } from "../../../../supabase/local/testing/clients.ts";
import { killDatabase } from "../../../../supabase/local/testing/faults.ts";
import { startTestStack } from "../../../../supabase/local/testing/start-stack.ts";
import { createDatabasePause } from "./database-pause.ts";

const stack = await startTestStack({ statementDeadlineMs: 20_000 });
afterAll(() => stack.stop());

test("S61 what a page saves while the database restarts is saved once it is back", async () => {
  const { accessToken, userId } = await signUp(stack);
  const pause = createDatabasePause(`${stack.url}/.well-known/switchyard`);
  const send = pause.patient(fetch);
  const insert = (name: string) =>
    send(`${stack.url}/rest/v1/studio_workflows`, {
      method: "POST",
      headers: { apikey: stack.key, authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
      body: JSON.stringify({ name, document: {} }),
    });
  expect((await insert("before")).status).toBe(201);
  killDatabase(stack);
  await expect.poll(() => stack.database.state, { interval: 5 }).toBe("restarting");
  const answers = await Promise.all(["one", "two"].map(insert));
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(pause.isAway()).toBe(false);
  const sql = "select name from public.studio_workflows where owner = $1 order by name";
  expect(await stack.sql(sql, [userId])).toEqual([{ name: "before" }, { name: "one" }, { name: "two" }]);
}, 300_000);

const refused = (reason: string) =>
  new Response(null, { status: 503, headers: { "x-switchyard-database": reason, "retry-after": "1" } });

test("a page knows that the database is away until it answers again", async () => {
  const answers = [refused("not-started"), new Response("done")];
  const pause = createDatabasePause("data:application/json,{}", async () => undefined);
  const seen: boolean[] = [];
  pause.subscribe(() => seen.push(pause.isAway()));
  const response = await pause.patient(async () => answers.shift() ?? refused("not-started"))("http://127.0.0.1/");
  expect(await response.text()).toBe("done");
  expect(seen).toEqual([true, false]);
});

test("a write that may have been done is not sent again", async () => {
  let sent = 0;
  const pause = createDatabasePause("data:application/json,{}", () => new Promise(() => undefined));
  const send = pause.patient(async () => {
    sent += 1;
    return refused("outcome-unknown");
  });
  expect((await send("http://127.0.0.1/", { method: "POST" })).status).toBe(503);
  expect(sent).toBe(1);
  expect(pause.isAway()).toBe(true);
});
