import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { createTestClient, type SignedIn, signUp } from "../testing/clients.ts";
import { startTestStack } from "../testing/start-stack.ts";
import { createInvite } from "./invites.ts";
import { createResetLink } from "./reset-links.ts";

/*
 * What happens at once, and must come out as if it had happened in some order.
 */

const stack = await startTestStack();
const invited = await startTestStack({ signUp: "invite" });
afterAll(() => Promise.all([stack.stop(), invited.stop()]));

const tries = Array.from({ length: 10 }, (_, at) => at);

async function post(url: string, key: string, path: string, body: object): Promise<number> {
  const headers = { apikey: key, "content-type": "application/json" };
  const response = await fetch(`${url}/auth/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  await response.body?.cancel();
  return response.status;
}

const reads = async ({ client }: Pick<SignedIn, "client">) =>
  (await client.from("studio_workflows").select("id")).error === null;

/** Signs in as often as it can until it is stopped; what it got is what may survive. */
async function keepSigningIn(user: SignedIn, isOver: () => boolean) {
  const clients: Pick<SignedIn, "client">[] = [];
  while (!isOver() && clients.length < 20) {
    const client = createTestClient(stack);
    const { error } = await client.auth.signInWithPassword({ email: user.email, password: user.password });
    if (error) break;
    clients.push({ client });
  }
  return clients;
}

/** Renews its session as often as it can until it is stopped. */
async function keepRenewing(user: SignedIn, isOver: () => boolean) {
  for (let renewed = 0; !isOver() && renewed < 40; renewed += 1) {
    if ((await user.client.auth.refreshSession()).error) break;
  }
}

describe("S65 an invite", () => {
  test("makes one account, however many use it at once, with others that fail meanwhile", async () => {
    for (const at of tries) {
      const invite = await createInvite(invited.jwtSecret, 7);
      const join = (password: string) =>
        post(invited.url, invited.key, "signup", { email: `${randomUUID()}@example.test`, password, data: { invite } });
      const before = await invited.sql("select id from auth.users");
      const good = "a-good-test-password";
      await Promise.all([join("short"), join(good), join("no"), join(good), join(good), join("x")]);
      const after = await invited.sql("select id from auth.users");
      expect(after.length - before.length, `try ${at}`).toBeLessThanOrEqual(1);
      // One that was given back meanwhile still works; one that was used does not.
      expect(await join(good)).toBe(after.length > before.length ? 422 : 200);
    }
  });
});

describe("S65 a new password by a link", () => {
  const linkFor = async (user: SignedIn) => {
    const [row] = await stack.sql<{ mark: string }>("select public.studio_password_mark($1) as mark", [user.email]);
    const link = await createResetLink(stack.jwtSecret, stack.url, { email: user.email, mark: row?.mark ?? "" });
    return link.split("#reset=")[1] ?? "";
  };

  test("is taken once, and no session survives that began or was renewed at the same time", async () => {
    for (const at of tries) {
      const user = await signUp(stack);
      const token = await linkFor(user);
      let over = false;
      const signingIn = [keepSigningIn(user, () => over), keepSigningIn(user, () => over)];
      const renewing = keepRenewing(user, () => over);
      await new Promise((resolve) => setTimeout(resolve, at * 10));
      const used = await Promise.all(
        [1, 2, 3].map((n) =>
          post(stack.url, stack.key, "reset-password", { token, password: `new-test-password-${n}` }),
        ),
      );
      over = true;
      const clients = (await Promise.all(signingIn)).flat();
      await renewing;
      expect(used.toSorted()).toEqual([200, 403, 403]);
      const left = await Promise.all([user, ...clients].map(reads));
      expect(left.filter(Boolean), `try ${at}, ${clients.length} sessions`).toEqual([]);
      expect(await stack.sql("select id from auth.sessions where user_id = $1", [user.userId])).toEqual([]);
    }
  });
});

describe("S65 an account that is deleted", () => {
  test("takes nothing that is done at the same time, and is deleted once", async () => {
    for (const at of tries) {
      const user = await signUp(stack);
      let over = false;
      const isOver = () => over;
      const writing = async () => {
        for (let row = 0; !isOver() && row < 50; row += 1) {
          const { error } = await user.client
            .from("studio_workflows")
            .insert({ id: randomUUID(), owner: user.userId, title: `Row ${row}`, document: {} });
          if (error && row > 0) break;
        }
      };
      const work = [writing(), writing(), keepSigningIn(user, isOver), keepRenewing(user, isOver)];
      await new Promise((resolve) => setTimeout(resolve, at * 5));
      const gone = await Promise.all([1, 2].map(() => user.client.rpc("studio_delete_my_account")));
      const change = user.client.auth.updateUser({ password: "another-test-password" });
      over = true;
      await Promise.all([...work, change]);
      expect(gone.some(({ error }) => error === null)).toBe(true);
      await expect.poll(() => stack.sql("select id from auth.users where id = $1", [user.userId])).toEqual([]);
      for (const table of [
        "public.studio_workflows where owner",
        "auth.sessions where user_id",
        "auth.identities where user_id",
      ])
        expect(await stack.sql(`select 1 from ${table} = $1`, [user.userId]), table).toEqual([]);
      const { email, password } = user;
      // By the last rounds the network may have tried too often.
      expect([400, 429]).toContain(await post(stack.url, stack.key, "token?grant_type=password", { email, password }));
    }
  });
});
