import { resolve } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { unsupportedNode } from "./check-node.mjs";
import { parseOptions } from "./launch-options.mjs";

afterEach(() => vi.unstubAllEnvs());

test("without arguments the studio runs on this machine only, with its data in the project", () => {
  expect(parseOptions([], "/project")).toEqual({
    port: 4700,
    host: "127.0.0.1",
    data: resolve("/project/.switchyard"),
    database: undefined,
    tls: undefined,
    signUp: undefined,
    quotas: {},
    workers: 1,
    open: true,
    help: false,
  });
});

test("the operator says who may sign up, and how much each user may keep", () => {
  const args = ["--sign-up", "closed", "--quota-rows=5000", "--quota-bytes", "2GB", "--quota-uploads=500mb"];
  expect(parseOptions(args, "/project")).toMatchObject({
    signUp: "closed",
    quotas: { rows: 5_000, bytes: 2e9, uploads: 5e8 },
  });
});

test("the operator says how many processes run published workflows", () => {
  expect(parseOptions(["--workers", "0"], "/project").workers).toBe(0);
  expect(() => parseOptions(["--workers", "many"], "/project")).toThrow("--workers takes no many.");
});

test("the operator names the proxies in front of the studio", () => {
  expect(parseOptions(["--trust-proxy", "127.0.0.1,10.0.0.0/8"], "/project").trustProxy).toBe("127.0.0.1,10.0.0.0/8");
  expect(() => parseOptions(["--trust-proxy"], "/project")).toThrow("--trust-proxy needs a value.");
});

test("the operator gives the studio further names", () => {
  expect(parseOptions(["--name", "Studio.example.com, studio"], "/project").names).toEqual([
    "studio.example.com",
    "studio",
  ]);
  for (const wrong of ["https://studio.example.com", "studio:4700", "*.example.com", "-a"]) {
    expect(() => parseOptions([`--name=${wrong}`], "/project")).toThrow(`--name takes no ${wrong}.`);
  }
});

test("a certificate comes with its key", () => {
  expect(parseOptions(["--tls-cert", "/a.pem", "--tls-key=/b.pem"], "/project").tls).toEqual({
    certificate: resolve("/a.pem"),
    key: resolve("/b.pem"),
  });
});

test("options are taken with a space or an equals sign", () => {
  const options = parseOptions(["--port", "0", "--host=::1", "--data=/some/where", "--no-open", "--help"], "/project");
  expect(options).toMatchObject({
    port: 0,
    host: "::1",
    data: resolve("/some/where"),
    open: false,
    help: true,
  });
});

test("a relative data directory means the one where the command was typed", () => {
  vi.stubEnv("npm_lifecycle_event", "start");
  vi.stubEnv("INIT_CWD", resolve("/typed/here"));
  expect(parseOptions(["--data", "mine"], "/project").data).toBe(resolve("/typed/here/mine"));
  vi.stubEnv("npm_lifecycle_event", "test");
  expect(parseOptions(["--data", "mine"], "/project").data).toBe(resolve("mine"));
});

test.each([
  [["--prot", "1"], "Unknown option --prot"],
  [["extra"], "Unknown option extra"],
  [["--port"], "--port needs a value"],
  [["--data", "--no-open"], "--data needs a value"],
  [["--port", "http"], "http is not a port"],
  [["--port", "65536"], "65536 is not a port"],
  [["--port", "-1"], "-1 is not a port"],
  [["--sign-up", "everyone"], "--sign-up takes no everyone"],
  [["--quota-rows", "many"], "--quota-rows takes no many"],
  [["--quota-bytes", "99999999999GB"], "--quota-bytes takes no"],
  [["--tls-cert", "/a.pem"], "--tls-cert and --tls-key go together"],
  [["--tls-key", "/a.pem"], "--tls-cert and --tls-key go together"],
])("%j is refused with a reason and what to do", (args, message) => {
  const refusal = expect.objectContaining({
    message: expect.stringContaining(message),
    hint: expect.stringMatching(/\S/),
  });
  expect(() => parseOptions(args, "/project")).toThrow(refusal);
});

test("old versions of Node are told which ones work", () => {
  for (const version of ["20.19.0", "20.20.2", "22.12.0", "24.0.0", "26.1.0"])
    expect(unsupportedNode(version)).toBeNull();
  for (const version of ["18.20.0", "20.18.3", "21.7.0", "22.11.0", "23.5.0"]) {
    expect(unsupportedNode(version)).toContain(`this is Node ${version}`);
  }
});
