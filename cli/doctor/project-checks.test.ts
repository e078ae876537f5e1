import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { checkProject, type Project } from "./project-checks.ts";

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

const site = "https://studio.example.com";
const own = { "x-switchyard-error": "1" };

/** A project where nothing is missing, by path. */
const healthy: Record<string, Answer> = {
  "/auth/v1/settings": {
    status: 200,
    body: { external: { email: true, anonymous_users: true }, disable_signup: false, mailer_autoconfirm: false },
  },
  "/rest/v1/studio_workflows": { status: 401, body: { code: "42501", message: "permission denied" } },
  "/rest/v1/studio_credential_secrets": { status: 406, body: { code: "PGRST106" } },
  "/functions/v1/credentials": { status: 401, headers: { ...own, "access-control-allow-origin": site } },
  "/functions/v1/doors": { status: 404, headers: { "content-type": "application/problem+json" } },
  "/auth/v1/verify": { status: 303, headers: { location: `${site}/#error=access_denied` } },
  "/auth/v1/.well-known/jwks.json": { status: 200, body: { keys: [{ kid: "one", alg: "ES256" }] } },
};

let answers: Record<string, Answer>;
let server: Server;
let project: Project;

beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://project");
    const { status, headers, body } = answers[pathname] ?? { status: 418 };
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(body === undefined ? "" : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const functions = ["credentials", "doors"];
  project = { url: `http://127.0.0.1:${port}`, key: "sb_publishable_test-key", site, functions };
});
beforeEach(() => {
  answers = structuredClone(healthy);
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const change = (path: string, answer: Answer) => {
  answers[path] = { ...answers[path], ...answer };
};

test("of a project that has everything only what its operator may decide is told", async () => {
  const findings = await checkProject({ ...project, signingKeyId: "one" });
  expect(findings.filter(({ state }) => state === "missing")).toEqual([]);
  expect(findings.filter(({ state }) => state === "note")).toEqual([
    expect.objectContaining({ how: expect.stringContaining("SMTP Settings") }),
  ]);
});

const settings = (external: object, rest: object = {}): Answer => ({
  status: 200,
  body: { external: { email: true, anonymous_users: true, ...external }, mailer_autoconfirm: false, ...rest },
});

test.each<[what: string, path: string, answer: Answer, how: string]>([
  ["does not take the key", "/auth/v1/settings", { status: 401, body: { message: "Invalid API key" } }, "API keys"],
  ["is no Supabase project", "/auth/v1/settings", { status: 200, body: "Hello" }, "address"],
  ["cannot sign in by e-mail", "/auth/v1/settings", settings({ email: false }), "Email: enable"],
  [
    "tables are not there",
    "/rest/v1/studio_workflows",
    { status: 404, body: { code: "PGRST205" } },
    "db push --linked",
  ],
  [
    "does not serve the schema public",
    "/rest/v1/studio_workflows",
    { status: 406, body: { code: "PGRST106" } },
    "public",
  ],
  ["open to whoever is not signed in", "/rest/v1/studio_workflows", { status: 200, body: [] }, "db push --linked"],
  ["answers with 503 PGRST002", "/rest/v1/studio_workflows", { status: 503, body: { code: "PGRST002" } }, "Data API"],
  [
    "serves the schema private",
    "/rest/v1/studio_credential_secrets",
    { status: 401, body: { code: "42501" } },
    "remove private",
  ],
  ["not deployed: credentials", "/functions/v1/credentials", { status: 404, headers: {} }, "npm run deploy-functions"],
  [
    "gateway asks for a token before functions do: credentials",
    "/functions/v1/credentials",
    { status: 401, headers: {} },
    "config.toml",
  ],
  ["Functions fail: doors", "/functions/v1/doors", { status: 503, headers: {} }, "CREDENTIALS_KEYS"],
  ["may not call the functions", "/functions/v1/credentials", { status: 401, headers: own }, `ALLOWED_ORIGIN=${site}`],
  [
    "lead to http://127.0.0.1:4700, not to https://studio.example.com/",
    "/auth/v1/verify",
    { status: 303, headers: { location: "http://127.0.0.1:4700/#error=access_denied" } },
    `Site URL ${site}, Redirect URLs ${site}/**`,
  ],
])("%s", async (what, path, answer, how) => {
  change(path, answer);
  const lacking = (await checkProject(project)).filter(({ state }) => state === "missing");
  expect(lacking.map((found) => found.what).join("\n")).toContain(what);
  expect(lacking.find((found) => found.what.includes(what))?.how).toContain(how);
});

test.each<[what: string, path: string, answer: Answer, how: string]>([
  ["There are no guests", "/auth/v1/settings", settings({ anonymous_users: false }), "anonymous"],
  ["New accounts are not taken", "/auth/v1/settings", settings({}, { disable_signup: true }), "sign up"],
  ["Nobody confirms", "/auth/v1/settings", settings({}, { mailer_autoconfirm: true }), "Confirm email"],
  ["cannot be seen", "/auth/v1/verify", { status: 400, headers: {} }, "Redirect URLs"],
  ["legacy secret", "/auth/v1/.well-known/jwks.json", { status: 200, body: { keys: [] } }, "SUPABASE_JWT_SECRET"],
])("%s, for the operator to decide", async (what, path, answer, how) => {
  change(path, answer);
  const findings = await checkProject(project);
  expect(findings.filter(({ state }) => state === "missing")).toEqual([]);
  expect(findings.find((found) => found.what.includes(what))).toMatchObject({
    state: "note",
    how: expect.stringContaining(how),
  });
});

test("a key of workers that the project does not know is named", async () => {
  const findings = await checkProject({ ...project, signingKeyId: "other" });
  expect(findings).toContainEqual(
    expect.objectContaining({ state: "missing", what: expect.stringContaining("does not know the key other") }),
  );
});

test("a secret key sees the tables, which are not open for that", async () => {
  change("/rest/v1/studio_workflows", { status: 200, body: [] });
  const legacy = `e30.${Buffer.from(JSON.stringify({ role: "service_role" })).toString("base64url")}.test-key`;
  for (const key of ["sb_secret_test-key", legacy]) {
    expect((await checkProject({ ...project, key })).filter(({ state }) => state === "missing")).toEqual([]);
  }
});

test("where nothing answers, that is all", async () => {
  expect(await checkProject({ ...project, url: "http://127.0.0.1:9" })).toEqual([
    { state: "missing", what: "Nothing answers at http://127.0.0.1:9.", how: expect.stringContaining("paused") },
  ]);
});
