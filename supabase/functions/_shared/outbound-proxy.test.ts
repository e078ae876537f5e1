import { expect, test } from "vitest";
import { describeProxies, type ProxyVariables, proxyFor, proxyVariables, readProxies } from "./outbound-proxy.ts";

const variables = (given: Partial<ProxyVariables>): ProxyVariables => ({
  STUDIO_HTTP_PROXY: "",
  STUDIO_HTTPS_PROXY: "",
  STUDIO_NO_PROXY: "",
  ...given,
});

const isProxied = (noProxy: string, url: string): boolean => {
  const proxies = readProxies(variables({ STUDIO_HTTPS_PROXY: "proxy.example:3128", STUDIO_NO_PROXY: noProxy }));
  return proxies !== undefined && proxyFor(proxies, new URL(url)) !== null;
};

test("the names of an environment count in lower case too, and the lower case first", () => {
  expect(
    proxyVariables({ HTTP_PROXY: "http://a", https_proxy: "http://b", HTTPS_PROXY: "http://c", NO_PROXY: "d" }),
  ).toEqual({ STUDIO_HTTP_PROXY: "http://a", STUDIO_HTTPS_PROXY: "http://b", STUDIO_NO_PROXY: "d" });
});

test.each([
  ["*", "https://api.example.com", false],
  ["example.com", "https://example.com", false],
  ["example.com", "https://api.example.com", false],
  ["example.com", "https://API.Example.com./", false],
  ["example.com", "https://notexample.com", true],
  ["example.com", "https://example.com.evil.org", true],
  [".example.com", "https://api.example.com", false],
  ["*.example.com", "https://api.example.com", false],
  ["example.com:8443", "https://example.com:8443", false],
  ["example.com:8443", "https://example.com", true],
  ["example.com:443", "https://example.com", false],
  ["other.org, example.com", "https://example.com", false],
  ["other.org example.com", "https://example.com", false],
  ["münchen.example", "https://xn--mnchen-3ya.example", false],
  ["203.0.113.7", "https://203.0.113.7", false],
  ["203.0.113.7", "https://203.0.113.8", true],
  ["203.0.113.0/24", "https://203.0.113.8", false],
  ["203.0.113.0/24", "https://203.0.114.8", true],
  ["2606:4700::/32", "https://[2606:4700::1111]", false],
  ["2606:4700::1111", "https://[2606:4700::1111]", false],
  ["[2606:4700::1111]:8443", "https://[2606:4700::1111]:8443", false],
  ["203.0.113.0/24", "https://[2606:4700::1111]", true],
  ["not/an entry,,", "https://example.com", true],
])("NO_PROXY=%s, %s: goes through the proxy: %s", (noProxy, url, expected) => {
  expect(isProxied(noProxy, url)).toBe(expected);
});

test("each scheme goes through the proxy that is named for it, else directly", () => {
  const proxies = readProxies(variables({ STUDIO_HTTP_PROXY: "http://ada%40corp:a%3Ab@proxy.example:3128/" }));
  if (proxies === undefined) throw new Error("no proxy was read");
  expect(proxyFor(proxies, new URL("https://example.com"))).toBeNull();
  const proxy = proxyFor(proxies, new URL("http://example.com"));
  expect(proxy?.origin).toBe("http://proxy.example:3128");
  expect(atob(proxy?.authorization?.replace("Basic ", "") ?? "")).toBe("ada@corp:a:b");
  expect(readProxies(variables({ STUDIO_NO_PROXY: "*" }))).toBeUndefined();
});

test("the operator is told in one line where calls go, without the password", () => {
  expect(describeProxies(variables({}))).toBeNull();
  const one = "http://ada:test-key-1@proxy.example:3128";
  expect(describeProxies(variables({ STUDIO_HTTP_PROXY: one, STUDIO_HTTPS_PROXY: one }))).toBe(
    "Workflows call the internet through http://proxy.example:3128.",
  );
  const some = variables({ STUDIO_HTTPS_PROXY: one, STUDIO_NO_PROXY: "example.com,[bad", STUDIO_HTTP_PROXY: "" });
  expect(describeProxies(some)).toBe(
    "Workflows call the internet https through http://proxy.example:3128, http directly, except example.com. Ignored in NO_PROXY: [bad.",
  );
});

test.each(["socks5://ada:test-key-1@proxy.example", "http://ada:test-key-1@", "http://ada:test%key-1@proxy.example"])(
  "%s is refused, with what to write and without the password",
  (address) => {
    let error: unknown;
    try {
      readProxies(variables({ STUDIO_HTTPS_PROXY: address }));
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({ name: "ProxyAddressError", hint: expect.stringContaining("Write it as") });
    expect(String(error)).toContain("HTTPS_PROXY");
    expect(String(error)).not.toContain("test");
  },
);
