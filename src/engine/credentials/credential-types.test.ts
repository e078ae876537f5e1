import { describe, expect, it } from "vitest";
import { defaultConfig } from "../config/field-values.ts";
import { describeFields } from "../config/describe-fields.ts";
import { type CredentialType, credentialTypes, credentialTypeSchema, parseCredential } from "./credential-types.ts";

const types = credentialTypeSchema.options;

/** The least that each type takes. */
const least: Record<CredentialType, Record<string, unknown>> = {
  openai: { apiKey: "test-key-1" },
  anthropic: { apiKey: "test-key-1" },
  gemini: { apiKey: "test-key-1" },
  "openai-compatible": { baseUrl: "http://localhost:11434/v1" },
  "http-basic": { username: "ann", password: "test-key-1" },
  "http-header": { name: "X-Token", value: "test-key-1" },
  "http-bearer": { token: "test-key-1" },
  "http-api-key": { name: "key", value: "test-key-1" },
  oauth2: {
    authorizationUrl: "https://accounts.example.com/authorize",
    tokenUrl: "https://accounts.example.com/token",
    clientId: "studio",
  },
  "oauth2-client": {
    tokenUrl: "https://accounts.example.com/token",
    clientId: "studio",
    clientSecret: "test-key-1",
  },
  redis: { host: "redis.example.com" },
  postgres: { connectionString: "postgresql://ann:test-key-1@db.example.com/main" },
  mcp: { url: "https://mcp.example.com/mcp" },
  "mcp-oauth": { url: "https://mcp.example.com/mcp" },
};

describe.each(types)("the credential type %s", (type) => {
  const definition = credentialTypes[type];
  const fields = describeFields(definition.fields);

  it("has words for each field", () => {
    for (const field of fields) {
      expect(field.label).not.toBe("");
      expect(field.help).not.toBe("");
    }
  });

  it("names secrets among its fields", () => {
    const names = fields.map((field) => field.name);
    for (const secret of definition.secrets) expect(names).toContain(secret);
  });

  it("takes what it must, fills the defaults in and refuses what it does not know", () => {
    const parsed = parseCredential(type, least[type]);
    expect(parsed.success).toBe(true);
    expect(parsed.data?.fields).toMatchObject({ ...defaultConfig(definition.fields), ...least[type] });
    expect(parseCredential(type, { ...least[type], surprise: "x" }).success).toBe(false);
  });

  it("S7 takes no line break in any text", () => {
    for (const [name, value] of Object.entries(least[type])) {
      if (typeof value !== "string") continue;
      expect(parseCredential(type, { ...least[type], [name]: `${value}\r\nX-Evil: 1` }).success).toBe(false);
    }
  });
});

describe("a Postgres connection string", () => {
  const read = (connectionString: string) => parseCredential("postgres", { connectionString });

  it("is taken without the blanks around it", () => {
    const parsed = read("  postgresql://ann:test-key-1@db.example.com/main\n");
    expect(parsed.data?.fields).toMatchObject({ connectionString: "postgresql://ann:test-key-1@db.example.com/main" });
  });

  it("may have an @ in its parameters", () => {
    expect(read("postgresql://ann:test-key-1@db.example.com/main?application_name=a@b").success).toBe(true);
  });

  it.each(["test#key", "test/key", "12#4", "12?4"])("says to encode the password %s", (password) => {
    const parsed = read(`postgresql://ann:${password}@db.example.com/main`);
    expect(parsed.success).toBe(false);
    expect(JSON.stringify(parsed.error?.issues)).toContain("Percent-encode");
    expect(read(`postgresql://ann:${encodeURIComponent(password)}@db.example.com/main`).success).toBe(true);
  });
});
