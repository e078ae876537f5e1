import { beforeAll, expect, it } from "vitest";
import { type SharedStack, sharedTestStack } from "../../../../supabase/local/testing/shared-stack.ts";
import type { ApiKeyService } from "../../../services/services.ts";
import { createAuthService } from "../../account/storage/auth-service.ts";
import { createApiKeys } from "./api-keys.ts";
import { createSupabaseClient } from "../../shared/storage/supabase-client.ts";

let stack: SharedStack;
let userId: string;
let keys: ApiKeyService;

beforeAll(async () => {
  stack = await sharedTestStack();
  const config = { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true };
  const client = createSupabaseClient(config, { persistSession: false });
  userId = (await createAuthService(client, null).enterAsGuest()).id;
  keys = createApiKeys(client);
});

it("S73 makes a key that is seen once, lists it with what it may and spent, and revokes it", async () => {
  const draft = {
    name: "Shop",
    scopes: ["run:answers", "runs:read"],
    limits: { origins: ["https://shop.test"], dayUsd: 2 },
    expiresAt: "2030-01-01T00:00:00+00:00",
  };
  const key = await keys.make(draft);
  expect(key).toMatch(/^sy_[A-Za-z0-9_-]{43}$/);
  const [made] = await keys.list();
  expect(made).toMatchObject({
    ...draft,
    prefix: key.slice(0, 9),
    lastUsedAt: null,
    revokedAt: null,
    spent: { dayUsd: 0, monthUsd: 0 },
    runs: 0,
  });
  await stack.sql(
    "insert into private.studio_key_spending values ($1, (now() at time zone 'utc')::date, 0.25), ($1, '2020-01-01', 9)",
    [made?.id],
  );
  await keys.revoke(made?.id ?? "");
  expect(await keys.list()).toMatchObject([{ revokedAt: expect.any(String), spent: { dayUsd: 0.25, monthUsd: 0.25 } }]);
});

it("gives the addresses of what is published", async () => {
  await stack.sql(
    `with made as (insert into public.studio_workflows (owner, name) values ($1, 'Answers') returning id, owner)
     insert into public.studio_publications (workflow_id, owner, slug) select id, owner, 'answers' from made`,
    [userId],
  );
  expect(await keys.slugs()).toEqual(["answers"]);
});

it("says that there are too many keys", async () => {
  await stack.sql(
    `insert into public.studio_api_keys (owner, name, prefix, scopes)
     select $1, 'Many', 'sy_abcdef', '["run:*"]' from generate_series(1, 200)`,
    [userId],
  );
  const draft = { name: "One more", scopes: ["run:*"], limits: {}, expiresAt: null };
  await expect(keys.make(draft)).rejects.toMatchObject({ kind: "full", message: expect.stringContaining("200") });
});
