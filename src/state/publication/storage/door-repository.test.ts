import { PostgrestClient } from "@supabase/postgrest-js";
import { beforeAll, expect, test } from "vitest";
import { signUp, type SignedIn } from "../../../../supabase/local/testing/clients.ts";
import { plant } from "../../../../supabase/local/testing/sample-rows.ts";
import { type SharedStack, sharedTestStack } from "../../../../supabase/local/testing/shared-stack.ts";
import { createDoorRepository } from "./door-repository.ts";

let stack: SharedStack;
let user: SignedIn;

beforeAll(async () => {
  stack = await sharedTestStack();
  user = await signUp(stack);
});

/** The repository as the signed-in user's page has it. */
function doorsOf(embedded = true) {
  const config = { supabaseUrl: stack.url, supabaseKey: stack.key, embedded };
  const headers = { apikey: stack.key, authorization: `Bearer ${user.accessToken}` };
  const database = new PostgrestClient(`${stack.url}/rest/v1`, { headers });
  return createDoorRepository({ config, database });
}

test("a webhook's settings are saved and found, its secrets by name alone, and its last request", async () => {
  const workflow = String((await plant(stack, "studio_publications", user)).workflow_id);
  const doors = doorsOf();
  expect(await doors.find(workflow, "hook")).toBeUndefined();
  expect(await doors.lastHookRequest(workflow)).toBeUndefined();
  await doors.save(workflow, "hook", { enabled: true, config: { scheme: "bearer" } });
  await doors.renewHookSecret(workflow, "test-key-first", { keepPrevious: true });
  await doors.renewHookSecret(workflow, "test-key-second", { keepPrevious: true });
  const found = await doors.find(workflow, "hook");
  expect(found).toEqual({ enabled: true, config: { scheme: "bearer" }, secrets: ["current", "previous"] });
  await doors.save(workflow, "hook", { enabled: false, config: {}, secrets: { previous: null } });
  expect(await doors.find(workflow, "hook")).toEqual({ enabled: false, config: {}, secrets: ["current"] });
  await stack.sql("select public.studio_note_known_deliveries($1, 2)", [workflow]);
  await stack.sql("select public.studio_note_known_deliveries($1, 1)", [workflow]);
  expect(await doors.find(workflow, "hook")).toMatchObject({
    knownDeliveries: { count: 3, lastAt: expect.any(String) },
  });
  await stack.sql(
    "update public.studio_doors set known_delivery_at = now() - interval '8 days' where workflow_id = $1",
    [workflow],
  );
  await stack.sql("select public.studio_note_known_deliveries($1, 1)", [workflow]);
  expect(await doors.find(workflow, "hook")).toMatchObject({ knownDeliveries: { count: 1 } });
  await stack.sql("select public.studio_keep_hook_request($1, $2)", [workflow, JSON.stringify({ method: "PUT" })]);
  expect(await doors.lastHookRequest(workflow)).toMatchObject({ request: { method: "PUT" } });
});

test("S76 settings and secrets of another form are refused in words, and limits that nothing can be counted by", async () => {
  const workflow = String((await plant(stack, "studio_publications", user)).workflow_id);
  const call = async (name: string, parameters: object) => {
    const response = await fetch(`${stack.url}/rest/v1/rpc/${name}`, {
      method: "POST",
      headers: { apikey: stack.key, authorization: `Bearer ${user.accessToken}`, "content-type": "application/json" },
      body: JSON.stringify(parameters),
    });
    return [response.status, await response.text()] as const;
  };
  const door = { p_workflow_id: workflow, p_kind: "chat", p_enabled: true };
  for (const [given, words] of [
    [{ p_config: [], p_secrets: null }, "have to be an object"],
    [{ p_config: {}, p_secrets: { passwordHash: 5 } }, "object of texts"],
    [{ p_config: {}, p_secrets: ["x"] }, "object of texts"],
  ] as const)
    expect(await call("studio_save_door", { ...door, ...given })).toEqual([400, expect.stringContaining(words)]);
  for (const limits of [{ dayUsd: "much" }, { concurrent: -1 }, { perMinute: null }, ["x"]]) {
    const refused = [400, expect.stringMatching(/have to be an object|has to be a number/)];
    const publication = { p_workflow_id: workflow, p_limits: limits, p_on_failure: null };
    expect(await call("studio_set_publication", publication)).toEqual(refused);
    expect(await call("studio_make_api_key", { p_name: "x", p_scopes: [], p_limits: limits })).toEqual(refused);
  }
  expect(await call("studio_save_door", { ...door, p_config: {}, p_secrets: null })).toEqual([204, ""]);
});

test("a refusal is told, and the address is the embedded studio's or the function's", async () => {
  const wrong = "00000000-0000-4000-8000-000000000000";
  await expect(doorsOf().save(wrong, "hook", { enabled: true, config: {} })).rejects.toMatchObject({
    name: "ServiceError",
  });
  expect(await doorsOf().address("/hooks/a")).toBe(`${stack.url}/hooks/a`);
  expect(await doorsOf(false).address("/hooks/a")).toBe(`${stack.url}/functions/v1/doors/hooks/a`);
});
