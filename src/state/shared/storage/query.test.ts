import { z } from "zod/mini";
import { expect, test } from "vitest";
import { createSupabaseClient } from "./supabase-client.ts";
import { query } from "./query.ts";

const config = { supabaseUrl: "http://127.0.0.1:1", supabaseKey: "test-key-anon", embedded: false };
const answers: typeof fetch = async () => Response.json([{ id: "1", revision: 2 }]);

test("a column that the database does not return does not compile", async () => {
  const { database } = createSupabaseClient(config, { persistSession: false, fetch: answers });
  const row = z.object({ id: z.string(), revision: z.number() });
  const workflows = () => database.from("studio_workflows");
  expect(await query("read", z.array(row), workflows().select("id,revision"))).toEqual([{ id: "1", revision: 2 }]);
  // @ts-expect-error Not selected.
  await query("read", z.array(row), workflows().select("id"));
  // @ts-expect-error No column of the table.
  await query("read", z.array(row), workflows().select("id,revision,revisions"));
  // @ts-expect-error No column of the function's rows.
  await query("read", z.array(z.object({ labels: z.string() })), database.rpc("studio_workflow_tags")).catch(() => {});
});
