import { AuthApiError, AuthRetryableFetchError } from "@supabase/supabase-js";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../services/services.ts";
import { authFailure } from "../../account/storage/auth-failure.ts";
import { serviceFailure, thrownFailure } from "./service-failure.ts";

describe("a failure of the backend", () => {
  it.each([
    [{ status: 0 }, "offline"],
    [{ status: 401, code: "PGRST301" }, "unauthorized"],
    [{ status: 400, code: "PGRST303" }, "unauthorized"],
    [{ status: 403, code: "42501" }, "unauthorized"],
    [{ status: 406, code: "PGRST116" }, "not-found"],
    [{ status: 400, code: "22P02", message: 'invalid input syntax for type uuid: "x"' }, "not-found"],
    [{ status: 400, code: "22P02", message: "invalid input syntax for type json" }, "invalid"],
    [{ status: 400, code: "22P05", message: "unsupported Unicode escape sequence" }, "invalid"],
    [{ status: 409, code: "23503" }, "not-found"],
    [{ status: 409, code: "23505" }, "conflict"],
    [{ status: 400, code: "23514" }, "invalid"],
    [{ status: 413 }, "invalid"],
    [{ status: 429 }, "server"],
    [{ status: 500, code: "XX000" }, "server"],
  ])("%j is %s, with words and a hint", (failure, kind) => {
    const error = serviceFailure("save the workflow", failure);
    expect(error.kind).toBe(kind);
    expect(error.message).toMatch(/^[A-Z].*\.$/);
    expect(error.hint).toMatch(/^[A-Z].*\.$/);
  });

  it.each(["rows", "bytes", "events", "documents", "uploads"])(
    "S65 says that the limit of %s is reached, and what makes room",
    (kind) => {
      const failure = { status: 400, code: "P0001", message: `quota_exceeded ${kind} 11 10` };
      const error = serviceFailure("save the workflow", failure);
      expect(error.kind).toBe("full");
      expect(error.message).toMatch(/^Your account.*, so Switchyard could not save the workflow\.$/);
      expect(error.hint).toMatch(/^Delete .*, or ask whoever runs this studio for more\./);
    },
  );

  it("says that the server's disk is full", () => {
    const error = serviceFailure("save the workflow", { status: 500, code: "53100", message: "could not extend file" });
    expect(error.message).toBe("The server's disk is full, so Switchyard could not save the workflow.");
    expect(error.hint).toContain("stays in this browser");
  });

  it("never shows what the database said, since that may hold data", () => {
    const error = serviceFailure("save", { status: 500, code: "XX000", message: "test-key-in-a-message" });
    expect(`${error.message} ${error.hint}`).not.toContain("test-key");
  });

  it("takes a broken connection as offline and passes its own errors on", () => {
    expect(thrownFailure("save", new TypeError("Failed to fetch")).kind).toBe("offline");
    const own = new ServiceError("conflict", "It was changed.", "Look again.");
    expect(thrownFailure("save", own)).toBe(own);
  });
});

describe("a failure of signing in", () => {
  it("tells a wrong password from a broken connection", () => {
    const wrong = authFailure("sign in", new AuthApiError("Invalid login credentials", 400, "invalid_credentials"));
    expect(wrong.kind).toBe("invalid");
    expect(wrong.message).toContain("do not match");
    expect(authFailure("sign in", new AuthRetryableFetchError("fetch failed", 0)).kind).toBe("offline");
  });

  it("understands servers that send no code", () => {
    expect(authFailure("sign up", new AuthApiError("User already registered", 422, undefined)).kind).toBe("conflict");
  });

  it("says when the next attempt is taken, where the server does", () => {
    const told = "There were too many wrong passwords for this account. Try again in 30 seconds.";
    const error = authFailure("sign in", new AuthApiError(told, 429, "over_request_rate_limit"));
    expect(error).toMatchObject({ kind: "server", hint: "Try again in 30 seconds." });
    const silent = authFailure(
      "sign in",
      new AuthApiError("Request rate limit reached", 429, "over_request_rate_limit"),
    );
    expect(silent.hint).toBe("Wait a minute, then try again.");
  });

  it("has words for anything else", () => {
    const error = authFailure("sign in", new AuthApiError("what", 422, "something_new"));
    expect(error).toMatchObject({ kind: "invalid", message: "Could not sign in." });
  });
});
