import { describe, expect, it } from "vitest";
import { joinScopes, missingScopes, wantedScope, withWantedScope } from "./scopes.ts";

describe("scopes of a sign-in", () => {
  it("are joined, each once, without what is no scope", () => {
    expect(joinScopes("a b", undefined, "b  c", "")).toBe("a b c");
    expect(joinScopes('say"it back\\slash tab\there ünïcode line\nbreak fine:1')).toBe("fine:1");
    expect(joinScopes("x".repeat(9_000), "fits")).toBe("fits");
    const many = Array.from({ length: 9_000 }, (_, index) => `s${index}`);
    expect(joinScopes(many.join(" ")).length).toBeLessThanOrEqual(8_000);
  });

  it("are missing where the sign-in did not ask for them", () => {
    expect(missingScopes("read write", "read")).toBe("write");
    expect(missingScopes("read", "write read")).toBe("");
    expect(missingScopes("read", undefined)).toBe("read");
  });

  it("are kept for the next sign-in, with those that were wanted before", () => {
    expect(wantedScope({})).toBe("");
    expect(wantedScope({ wantedScope: 7 })).toBe("");
    const settings = withWantedScope(withWantedScope({ other: true }, "write"), "admin write");
    expect(settings).toEqual({ other: true, wantedScope: "write admin" });
    expect(wantedScope(settings)).toBe("write admin");
  });
});
