import { request } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { callerNetwork, networkOf } from "../../functions/_shared/caller-address.ts";
import { createClientAddress, parseProxies, watchForProxies } from "./client-address.ts";
import { connectionLimits } from "./connection-limits.ts";
import { type HttpServer, listen } from "./http-server.ts";
import { startTestStack } from "../testing/start-stack.ts";

const from = (remoteAddress: string, forwarded?: string, localPort = 1) =>
  ({
    socket: { remoteAddress, localPort },
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  }) as never;

describe("S70 where a request comes from", () => {
  const address = createClientAddress(parseProxies("127.0.0.1, ::1 10.0.0.0/8,2001:db8::/32"), 4701);

  test("S70 the right-most hop that is no trusted proxy counts, whatever stands to its left", () => {
    const cases: [string, string | undefined, string][] = [
      ["127.0.0.1", "203.0.113.9", "203.0.113.9"],
      ["::ffff:127.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9"],
      ["127.0.0.1", "1.1.1.1, 203.0.113.9, 10.1.2.3, 127.0.0.1", "203.0.113.9"],
      ["2001:db8::7", "[2001:4860::1]:443", "2001:4860::1"],
      ["127.0.0.1", "203.0.113.9:55123", "203.0.113.9"],
      ["127.0.0.1", "::ffff:203.0.113.9", "203.0.113.9"],
      // Nobody but proxies: the first of them asks for itself.
      ["127.0.0.1", "10.9.9.9", "10.9.9.9"],
      // From elsewhere, the header is the sender's own invention.
      ["203.0.113.5", "198.51.100.1", "203.0.113.5"],
      ["203.0.113.5", undefined, "203.0.113.5"],
    ];
    for (const [peer, forwarded, expected] of cases) {
      expect({ peer, forwarded, is: address(from(peer, forwarded)) }).toEqual({ peer, forwarded, is: expected });
    }
  });

  test("S70 who comes by a proxy is never taken for this machine", () => {
    for (const forwarded of [
      undefined,
      "",
      "unknown",
      "127.0.0.1",
      "127.0.0.2",
      "::1",
      "203.0.113.1, 127.0.0.2",
      "_hidden",
    ]) {
      const found = address(from("127.0.0.1", forwarded));
      expect({ forwarded, network: networkOf(found) }).toEqual({ forwarded, network: "unknown" });
      expect(callerNetwork(new Headers({ "x-switchyard-client": found }), true)).toBe("unknown");
    }
    // The studio's own functions and workers have a port of their own, where no proxy is.
    expect(address(from("127.0.0.1", "203.0.113.1", 4701))).toBe("127.0.0.1");
    expect(createClientAddress(undefined)(from("127.0.0.1", "203.0.113.1"))).toBe("127.0.0.1");
  });

  test("what is no address is told when the studio starts", () => {
    for (const list of ["proxy.example.com", "10.0.0.0/99", "127.0.0.1,nonsense"]) {
      expect(() => parseProxies(list)).toThrow(/--trust-proxy takes no/);
    }
  });

  test("a proxy that is not trusted is told of once, with what to do", () => {
    const lines: string[] = [];
    const watch = watchForProxies(undefined, (line) => lines.push(line));
    watch(from("127.0.0.1"));
    expect(lines).toEqual([]);
    for (let count = 0; count < 3; count += 1) watch(from("::ffff:127.0.0.1", "203.0.113.9"));
    expect(lines).toEqual([expect.stringMatching(/proxy at 127\.0\.0\.1 .*--trust-proxy 127\.0\.0\.1/)]);
    watchForProxies(parseProxies("127.0.0.1"), (line) => lines.push(line))(from("127.0.0.1", "203.0.113.9"));
    expect(lines).toHaveLength(1);
  });
});

describe("S91 connections by a proxy", () => {
  let server: HttpServer;
  afterEach(() => server.close());

  test("S91 one visitor's open requests are limited, and another's are answered", async () => {
    const limits = { ...connectionLimits, perAddress: 3, fromLoopback: 1 };
    server = await listen("127.0.0.1", 0, null, limits, parseProxies("127.0.0.1"));
    const open: (() => void)[] = [];
    server.handle(async (given) => {
      if (given.url.endsWith("/held")) await new Promise<void>((resolve) => open.push(resolve));
      return new Response("served");
    });
    const ask = (visitor: string, path: string) =>
      new Promise<{ status: number | undefined; retryAfter: string | undefined }>((resolve, reject) => {
        const headers = { "x-forwarded-for": visitor };
        request({ port: server.port, host: "127.0.0.1", path, headers, agent: false }, (response) => {
          response.resume();
          resolve({ status: response.statusCode, retryAfter: response.headers["retry-after"] });
        })
          .on("error", reject)
          .end();
      });
    const held = [1, 2, 3].map(() => ask("203.0.113.1", "/held"));
    await expect.poll(() => open.length).toBe(3);
    expect(await ask("203.0.113.1", "/")).toEqual({ status: 429, retryAfter: "5" });
    expect(await ask("203.0.113.2", "/")).toMatchObject({ status: 200 });
    for (const end of open) end();
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await ask("203.0.113.1", "/")).toMatchObject({ status: 200 });
  });
});

test("S70 a studio behind a proxy on this machine is shared, and tells its visitors apart", async () => {
  const stack = await startTestStack({ functions: true, trustProxy: "127.0.0.1" });
  try {
    const config: Record<string, unknown> = await (await fetch(`${stack.url}/.well-known/switchyard`)).json();
    expect(config["functions"]).toBeDefined();
    const signUp = await fetch(`${stack.url}/auth/v1/signup`, {
      method: "POST",
      headers: { apikey: stack.key, "content-type": "application/json" },
      body: JSON.stringify({ email: "guest@example.test", password: `test-password-${crypto.randomUUID()}` }),
    });
    expect(signUp.status).toBeGreaterThanOrEqual(400);
    const ask = async (visitor: string) => {
      const headers = { "x-forwarded-for": `127.0.0.1, ${visitor}` };
      return (await fetch(`${stack.url}/c-api/none/session`, { method: "POST", headers })).status;
    };
    const first = await Promise.all(Array.from({ length: 31 }, () => ask("203.0.113.1")));
    expect(first.filter((status) => status === 429)).toHaveLength(1);
    expect(await ask("203.0.113.2")).toBe(404);
  } finally {
    await stack.stop();
  }
});
