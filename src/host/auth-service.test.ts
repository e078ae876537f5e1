import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestStack, type TestStack } from "../../supabase/local/testing/start-stack.ts";
import type { Account, ServiceError } from "../stores/services.ts";
import { createAuthService } from "./auth-service.ts";
import type { KeyValueStorage } from "./guest-account.ts";
import { createSupabaseClient } from "./supabase-client.ts";

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.stop());

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
