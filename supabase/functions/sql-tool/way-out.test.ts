import { createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseHostList } from "../_shared/host-list.ts";
import { startPostgresServer, type PostgresServer } from "../_shared/testing/postgres-server.ts";
import { createSelfSignedCertificate } from "../_shared/testing/self-signed-certificate.ts";
import { startTestDatabase, type CallOptions, type TestDatabase } from "./testing/test-database.ts";

const probe = { operation: "test", timeoutMs: 1_000 };
const closed = { policy: { allowHosts: [] } };
const name = "db.example.test";

let db: TestDatabase;
let secure: PostgresServer;
const certificate = createSelfSignedCertificate(name);

beforeAll(async () => {
  [db, secure] = await Promise.all([
    startTestDatabase(),
    startPostgresServer({ tls: certificate, setup: "create role tester login password 'test-key-tls'" }),
  ]);
});

afterAll(() => Promise.all([db.stop(), secure.stop()]));

const at = (host: string, port = db.port): CallOptions => ({
  connectionString: `postgresql://keeper:test-key-x@${host}:${port}/postgres`,
});

describe("S1 S6 the way out to Postgres", () => {
  test.each([
    "127.0.0.1",
    "localhost",
    "localhost.",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[fd00:ec2::254]",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "127.1",
    "postgres",
    "db.internal",
    "db.local",
    "metadata.google.internal",
  ])("refuses %s where nobody opened it", async (host) => {
    const refused = await db.refuse(probe, { ...at(host), ...closed, tls: true });
    expect(refused).toMatchObject({ code: "blocked_address" });
    expect(JSON.stringify(refused)).not.toContain(host);
  });

  test("opens loopback, and nothing else private, on a local installation", async () => {
    expect(await db.call(probe)).toMatchObject({ success: true });
    expect(await db.refuse(probe, at("192.168.1.1"))).toMatchObject({ code: "blocked_address" });
  });

  test("refuses the studio's own backend", async () => {
    const policy = { allowHosts: [], allowLoopback: true, ownOrigins: [`http://127.0.0.1:${db.port}`] };
    expect(await db.refuse(probe, { policy })).toMatchObject({ code: "blocked_address" });
  });

  test("S44 sends a secret to the credential's own host only", async () => {
    const refused = await db.refuse(probe, { allowedHosts: ["db.example.com:5432"] });
    expect(refused).toMatchObject({ code: "invalid_credentials" });
  });

  test("sends nothing unencrypted over the internet", async () => {
    const refused = await db.refuse(probe, { ...at("db.example.com"), ...closed });
    expect(refused).toMatchObject({ code: "invalid_credentials", hint: expect.stringContaining("TLS") });
  });
});

describe("S2 S3 a name", () => {
  test("with private answers alone leads nowhere", async () => {
    const resolve = async () => ["127.0.0.1", "10.0.0.1"];
    expect(await db.refuse(probe, { ...at(name), ...closed, tls: true, resolve })).toMatchObject({
      code: "blocked_address",
    });
  });

  test("is looked up once, and its checked address is called", async () => {
    const seen: string[] = [];
    const resolve = async (host: string) => {
      seen.push(host);
      return seen.length === 1 ? ["127.0.0.1"] : ["10.0.0.1"];
    };
    const policy = { allowHosts: parseHostList(`${name}:${db.port}`).list };
    const connectionString = db.urlOf("reader", "test-key-sql-0123456789abcdef").replace("127.0.0.1", name);
    expect(await db.call(probe, { connectionString, policy, resolve })).toMatchObject({ success: true });
    expect(seen).toEqual([name]);
  });
});

describe("S9 an encrypted connection", () => {
  const options = (extra: CallOptions = {}): CallOptions => ({
    connectionString: `postgresql://tester:test-key-tls@${name}:${secure.port}/postgres?sslmode=require&channel_binding=require`,
    policy: { allowHosts: parseHostList(`${name}:${secure.port},other.example.test:${secure.port}`).list },
    resolve: async () => ["127.0.0.1"],
    tls: true,
    ...extra,
  });

  test("takes a certificate that is trusted, with the string that Neon gives", async () => {
    const trusting = options({ certificateAuthority: certificate.cert });
    expect(await db.call(probe, trusting)).toMatchObject({ success: true });
  });

  test("refuses one that nobody vouches for, and one of another name", async () => {
    const unknown = await db.fail(probe, options());
    expect(unknown).toMatchObject({ errorType: "connection_error", error: expect.stringContaining("certificate") });
    const connectionString = `postgresql://tester:test-key-tls@other.example.test:${secure.port}/postgres`;
    const other = await db.fail(probe, options({ connectionString, certificateAuthority: certificate.cert }));
    expect(other).toMatchObject({ errorType: "connection_error", error: expect.stringContaining("certificate") });
  });

  test("is what a server without other ways asks for", async () => {
    const failed = await db.fail(probe, options({ tls: false }));
    expect(failed).toMatchObject({ errorType: "authentication_error" });
  });
});

describe("a server that is none", () => {
  const servers: Server[] = [];
  const listen = async (serve: (socket: Socket) => void): Promise<number> => {
    const server = createServer(serve);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
    const address = server.address();
    return typeof address === "object" && address ? address.port : 0;
  };

  afterAll(() => servers.forEach((server) => server.close()));

  test.each<[string, (socket: Socket) => void]>([
    ["hangs up", (socket) => socket.destroy()],
    ["hangs up after the first word", (socket) => socket.once("data", () => socket.destroy())],
    ["speaks something else", (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")],
    ["has no TLS", (socket) => socket.once("data", () => socket.end("N"))],
    ["fails when asked for TLS", (socket) => socket.once("data", () => socket.write("ESERROR\0\0"))],
    [
      "says yes to TLS and lets somebody in at once",
      (socket) => socket.once("data", () => socket.write(Buffer.from([0x53, 0x52, 0, 0, 0, 8, 0, 0, 0, 0]))),
    ],
    ["says yes to TLS and goes on in plain", (socket) => socket.once("data", () => socket.end("Sxxxxxxxxxxxxxxx"))],
  ])("%s", async (_case, serve) => {
    const port = await listen((socket) => {
      socket.on("error", () => undefined);
      serve(socket);
    });
    for (const tls of [false, true]) {
      expect(await db.fail(probe, { ...at("127.0.0.1", port), tls })).toMatchObject({ errorType: "connection_error" });
    }
  });

  test("S8 never ends, or promises a gigabyte: it is cut off", async () => {
    const authenticated = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
    const port = await listen((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => {
        socket.write(authenticated);
        socket.once("data", () => {
          socket.write(Buffer.from([0x44, 0x3f, 0xff, 0xff, 0xff]));
          const pour = (): void => void (socket.destroyed || socket.write(Buffer.alloc(1024 * 1024), pour));
          pour();
        });
      });
    });
    const failed = await db.fail(probe, at("127.0.0.1", port));
    expect(failed).toMatchObject({ errorType: "rejected", error: "The rows are too large." });
  });

  test("says nothing: the caller can go", async () => {
    const controller = new AbortController();
    const port = await listen((socket) => {
      socket.on("error", () => undefined);
      controller.abort();
    });
    const options = { ...at("127.0.0.1", port), signal: controller.signal };
    expect(await db.refuse(probe, options)).toMatchObject({ code: "cancelled" });
    expect(await db.refuse(probe, { signal: AbortSignal.abort() })).toMatchObject({ code: "cancelled" });
  });
});

test("a credential of another type, and strings that name nobody", async () => {
  const findCredential: CallOptions["findCredential"] = async () => ({
    ok: true,
    value: {
      type: "redis",
      allowedHosts: [],
      settings: {},
      open: () => Promise.reject(new Error("was opened")),
    },
  });
  expect(await db.refuse(probe, { findCredential })).toMatchObject({ code: "invalid_credentials" });
  for (const connectionString of ["postgresql://127.0.0.1/x", "postgresql://%E0:x@127.0.0.1/x"]) {
    expect(await db.refuse(probe, { connectionString })).toMatchObject({ code: "invalid_credentials" });
  }
});
