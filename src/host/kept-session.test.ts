import { describe, expect, it } from "vitest";
import { readKeptSession } from "./kept-session.ts";

const now = Date.UTC(2026, 0, 1);
const user = { id: "u1", email: "a@example.test" };

const kept = (value: unknown) => ({ getItem: () => (typeof value === "string" ? value : JSON.stringify(value)) });
const session = (secondsLeft: number) => ({ access_token: "token", expires_at: now / 1000 + secondsLeft, user });

describe("a kept session", () => {
  it("is taken while it holds", () => {
    expect(readKeptSession(kept(session(3_600)), "key", now)).toEqual({ accessToken: "token", user });
  });

  it("is left to the auth library when it has ended or is about to", () => {
    expect(readKeptSession(kept(session(-1)), "key", now)).toBeNull();
    expect(readKeptSession(kept(session(100)), "key", now)).toBeNull();
  });

  it("is nothing where storage is empty, broken or forbidden", () => {
    expect(readKeptSession({ getItem: () => null }, "key", now)).toBeNull();
    expect(readKeptSession(kept("{"), "key", now)).toBeNull();
    expect(readKeptSession(kept({ access_token: "token" }), "key", now)).toBeNull();
    const denied = () => {
      throw new Error("denied");
    };
    expect(readKeptSession({ getItem: denied }, "key", now)).toBeNull();
  });
});
