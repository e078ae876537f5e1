import { once } from "node:events";
import { createServer } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { createResetLink } from "../../../../supabase/local/auth/reset-links.ts";
import { type SharedStack, sharedTestStack } from "../../../../supabase/local/testing/shared-stack.ts";
import type { Account, ServiceError } from "../../../services/services.ts";
import { createAuthService } from "./auth-service.ts";
import type { KeyValueStorage } from "./guest-account.ts";
import { createSupabaseClient } from "../../shared/storage/supabase-client.ts";

let stack: SharedStack;

beforeAll(async () => {
  stack = await sharedTestStack();
});

function mapStorage(): KeyValueStorage & { entries: Map<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  };
}

const brokenStorage: KeyValueStorage = {
  getItem: () => {
    throw new Error("denied");
  },
  setItem: () => {
    throw new Error("full");
  },
  removeItem: () => {},
};

/** A browser of its own: another client, another storage. */
function browser(storage: KeyValueStorage | null = mapStorage(), url = stack.url) {
  const config = { supabaseUrl: url, supabaseKey: stack.key, embedded: true };
  return createAuthService(createSupabaseClient(config, { persistSession: false }), storage);
}

/** The words of a refusal; the value itself when there is none. */
const failure = (attempt: Promise<unknown>) => attempt.catch((error: ServiceError) => error.message);

describe("a guest", () => {
  it("enters with one call and comes back as the same one after signing out", async () => {
    const auth = browser();
    const first = await auth.enterAsGuest();
    expect(first).toEqual({ id: first.id, guest: true });
    await auth.signOut();
    expect(await auth.current()).toBeNull();
    expect(await auth.enterAsGuest()).toEqual(first);
  });

  it("is someone else in another browser", async () => {
    const [one, other] = await Promise.all([browser().enterAsGuest(), browser().enterAsGuest()]);
    expect(one.id).not.toBe(other.id);
  });

  it("starts afresh where the server does not know it any more", async () => {
    const storage = mapStorage();
    storage.setItem(
      "switchyard:guest",
      JSON.stringify({ email: "guest-0@guest.local", password: "of another server" }),
    );
    const account = await browser(storage).enterAsGuest();
    expect(account.guest).toBe(true);
    expect(storage.entries.get("switchyard:guest")).not.toContain("guest-0@");
  });

  it("S60 enters where storage is off or broken", async () => {
    expect((await browser(null).enterAsGuest()).guest).toBe(true);
    expect((await browser(brokenStorage).enterAsGuest()).guest).toBe(true);
  });
});

describe("a guest who wants an account", () => {
  it("becomes one with the same id, is told of it, and is no guest of this browser any more", async () => {
    const storage = mapStorage();
    const auth = browser(storage);
    const guest = await auth.enterAsGuest();
    const heard: (Account | null)[] = [];
    const stop = auth.onChange((account) => heard.push(account));
    const account = await auth.keepGuest("kept@example.test", "long-enough-1");
    expect(account).toEqual({ id: guest.id, guest: false, email: "kept@example.test" });
    await expect.poll(() => heard.at(-1)).toEqual(account);
    stop();
    expect(auth.knowsGuest()).toBe(false);
    await auth.signOut();
    expect(await browser().signIn("kept@example.test", "long-enough-1")).toEqual(account);
  });

  it("is told when the address is taken, and stays a guest", async () => {
    await browser().signUp("owned@example.test", "long-enough-1");
    const auth = browser();
    const guest = await auth.enterAsGuest();
    expect(await failure(auth.keepGuest("owned@example.test", "long-enough-1"))).toContain("already");
    expect(await auth.current()).toEqual(guest);
    expect(auth.knowsGuest()).toBe(true);
  });
});

describe("an account that its owner deletes", () => {
  const users = (email: string) => stack.sql("select id from auth.users where email = $1", [email]);

  it("S65 is kept where the password is wrong, which counts as at the door", async () => {
    const auth = browser();
    await auth.signUp("leaves@example.test", "long-enough-1");
    expect(await failure(auth.deleteAccount("not-this-one"))).toBe("The password is wrong.");
    expect(auth.wasDeleted()).toBe(false);
    for (let time = 1; time < 5; time += 1) await failure(auth.deleteAccount(`guess-${time}`));
    expect(await failure(auth.deleteAccount("long-enough-1"))).toBe("There were too many attempts.");
    expect(await users("leaves@example.test")).toHaveLength(1);
    expect((await auth.current())?.email).toBe("leaves@example.test");
  });

  it("is gone, in this tab and in the others, and no session of it is said to have ended", async () => {
    const storage = mapStorage();
    const auth = browser(storage);
    const heard: (Account | null)[] = [];
    let ended = 0;
    const stops = [auth.onChange((account) => heard.push(account)), auth.onEnded(() => (ended += 1))];
    const account = await auth.signUp("goes@example.test", "long-enough-1");
    await auth.deleteAccount("long-enough-1");
    await expect.poll(() => heard.at(-1)).toBeNull();
    expect(ended).toBe(0);
    for (const stop of stops) stop();
    expect(await auth.current()).toBeNull();
    expect(auth.wasDeleted()).toBe(true);
    // Another tab of this browser.
    expect(browser(storage).wasDeleted()).toBe(true);
    expect(await users("goes@example.test")).toEqual([]);
    expect(await failure(auth.signIn("goes@example.test", "long-enough-1"))).toContain("do not match");
    const again = await auth.signUp("goes@example.test", "long-enough-2");
    expect(again.id).not.toBe(account.id);
    expect(auth.wasDeleted()).toBe(false);
  });

  it("is a guest's by the password that this browser keeps, which goes with it", async () => {
    const storage = mapStorage();
    const auth = browser(storage);
    const guest = await auth.enterAsGuest();
    await stack.sql("update auth.sessions set created_at = now() - interval '1 hour' where user_id = $1", [guest.id]);
    await auth.deleteAccount(null);
    expect(auth.knowsGuest()).toBe(false);
    await expect.poll(() => stack.sql("select id from auth.users where id = $1", [guest.id])).toEqual([]);
    expect((await auth.enterAsGuest()).id).not.toBe(guest.id);
  });

  it("S65 stays where a guest's password is not known any more, until the guest has one", async () => {
    const storage = mapStorage();
    const auth = browser(storage);
    const guest = await auth.enterAsGuest();
    storage.entries.delete("switchyard:guest");
    await stack.sql("update auth.sessions set created_at = now() - interval '1 hour' where user_id = $1", [guest.id]);
    expect(await failure(auth.deleteAccount(null))).toContain("sign in again");
    await auth.keepGuest("named@example.test", "long-enough-1");
    await auth.deleteAccount("long-enough-1");
    expect(await auth.current()).toBeNull();
  });
});

describe("a password", () => {
  it("is changed by whoever knows the current one", async () => {
    const auth = browser();
    await auth.signUp("changes@example.test", "long-enough-1");
    expect(await failure(auth.changePassword("not-this-one", "long-enough-2"))).toBe("The current password is wrong.");
    await auth.changePassword("long-enough-1", "long-enough-2");
    expect((await browser().signIn("changes@example.test", "long-enough-2")).guest).toBe(false);
  });

  it("that was changed elsewhere ends the session of this browser with its next request", async () => {
    const here = createSupabaseClient(
      { supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true },
      { persistSession: false },
    );
    const auth = createAuthService(here, mapStorage());
    const heard: (Account | null)[] = [];
    let ended = 0;
    const stops = [auth.onChange((account) => heard.push(account)), auth.onEnded(() => (ended += 1))];
    await auth.signUp("everywhere@example.test", "long-enough-1");
    const elsewhere = browser();
    await elsewhere.signIn("everywhere@example.test", "long-enough-1");
    await elsewhere.changePassword("long-enough-1", "long-enough-2");
    expect((await here.database.from("studio_workflows").select("id")).status).toBe(401);
    await expect.poll(() => ended).toBe(1);
    // Nobody has signed out, so that what is on the page stays until the account is back.
    expect(heard.at(-1)?.email).toBe("everywhere@example.test");
    expect(await auth.current()).toBeNull();
    await auth.signIn("everywhere@example.test", "long-enough-2");
    expect(heard.filter((account) => account !== null).at(-1)?.email).toBe("everywhere@example.test");
    await auth.signOut();
    await expect.poll(() => heard.at(-1)).toBeNull();
    expect(ended).toBe(1);
    for (const stop of stops) stop();
    expect((await elsewhere.current())?.email).toBe("everywhere@example.test");
  });

  it("is set anew by a link, once", async () => {
    await browser().signUp("forgets@example.test", "long-enough-1");
    const [mark] = await stack.sql<{ mark: string }>("select public.studio_password_mark($1) as mark", [
      "forgets@example.test",
    ]);
    const link = { email: "forgets@example.test", mark: mark?.mark ?? "" };
    const token = (await createResetLink(stack.jwtSecret, stack.url, link)).split("#reset=")[1] ?? "";
    const auth = browser();
    expect(await failure(auth.resetPassword(token, "short"))).toBe("This password is too easy to guess.");
    expect(await auth.resetPassword(token, "long-enough-2")).toMatchObject({ email: "forgets@example.test" });
    expect(await failure(auth.resetPassword(token, "long-enough-3"))).toBe(
      "This link was used already, or has expired.",
    );
  });

  it("that is forgotten sends nobody a mail where none goes out", async () => {
    expect(await failure(browser().askForReset("forgets@example.test"))).toBe("This studio sends no mail.");
  });
});

describe("an account", () => {
  it("is made, left and entered again, and listeners hear of it", async () => {
    const auth = browser();
    const heard: (Account | null)[] = [];
    const stop = auth.onChange((account) => heard.push(account));
    const made = await auth.signUp("someone@example.test", "long-enough-1");
    expect(made).toMatchObject({ email: "someone@example.test", guest: false });
    await auth.signOut();
    expect(await auth.signIn("someone@example.test", "long-enough-1")).toEqual(made);
    stop();
    expect(heard.filter((account) => account !== null).at(-1)).toEqual(made);
    expect(heard).toContain(null);
  });

  it("explains what is wrong", async () => {
    const auth = browser();
    expect(await failure(auth.signIn("nobody@example.test", "whatever-1"))).toContain("do not match an account");
    expect(await failure(auth.signUp("someone-else@example.test", "short"))).toContain("too easy to guess");
    await auth.signUp("twice@example.test", "long-enough-1");
    expect(await failure(auth.signUp("twice@example.test", "long-enough-1"))).toContain("already");
  });

  it("says so when the server cannot be reached", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const address = closed.address();
    const port = typeof address === "object" ? address?.port : undefined;
    closed.close();
    const unreachable = browser(mapStorage(), `http://127.0.0.1:${port}`);
    await expect(unreachable.signIn("someone@example.test", "long-enough-1")).rejects.toMatchObject({
      kind: "offline",
    });
  });
});
