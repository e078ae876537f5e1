import { describe, expect, it } from "vitest";
import { draftProblems, emptyDraft, listHosts, sentFields, shownValue } from "./credential-draft.ts";
import { type CredentialKind, credentialKind, credentialKinds } from "./credential-kinds.ts";

function kindOf(type: string): CredentialKind {
  const kind = credentialKind(type);
  if (kind === undefined) throw new Error(`There is no credential type ${type}.`);
  return kind;
}

describe("a new credential", () => {
  it("has no two fields of the same label, which nobody could tell apart", () => {
    for (const { type, fields, settings } of credentialKinds()) {
      const labels = ["Type", "Name", ...[...fields, ...settings].map(({ label }) => label)];
      expect(new Set(labels).size, `${type}: ${labels.join(", ")}`).toBe(labels.length);
    }
  });

  it("asks for a name, its required fields and, for HTTP, the hosts", () => {
    expect(Object.keys(draftProblems(kindOf("openai"), emptyDraft(" "), false))).toEqual(["credential-name", "apiKey"]);
    expect(Object.keys(draftProblems(kindOf("http-bearer"), emptyDraft("Weather"), false))).toEqual([
      "allowed-hosts",
      "token",
    ]);
    expect(draftProblems(kindOf("openai-compatible"), emptyDraft("Local"), false)).toHaveProperty("baseUrl");
  });

  it("says at the field what does not fit", () => {
    const draft = { ...emptyDraft("Local"), fields: { baseUrl: "localhost", apiKey: "test\nkey" } };
    const problems = draftProblems(kindOf("openai-compatible"), draft, false);
    expect(problems.baseUrl).toContain("full address");
    expect(problems.apiKey).toContain("Line breaks");
  });

  it("takes the number that was typed, and shows defaults until something is", () => {
    const draft = { ...emptyDraft("Cache"), fields: { host: "redis.example.com", port: "6380" } };
    expect(draftProblems(kindOf("redis"), draft, false)).toEqual({});
    expect(draftProblems(kindOf("redis"), { ...draft, fields: { ...draft.fields, port: "x" } }, false)).toHaveProperty(
      "port",
    );
    expect(shownValue(kindOf("redis"), emptyDraft("Cache"), "tls")).toBe(true);
    expect(shownValue(kindOf("redis"), draft, "port")).toBe("6380");
  });

  it("sends only what was entered", () => {
    expect(sentFields({ ...emptyDraft("x"), fields: { apiKey: "test-key", baseUrl: "" } })).toEqual({
      apiKey: "test-key",
    });
  });
});

describe("a stored credential", () => {
  it("S44 asks for its secrets again and keeps the rest", () => {
    const problems = draftProblems(kindOf("http-header"), emptyDraft("Weather", ["api.example.com"]), true);
    expect(Object.keys(problems)).toEqual(["value"]);
  });
});

describe("the list of types", () => {
  it("is cut to those that fit, in their order, without unknown ones", () => {
    expect(credentialKinds(["http-bearer", "no-such-type", "openai"]).map(({ type }) => type)).toEqual([
      "http-bearer",
      "openai",
    ]);
    expect(credentialKind("constructor")).toBeUndefined();
  });
});

it("reads hosts however they are separated", () => {
  expect(listHosts(" api.example.com,\nb.example:8443  c.example ")).toEqual([
    "api.example.com",
    "b.example:8443",
    "c.example",
  ]);
});
