import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startLoopbackServer, type LoopbackServer } from "./testing/loopback-server.ts";
import { createSelfSignedCertificate } from "./testing/self-signed-certificate.ts";
import { canary, waysOut } from "./testing/ways-out.ts";

/** Addresses that a URL may write and no request may reach, besides those of this machine. */
const closedHosts = [
  "10.0.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "169.254.169.254",
  "168.63.129.16",
  "100.64.0.1",
  "100.100.100.200",
  "192.0.0.192",
  "198.18.0.1",
  "203.0.113.7",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "[fe80::1]",
  "[fc00::1]",
  "[fd00:ec2::254]",
  "[fec0::1]",
  "[ff02::1]",
  "[2001:db8::1]",
  "[64:ff9b::7f00:1]",
  "[64:ff9b:1::7f00:1]",
  "[2002:7f00:1::]",
  "[2001:0:7f00:1::]",
  "[2606:4700::5efe:7f00:1]",
];

/** This machine, in every spelling the URL parser understands. */
const loopbackHosts = [
  "127.0.0.1",
  "127.1",
  "127.255.255.254",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "0177.0.0.1",
  "127.0.0.1.",
  "0.0.0.0",
  "0",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::127.0.0.1]",
  "localhost",
  "localhost.",
  "app.localhost",
];

const privateNames = ["metadata.google.internal", "printer.local", "router.lan", "nas.home.arpa", "redis", "redis."];

const servicePorts = [22, 25, 110, 143, 3306, 5432, 6379, 11211, 27017];

describe.each(waysOut)("$name", ({ call }) => {
  let target: LoopbackServer;
  let other: LoopbackServer;
  let secure: LoopbackServer;
  let lookups: string[];

  const resolveTo =
    (...answers: string[][]) =>
    async (hostname: string) => {
      lookups.push(hostname);
      return answers[Math.min(lookups.length, answers.length) - 1] ?? [];
    };

  beforeAll(async () => {
    other = await startLoopbackServer((_request, response) => response.end("inside"));
    target = await startLoopbackServer((request, response) => {
      const [, kind, detail] = new URL(request.url ?? "", "http://x").pathname.split("/");
      if (kind === "redirect") {
        response.writeHead(Number(detail), { location: `http://${other.host}/chat/completions` }).end();
      } else if (kind === "loop") response.writeHead(307, { location: request.url ?? "" }).end();
      else if (kind === "echo") response.end(`${request.headers["authorization"]} ${canary}`);
      else response.end("hello");
    });
    secure = await startLoopbackServer(
      (_request, response) => response.end("hello"),
      createSelfSignedCertificate("api.example.test"),
    );
  });

  afterAll(() => Promise.all([target.stop(), other.stop(), secure.stop()]));

  beforeEach(() => {
    lookups = [];
  });

  test.each(loopbackHosts)("S1 refuses this machine as %s without opening a socket", async (host) => {
    const before = target.connections();
    const { error } = await call(`http://${host}:${target.port}`);
    expect(error?.code).toBe("blocked_address");
    expect(target.connections()).toBe(before);
  });

  test.each(closedHosts)("S1 refuses %s", async (host) => {
    const { error } = await call(`http://${host}`);
    expect(error?.code).toBe("blocked_address");
    expect(error?.hint).toContain("STUDIO_ALLOW_HOSTS");
  });

  test("S1 refuses a name that leads to a private address, without opening a socket", async () => {
    const before = target.connections();
    const { error } = await call(`http://evil.example.test:${target.port}`, { resolve: resolveTo(["127.0.0.1"]) });
    expect(error?.code).toBe("blocked_address");
    expect(error?.message).not.toContain("127.0.0.1");
    expect(target.connections()).toBe(before);
  });

  test("S1 an entry for an address opens neither another spelling of the machine nor a name that leads there", async () => {
    const allow = target.host;
    expect((await call(`http://${target.host}`, { allow })).status).toBe(200);
    for (const host of ["localhost", "[::ffff:127.0.0.1]", "127.0.0.2", "evil.example.test"]) {
      const { error } = await call(`http://${host}:${target.port}`, { allow, resolve: resolveTo(["127.0.0.1"]) });
      expect(error?.code, host).toBe("blocked_address");
    }
  });

  test("S2 a name with only private and reserved answers is refused, and the private one not reached", async () => {
    const before = target.connections();
    const resolve = resolveTo(["203.0.113.7", "127.0.0.1", "::1"]);
    const { error } = await call(`http://mixed.example.test:${target.port}`, { resolve });
    expect(error?.code).toBe("blocked_address");
    expect(target.connections()).toBe(before);
  });

  test("S3 a name that changes its answer is looked up once, and that address is called by its name", async () => {
    const name = `flip.example.test:${target.port}`;
    const resolve = resolveTo(["127.0.0.1"], ["127.0.0.9"]);
    const { status } = await call(`http://${name}`, { allow: name, resolve });
    expect(status).toBe(200);
    expect(lookups).toEqual(["flip.example.test"]);
    expect(target.seen.at(-1)?.headers.host).toBe(name);
  });

  test.each([301, 302, 303, 307, 308])("S4 does not follow a redirect %i to a private address", async (status) => {
    const before = other.connections();
    const { error } = await call(`http://${target.host}/redirect/${status}`, { allow: target.host });
    expect(["blocked_address", "redirect_refused"]).toContain(error?.code);
    expect(other.connections()).toBe(before);
  });

  test("S4 ends a redirect loop", async () => {
    const before = target.seen.length;
    const { error } = await call(`http://${target.host}/loop`, { allow: target.host });
    expect(["too_many_redirects", "redirect_refused"]).toContain(error?.code);
    expect(target.seen.length - before).toBeLessThanOrEqual(6);
  });

  test.each(["file:///etc/passwd?", "ftp://example.com", "gopher://example.com", "data:text/plain,x", "not a url"])(
    "S5 refuses %s",
    async (base) => {
      expect((await call(base)).error?.code).toBe("invalid_url");
    },
  );

  test("S5 refuses user info in a URL", async () => {
    expect((await call(`http://user:pass@${target.host}`, { allow: target.host })).error?.code).toBe("invalid_url");
  });

  test.each(privateNames)("S6 refuses the name %s without a lookup", async (name) => {
    const { error } = await call(`http://${name}`, { resolve: resolveTo(["203.0.113.7"]) });
    expect(error?.code).toBe("blocked_address");
    expect(lookups).toEqual([]);
  });

  test.each(servicePorts)("S6 refuses port %i of a public host", async (port) => {
    const { error } = await call(`http://example.com:${port}`, { resolve: resolveTo(["203.0.113.7"]) });
    expect(error).toMatchObject({ code: "blocked_address", message: expect.stringContaining(`Port ${port} belongs`) });
    expect(lookups).toEqual([]);
  });

  test("S6 refuses the studio's own backend, even where its host is allowed", async () => {
    const before = target.connections();
    const ownOrigin = `http://${target.host}`;
    const allow = "127.0.0.1,localhost,backend.example.test";
    for (const host of ["127.0.0.1", "localhost", "backend.example.test"]) {
      const options = { allow, ownOrigin, resolve: resolveTo(["127.0.0.1"]) };
      expect((await call(`http://${host}:${target.port}`, options)).error?.code, host).toBe("blocked_address");
    }
    const hosted = { ownOrigin: "https://project.supabase.co", resolve: resolveTo(["203.0.113.7"]) };
    expect((await call("https://project.supabase.co/rest/v1", hosted)).error?.message).toContain("own backend");
    expect(target.connections()).toBe(before);
  });

  test("S9 a certificate that nobody vouches for is an error, and nothing is sent", async () => {
    const name = `api.example.test:${secure.port}`;
    const { error } = await call(`https://${name}`, { allow: name, resolve: resolveTo(["127.0.0.1"]) });
    expect(error?.code).toBe("bad_certificate");
    expect(secure.seen).toEqual([]);
  });

  test("S43 the secret is sent, and taken out of what comes back", async () => {
    const { body } = await call(`http://${target.host}/echo`, { allow: target.host });
    expect(target.seen.at(-1)?.headers.authorization).toBe(`Bearer ${canary}`);
    expect(body).toBe("Bearer [redacted] [redacted]");
  });

  test("a caller that goes away ends the call", async () => {
    const controller = new AbortController();
    controller.abort();
    const before = target.connections();
    const { error } = await call(`http://${target.host}`, { allow: target.host, signal: controller.signal });
    expect(error?.code).toBe("cancelled");
    expect(target.connections()).toBe(before);
  });

  test("a closed port is a network error in plain words", async () => {
    const closed = await startLoopbackServer(() => undefined);
    await closed.stop();
    const { error } = await call(`http://${closed.host}`, { allow: closed.host });
    expect(error).toMatchObject({ code: "network", retryable: true });
    expect(error?.message).toContain("refused the connection");
  });
});
