import { describe, expect, test } from "vitest";
import { success } from "../_shared/failure.ts";
import { parseHostList } from "../_shared/host-list.ts";
import { startRedisServer } from "../_shared/testing/redis-server.ts";
import { createSelfSignedCertificate } from "../_shared/testing/self-signed-certificate.ts";
import type { RedisMemoryDependencies } from "./redis-memory.ts";
import { password, say, withRedis } from "./testing/call-redis-memory.ts";

const { call, port } = withRedis();

describe("the way out to Redis", () => {
  const probe = { action: "load" };
  const closed = { policy: { allowHosts: [] } };

  test.each([
    "127.0.0.1",
    "localhost",
    "10.0.0.1",
    "169.254.169.254",
    "[::1]",
    "2130706433",
    "redis.internal",
    "redis",
  ])("S1 refuses %s where nobody opened it", async (host) => {
    expect((await call(probe, { host }, closed)).error?.code).toBe("blocked_address");
  });

  test("S1 opens loopback, and nothing else private, on a local installation", async () => {
    expect((await call(probe, { host: "localhost" })).error).toBeUndefined();
    expect((await call(probe, { host: "192.168.1.1" })).error?.code).toBe("blocked_address");
  });

  test("S2 S3 looks a name up once and connects to its permitted address alone", async () => {
    const seen: string[] = [];
    const resolve = async (name: string) => {
      seen.push(name);
      return seen.length === 1 ? ["127.0.0.1"] : ["10.0.0.1"];
    };
    const host = "redis.example.test";
    const policy = { allowHosts: parseHostList(`${host}:${port()}`).list };
    expect((await call(probe, { host }, { policy, resolve })).error).toBeUndefined();
    expect(seen).toEqual([host]);
    const inside = async () => ["127.0.0.1", "10.0.0.1"];
    expect((await call(probe, { host, tls: true }, { ...closed, resolve: inside })).error?.code).toBe(
      "blocked_address",
    );
  });

  test("S6 refuses the studio's own backend", async () => {
    const policy = { allowHosts: [], allowLoopback: true, ownOrigins: [`http://127.0.0.1:${port()}`] };
    expect((await call(probe, {}, { policy })).error?.code).toBe("blocked_address");
  });

  test("S44 sends a secret to the credential's own host only", async () => {
    const findCredential: RedisMemoryDependencies["findCredential"] = async () =>
      success({
        type: "redis",
        allowedHosts: ["redis.example.com:6379"],
        open: async () =>
          success({
            type: "redis",
            fields: { host: "127.0.0.1", port: port(), password, tls: false, database: 0 },
          }),
      });
    expect((await call(probe, {}, { findCredential })).error?.code).toBe("invalid_credentials");
  });

  test("sends nothing unencrypted over the internet", async () => {
    const { error } = await call(probe, { host: "redis.example.com" }, closed);
    expect(error).toMatchObject({ code: "invalid_credentials", hint: expect.stringContaining("TLS") });
  });

  test("S9 refuses a certificate that nobody vouches for, takes one that is trusted, and says when there is no TLS", async () => {
    const tls = createSelfSignedCertificate("redis.example.test");
    const secure = await startRedisServer({ tls, password });
    const host = "redis.example.test";
    const fields = { host, port: secure.port, tls: true };
    const options = {
      policy: { allowHosts: parseHostList(`${host}:${secure.port},${host}:${port()}`).list },
      resolve: async () => ["127.0.0.1"],
    };
    expect((await call(probe, fields, options)).error?.code).toBe("bad_certificate");
    const trusting = { ...options, certificateAuthority: tls.cert };
    expect((await call({ action: "append", messages: [say("one")] }, fields, trusting)).error).toBeUndefined();
    expect((await call(probe, { ...fields, port: port() }, trusting)).error?.message).toMatch(/Redis/);
    expect((await call(probe, { ...fields, tls: false }, options)).error?.hint).toContain("TLS");
    await secure.stop();
  });
});
