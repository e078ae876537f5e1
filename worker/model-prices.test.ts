import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { acceptModels, findModel, listDate } from "../src/engine/models/known-models.ts";
import { signUp } from "../supabase/local/testing/clients.ts";
import { type SharedStack, sharedTestStack } from "../supabase/local/testing/shared-stack.ts";
import { createRunQueue } from "./run-queue.ts";
import { workerStatements } from "./statements.ts";

const modelsSql = "select models -> 'openai' as models from private.studio_prices";

let stack: SharedStack;

beforeAll(async () => {
  stack = await sharedTestStack();
});
afterAll(() => stack.sql("delete from private.studio_prices"));

test("S92 accepted prices reach workers, and only the operator accepts any", async () => {
  const user = await signUp(stack);
  const accept = (models: unknown) =>
    user.client.rpc("studio_accept_prices", { p_models: models as object, p_source: "https://example.com/api.json" });
  const name = `model-${randomUUID()}`;
  const models = { openai: { [name]: { input: 1, output: 2 } } };
  await stack.sql("select public.studio_open_prices(false)");
  expect((await accept(models)).error).toMatchObject({ code: "42501", message: "not_operator" });
  await stack.sql("select public.studio_open_prices(true)");
  for (const wrong of [
    [],
    { openai: 5 },
    { openai: { a: { input: -1, output: 1 } } },
    { openai: { a: { input: "1" } } },
  ])
    expect((await accept(wrong)).error).toMatchObject({ code: "22023", message: expect.stringMatching(/price/i) });
  expect((await accept(models)).error).toBeNull();
  expect((await accept({ openai: { [`${name}-b`]: { input: 3, output: 4 } } })).error).toBeNull();
  const { data } = await user.client.rpc("studio_read_prices", { p_known: null });
  expect(data).toMatchObject({ revision: 2, mayAccept: true, acceptedOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });

  onTestFinished(() => acceptModels({}, listDate));
  const mayAsk =
    "select has_function_privilege('studio_worker', 'private.studio_model_prices(integer)', 'execute') as may";
  expect(await stack.sql(mayAsk)).toEqual([{ may: true }]);
  const queue = createRunQueue(
    {
      ask: (statement, parameters) => stack.sql(workerStatements[statement], [...parameters]),
      pollMs: 500,
      onWake: () => undefined,
      close: async () => undefined,
    },
    () => false,
  );
  await queue.takePrices();
  expect(findModel("openai", name)).toEqual({ input: 1, output: 2 });
  expect(findModel("openai", `${name}-b`)).toEqual({ input: 3, output: 4 });
  // A revision that is known is not sent again.
  acceptModels({}, listDate);
  await queue.takePrices();
  expect(findModel("openai", name)).toBeUndefined();
  // What is taken back counts no more.
  await stack.sql("select public.studio_open_prices(false)");
  expect((await user.client.rpc("studio_drop_prices")).error).toMatchObject({ code: "42501", message: "not_operator" });
  await stack.sql("select public.studio_open_prices(true)");
  acceptModels({ openai: { [name]: { input: 1, output: 2 } } }, listDate);
  expect((await user.client.rpc("studio_drop_prices")).error).toBeNull();
  await queue.takePrices();
  expect(findModel("openai", name)).toBeUndefined();
  expect((await user.client.rpc("studio_read_prices", { p_known: null })).data).toMatchObject({
    models: {},
    acceptedOn: null,
  });
  await accept(models);
  await accept({ openai: { [`${name}-b`]: { input: 3, output: 4 } } });
  // What a newer version has set aside does not come back along with another price.
  await stack.sql("update private.studio_prices set accepted_at = $1", [`${listDate}T00:00:00Z`]);
  const later = { p_models: { openai: { [`${name}-c`]: { input: 5, output: 6 } } }, p_source: "" };
  const kept = async () => Object.keys((await stack.sql<{ models: object }>(modelsSql))[0]?.models ?? {}).length;
  await user.client.rpc("studio_accept_prices", { ...later, p_known_on: listDate });
  expect(await kept()).toBe(3);
  await stack.sql("update private.studio_prices set accepted_at = $1::timestamptz - interval '1 second'", [
    `${listDate}T00:00:00Z`,
  ]);
  await user.client.rpc("studio_accept_prices", { ...later, p_known_on: listDate });
  expect(await kept()).toBe(1);
});
