import { describe, expect, it } from "vitest";
import { readSiteConfig } from "./site-config.ts";

const origin = "http://127.0.0.1:4700";
const nothingBuiltIn = { url: undefined, key: undefined };

describe("the site's configuration", () => {
  it("is the page's own origin when the server names none", () => {
    const config = readSiteConfig('{"supabaseUrl":"","supabaseKey":"test-key-1"}', nothingBuiltIn, origin);
    expect(config).toEqual({
      supabaseUrl: origin,
      supabaseKey: "test-key-1",
      embedded: true,
      signUp: "open",
      mail: false,
      local: false,
      gallery: null,
      prices: null,
    });
  });

  it("comes from the build for a hosted Supabase", () => {
    const built = { url: "https://example.supabase.co/", key: "test-key-2" };
    expect(readSiteConfig(null, built, origin)).toEqual({
      supabaseUrl: "https://example.supabase.co",
      supabaseKey: "test-key-2",
      embedded: false,
      signUp: "open",
      mail: true,
      local: false,
      gallery: null,
      prices: null,
    });
  });

  it("says which list of templates the operator names", () => {
    const text = '{"supabaseUrl":"","supabaseKey":"test-key-1","gallery":"https://templates.example.com/index.json"}';
    expect(readSiteConfig(text, nothingBuiltIn, origin)?.gallery).toBe("https://templates.example.com/index.json");
  });

  it("S70 takes a studio for this machine's own only where its server says so", () => {
    const text = '{"supabaseUrl":"","supabaseKey":"test-key-1","local":true}';
    expect(readSiteConfig(text, nothingBuiltIn, origin)?.local).toBe(true);
  });

  it("says whether mail goes out", () => {
    const text = '{"supabaseUrl":"","supabaseKey":"test-key-1","mail":true}';
    expect(readSiteConfig(text, nothingBuiltIn, origin)?.mail).toBe(true);
  });

  it("says who may create an account", () => {
    const text = '{"supabaseUrl":"","supabaseKey":"test-key-1","signUp":"invite"}';
    expect(readSiteConfig(text, nothingBuiltIn, origin)?.signUp).toBe("invite");
  });

  it("prefers what the server put into the page", () => {
    const built = { url: "https://example.supabase.co", key: "test-key-2" };
    const config = readSiteConfig('{"supabaseUrl":"https://other.example","supabaseKey":"test-key-3"}', built, origin);
    expect(config).toMatchObject({ supabaseUrl: "https://other.example", embedded: false });
  });

  it.each([null, "", "no json", "[]", '{"supabaseUrl":"x"}'])("is absent when the page says %j", (text) => {
    expect(readSiteConfig(text, nothingBuiltIn, origin)).toBeNull();
  });
});
