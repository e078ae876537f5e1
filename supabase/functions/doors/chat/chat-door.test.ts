import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod/mini";
import { hashPassword } from "../../../../src/doors/password-hash.ts";
import { chatChallenge, type ChatEvent } from "../../../../src/doors/chat-api.ts";
import { makePageToken } from "../../_shared/page-token.ts";
import { orderOf } from "../../../../worker/testing/step-servers.ts";
import { startWorkerWorld, type WorkerWorld } from "../../../../worker/testing/worker-world.ts";

const signingSecret = "test-key-of-the-embedding-site-0123456789";
const site = await mkdtemp(join(tmpdir(), "switchyard-chat-"));
let world: WorkerWorld;

beforeAll(async () => {
  await copyFile("chat.html", join(site, "chat.html"));
  world = await startWorkerWorld({ site });
  await openPage("help", {});
  await openPage("locked", { access: "password" }, { passwordHash: await hashPassword("open sesame", crypto) });
  await openPage("signed", { access: "signed", sites: ["https://shop.test"] }, { signingSecret });
  await openPage("account", { access: "account" });
  await openPage("small", { perDay: 2, messageChars: 200, closedMessage: "Back tomorrow." });
});
afterAll(async () => {
  await world.stop();
  await rm(site, { recursive: true, force: true });
});

const ids = new Map<string, string>();

/** Publishes an agent with a memory, and switches its chat page on. */
async function openPage(slug: string, config: object, secrets: object | null = null, enabled = true): Promise<void> {
  const id = ids.get(slug) ?? (await world.publish(world.stepAgent({ name: slug, memory: true })));
  ids.set(slug, id);
  const { error } = await world.user.client.rpc("studio_save_door", {
    p_workflow_id: id,
    p_kind: "chat",
    p_enabled: enabled,
    p_config: config,
    p_secrets: secrets,
  });
  if (error) throw new Error(error.message);
}

/** What the studio writes into a page that it serves. */
async function servedToken(slug: string): Promise<string> {
  const html = await (await fetch(`${world.stack.url}/c/${slug}`)).text();
  return /id="switchyard-page">"([^"]+)"</.exec(html)?.[1] ?? "";
}

/** Opens a session as the sandboxed page does, or without the token that it was served with. */
async function openSession(slug: string, proof: object = {}, page?: string | null): Promise<Response> {
  const token = page === undefined ? await servedToken(slug) : page;
  return call(`${slug}/session`, { body: { ...proof, ...(token !== null && { page: token }) } });
}

/** Calls as the sandboxed page does. */
function call(path: string, { token, body, method, origin = "null" }: Options = {}): Promise<Response> {
  return fetch(`${world.stack.url}/c-api/${path}`, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      origin,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
interface Options {
  token?: string;
  body?: unknown;
  method?: string;
  origin?: string;
}

async function enter(slug: string, proof: object = {}): Promise<string> {
  const response = await openSession(slug, proof);
  return z.object({ token: z.string() }).parse(await response.json()).token;
}

async function openInBrowser(slug: string, cookie?: string) {
  const response = await fetch(`${world.stack.url}/c/${slug}`, { headers: cookie === undefined ? {} : { cookie } });
  const html = await response.text();
  const [, browser = ""] = /id="switchyard-browser">"([^"]+)"</.exec(html) ?? [];
  return {
    browser,
    cookie: response.headers.get("set-cookie") ?? "",
    caching: response.headers.get("cache-control"),
  };
}

async function refusal(response: Response): Promise<[number, unknown]> {
  expect(response.headers.get("content-type")).toContain("application/problem+json");
  return [response.status, z.object({ code: z.string() }).parse(await response.json()).code];
}

const message = (text: string, more: object = {}) => ({ text, key: crypto.randomUUID(), ...more });

async function eventsOf(response: Response): Promise<ChatEvent[]> {
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const text = await response.text();
  return text
    .split("\n\n")
    .flatMap((part) => (part.startsWith("data: ") ? [JSON.parse(part.slice(6)) as ChatEvent] : []));
}

async function say(slug: string, token: string, text: string, more: object = {}) {
  const events = await eventsOf(await call(`${slug}/messages`, { token, body: message(text, more) }));
  const [first] = events;
  if (first?.type !== "start") throw new Error("The answer did not begin.");
  return { events, runId: first.runId, threadId: first.threadId };
}

const runs = async () => (await world.stack.sql("select 1 from public.studio_runs where source = 'chat'")).length;

async function startsNothing(work: () => Promise<void>): Promise<void> {
  const before = await runs();
  await work();
  expect(await runs()).toBe(before);
}

test("a visitor asks, reads the answer as it comes, and finds the conversation again", async () => {
  const token = await enter("help");
  const { events, threadId, runId } = await say("help", token, orderOf("a", 1));
  expect(events.at(-1)).toEqual({ type: "end", status: "completed", answer: "a is done" });
  const said = events.map((event) => (event.type === "text" ? event.delta : "")).join("");
  expect(said).toContain("a is done");
  // Hidden steps are not sent at all.
  expect(events.some(({ type }) => type === "step")).toBe(false);
  const { threads } = (await (await call("help/threads", { token })).json()) as { threads: unknown[] };
  expect(threads).toMatchObject([{ id: threadId, title: expect.stringContaining("a") }]);
  expect(await (await call(`help/threads/${threadId}`, { token })).json()).toMatchObject({
    turns: [{ runId, answer: "a is done", status: "completed", rating: null, comment: "" }],
  });
  expect(await world.row(runId)).toMatchObject({ source: "chat", subject: expect.stringMatching(/^visitor /) });
});

test("the same message sent twice starts one run", async () => {
  const token = await enter("help");
  const body = message(orderOf("twice", 0));
  const first = await eventsOf(await call("help/messages", { token, body }));
  const before = await runs();
  const second = await eventsOf(await call("help/messages", { token, body }));
  expect(second[0]).toEqual(first[0]);
  expect(await runs()).toBe(before);
});

test("a page that names steps gives the names of tools, and neither arguments nor results", async () => {
  await openPage("help", { steps: "named" });
  const token = await enter("help");
  const { events } = await say("help", token, orderOf("named", 1));
  expect(events.filter(({ type }) => type === "step")).toEqual([
    { type: "step", name: "step", state: "running" },
    { type: "step", name: "step", state: "done" },
  ]);
  await openPage("help", {});
});

test("an answer that failed says so, and no more", async () => {
  world.servers.refused.add("bad/0");
  const token = await enter("help");
  const { events } = await say("help", token, orderOf("bad", 1));
  expect(events.at(-1)).toEqual({ type: "end", status: "failed", answer: "" });
  expect(JSON.stringify(events)).not.toMatch(/No\.|steps-1|vendor|http/);
});

test("a visitor rates an answer, and its owner reads that with the run", async () => {
  const token = await enter("help");
  const { runId } = await say("help", token, orderOf("rated", 0));
  const body = { rating: "down", comment: "Too short" };
  expect((await call(`help/runs/${runId}/feedback`, { token, body })).status).toBe(204);
  const { data } = await world.user.client.from("studio_chat_turns").select("rating,comment").eq("run_id", runId);
  expect(data).toEqual([{ rating: "down", comment: "Too short" }]);
});

test("a visitor deletes a conversation, and with it what the agent remembers of it", async () => {
  const token = await enter("help");
  const { threadId } = await say("help", token, orderOf("forget", 0));
  const remembered = () =>
    world.stack.sql("select 1 from public.studio_agent_memory where session_id like $1", [`%${threadId}`]);
  expect(await remembered()).not.toEqual([]);
  expect((await call(`help/threads/${threadId}`, { token, method: "DELETE" })).status).toBe(204);
  expect(await remembered()).toEqual([]);
  expect((await call(`help/threads/${threadId}`, { token })).status).toBe(404);
});

test("a page without questions of its own suggests those of the workflow's chat trigger", async () => {
  const document = world.stepAgent({ name: "asked" });
  const trigger = Object.values(document.nodes).find(({ type }) => type === "chat-trigger");
  if (trigger) trigger.config = { questions: ["Where is my order?", "What is in stock?"] };
  ids.set("asked", await world.publish(document));
  const questions = async () =>
    z.object({ questions: z.array(z.string()) }).parse(await (await call("asked/page")).json());
  await openPage("asked", {});
  expect(await questions()).toEqual({ questions: ["Where is my order?", "What is in stock?"] });
  await openPage("asked", { questions: ["Only this?"] });
  expect(await questions()).toEqual({ questions: ["Only this?"] });
});

describe("S75 visitors", () => {
  test("S75 one visitor cannot read, continue, stop, rate or delete what another has, by any id", async () => {
    const [mine, theirs] = [await enter("help"), await enter("help")];
    const { threadId, runId } = await say("help", theirs, orderOf("secret", 0));
    await startsNothing(async () => {
      const rate = { rating: "down", comment: "" };
      const tries = [
        call(`help/threads/${threadId}`, { token: mine }),
        call(`help/threads/${threadId}`, { token: mine, method: "DELETE" }),
        call(`help/runs/${runId}/events`, { token: mine }),
        call(`help/runs/${runId}/stop`, { token: mine, method: "POST" }),
        call(`help/runs/${runId}/feedback`, { token: mine, body: rate }),
        call("help/messages", { token: mine, body: message(orderOf("stolen", 0), { threadId }) }),
      ];
      for (const response of await Promise.all(tries)) expect(await refusal(response)).toEqual([404, "not_found"]);
    });
    expect(await (await call("help/threads", { token: mine })).json()).toEqual({ threads: [] });
    expect((await call(`help/threads/${threadId}`, { token: theirs })).status).toBe(200);
  });

  test("S75 a session or an id that a client made up opens nothing, and neither does a session of another page", async () => {
    const elsewhere = await enter("small");
    const made = `cs_${"A".repeat(43)}`;
    await startsNothing(async () => {
      for (const token of [undefined, "visitor", made, elsewhere, world.user.accessToken]) {
        const body = message(orderOf("x", 0), { sessionId: "someone", threadId: crypto.randomUUID() });
        const answers = [
          call("help/threads", token === undefined ? {} : { token }),
          call("help/messages", token === undefined ? { body } : { body, token }),
        ];
        for (const response of await Promise.all(answers))
          expect(await refusal(response)).toEqual([401, "unknown_session"]);
      }
      const token = await enter("help");
      const unknown = message(orderOf("x", 0), { threadId: crypto.randomUUID() });
      expect(await refusal(await call("help/messages", { token, body: unknown }))).toEqual([404, "not_found"]);
    });
  });

  test("S75 what the agent remembers has a key of publication, visitor and conversation", async () => {
    const [one, other] = [await enter("help"), await enter("help")];
    const threads = [
      (await say("help", one, orderOf("k1", 0), { sessionId: "shared" })).threadId,
      (await say("help", one, orderOf("k2", 0), { sessionId: "shared" })).threadId,
      (await say("help", other, orderOf("k3", 0), { sessionId: "shared" })).threadId,
    ];
    const keys = await world.stack.sql<{ session_id: string }>(
      "select distinct session_id from public.studio_agent_memory where session_id like any ($1)",
      [threads.map((id) => `%${id}`)],
    );
    const parts = keys.map(({ session_id }) => session_id.split(":"));
    expect(new Set(parts.map(([, publication]) => publication))).toEqual(new Set([ids.get("help")]));
    expect(parts).toHaveLength(3);
    expect(new Set(parts.map(([, , visitor]) => visitor)).size).toBe(2);
    expect(await world.stack.sql("select 1 from public.studio_agent_memory where session_id = 'shared'")).toEqual([]);
  });

  test("S75 the database holds the hash of a session, never its token", async () => {
    const token = await enter("help");
    const dump = await world.stack.sql<{ row: string }>("select s::text as row from private.studio_chat_sessions as s");
    expect(dump.length).toBeGreaterThan(0);
    expect(dump.map(({ row }) => row).join()).not.toContain(token.slice(3));
  });

  test("S75 a password lets in, a wrong one does not, and a new one ends the sessions of the old", async () => {
    await startsNothing(async () => {
      for (const proof of [{}, { password: "" }, { password: "open sesame " }]) {
        expect(await refusal(await openSession("locked", proof))).toEqual([401, "wrong_password"]);
      }
    });
    const token = await enter("locked", { password: "open sesame" });
    expect((await call("locked/threads", { token })).status).toBe(200);
    await openPage("locked", { access: "password" }, { passwordHash: await hashPassword("another", crypto) });
    expect(await refusal(await call("locked/threads", { token }))).toEqual([401, "unknown_session"]);
  });

  test("S77 a password cannot be tried on and on", async () => {
    await openPage("guessed", { access: "password" }, { passwordHash: await hashPassword("x9", crypto) });
    await fill(`chat entry ${ids.get("guessed")} loopback`, 99);
    expect(await refusal(await openSession("guessed", { password: "x1" }))).toEqual([401, "wrong_password"]);
    expect(await refusal(await openSession("guessed", { password: "x9" }))).toEqual([429, "rate_limit"]);
  });

  /** What the page finds in itself, and the cookie that came with it. */
  const resume = (slug: string, browser: string) => call(`${slug}/resume`, { body: { browser } });

  test("S75 a browser finds its visitor again by what the server gave it, and by nothing that it made up", async () => {
    const { browser, cookie, caching } = await openInBrowser("help");
    expect(cookie).toBe(`switchyard-chat=${browser}; Path=/c/help; Max-Age=2592000; HttpOnly; SameSite=Lax`);
    expect(caching).toBe("private, no-store");
    expect((await resume("help", browser)).status).toBe(204);
    const token = await enter("help", { browser });
    const { threadId } = await say("help", token, orderOf("kept", 0));
    const again = await openInBrowser("help", cookie.split(";")[0]);
    expect(again.browser).toBe(browser);
    const resumed = z.object({ token: z.string() }).parse(await (await resume("help", browser)).json()).token;
    expect(resumed).not.toBe(token);
    expect((await call(`help/threads/${threadId}`, { token: resumed })).status).toBe(200);

    const made = "A".repeat(43);
    const other = (await openInBrowser("small")).browser;
    for (const forged of [made, `${made}.${made}`, `${browser.slice(0, 43)}.${made}`, other]) {
      await enter("help", { browser: forged });
      expect((await resume("help", forged)).status).toBe(204);
    }
    expect((await openInBrowser("help", `switchyard-chat=${made}.${made}`)).browser).not.toContain(made);

    expect((await call("help/leave", { token: resumed, method: "POST" })).status).toBe(204);
    expect((await resume("help", browser)).status).toBe(204);
    expect((await call("help/threads", { token })).status).toBe(401);
  });

  test("S76 no script of another origin can read the page with what it keeps", async () => {
    for (const origin of ["null", "https://evil.test"]) {
      const read = await fetch(`${world.stack.url}/c/help`, { headers: { origin, "sec-fetch-site": "cross-site" } });
      expect(read.status).toBe(403);
      expect(await read.text()).not.toContain("switchyard-browser");
    }
  });

  const sign = (claims: object, secret = signingSecret, exp: string | number = "5m") =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime(exp)
      .sign(new TextEncoder().encode(secret));

  test("S75 a person whom the embedding site signs for has the same conversations everywhere, and nobody else does", async () => {
    const first = await enter("signed", { identity: await sign({ sub: "ada" }) });
    const { threadId } = await say("signed", first, orderOf("ada", 0));
    const again = await enter("signed", { identity: await sign({ sub: "ada" }) });
    const other = await enter("signed", { identity: await sign({ sub: "bob" }) });
    expect(again).not.toBe(first);
    expect((await call(`signed/threads/${threadId}`, { token: again })).status).toBe(200);
    expect((await call(`signed/threads/${threadId}`, { token: other })).status).toBe(404);
  });

  test("S75 a signature that is wrong, old, unsigned or for another chat lets nobody in", async () => {
    const unsigned = `${btoa('{"alg":"none"}')}.${btoa('{"sub":"ada","exp":9999999999}')}.`.replaceAll("=", "");
    const identities = [
      undefined,
      "ada",
      unsigned,
      await sign({ sub: "ada" }, "test-key-of-somebody-else-0123456789012"),
      await sign({ sub: "ada" }, signingSecret, "-1m"),
      await sign({ sub: "ada" }, signingSecret, "30d"),
      await sign({}),
      await sign({ sub: "ada", aud: "help" }),
    ];
    const answers = [];
    for (const identity of identities) answers.push(await refusal(await openSession("signed", { identity })));
    expect(answers).toEqual(identities.map(() => [401, "wrong_identity"]));
  });

  test("S75 people with an account sign in, and nothing of their studio session goes to the page", async () => {
    const { email, password } = world.user;
    expect(await refusal(await openSession("account", { email, password: "wrong" }))).toEqual([401, "wrong_password"]);
    const response = await openSession("account", { email, password });
    const body = await response.text();
    expect(Object.keys(JSON.parse(body))).toEqual(["token"]);
    expect(response.headers.get("set-cookie")).toBeNull();
    const { token } = z.object({ token: z.string() }).parse(JSON.parse(body));
    expect((await call("account/threads", { token })).status).toBe(200);
  });
});

describe("S76 pages", () => {
  test("S76 a page of a site that is not listed can neither use the chat nor read its answers", async () => {
    await startsNothing(async () => {
      const answer = await call("help/session", { body: {}, origin: "https://evil.test" });
      expect(await refusal(answer)).toEqual([403, "origin_not_allowed"]);
    });
    expect((await call("signed/page", { origin: "https://shop.test" })).status).toBe(200);
    expect((await call("help/page")).headers.get("access-control-allow-credentials")).toBeNull();
  });

  test("S76 a frame that only says that it has no origin opens no session: the page brings what it was served with, once", async () => {
    const opened = async () => (await world.stack.sql("select 1 from private.studio_chat_sessions")).length;
    const before = await opened();
    const page = await servedToken("help");
    const [until = "", random = ""] = page.split(".");
    const key = world.stack.serviceKey;
    const inTenMinutes = Date.now() / 1_000;
    const forged = [
      null,
      "",
      "null",
      `${Number(until) + 60}.${page.slice(until.length + 1)}`,
      `${until}.${random}.${"A".repeat(43)}`,
      await servedToken("small"),
      await makePageToken("help", "203.0.113.9", key, inTenMinutes),
      await makePageToken("help", "loopback", key, inTenMinutes - 601),
      await makePageToken("help", "loopback", "test-key-of-nobody", inTenMinutes),
      (await openInBrowser("help")).browser,
    ];
    for (const token of forged)
      expect(await refusal(await openSession("help", {}, token))).toEqual([403, "page_expired"]);
    expect(await opened()).toBe(before);
    const all = await Promise.all(Array.from({ length: 8 }, () => openSession("help", {}, page)));
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(7).fill(403)]);
    expect(await opened()).toBe(before + 1);
    // A wrong password does not use it up.
    await openPage("once", { access: "password" }, { passwordHash: await hashPassword("another", crypto) });
    const locked = await servedToken("once");
    expect((await openSession("once", { password: "no" }, locked)).status).toBe(401);
    expect((await openSession("once", { password: "another" }, locked)).status).toBe(201);
    expect((await openSession("once", { password: "another" }, locked)).status).toBe(403);
    // Programs and listed sites say who they are.
    expect((await call("signed/session", { body: {}, origin: "https://shop.test" })).status).toBe(401);
    const program = await fetch(`${world.stack.url}/c-api/help/session`, { method: "POST", body: "{}" });
    expect(program.status).toBe(201);
  });

  test("S76 what the page is told holds no secret, and a page that is off is not there", async () => {
    const info = await (await call("signed/page")).text();
    expect(JSON.parse(info)).toMatchObject({ title: "signed", access: "signed", sites: ["https://shop.test"] });
    expect(info).not.toContain(signingSecret);
    await openPage("off", {}, null, false);
    for (const slug of ["off", "nothing", "HELP", "help%2f.."]) {
      expect(await refusal(await call(`${slug}/page`))).toEqual([404, "not_found"]);
    }
  });

  test("S76 the page has a sandbox of its own, and only listed sites may frame it", async () => {
    const page = (slug: string) => fetch(`${world.stack.url}/c/${slug}`);
    const policy = async (slug: string) => (await page(slug)).headers.get("content-security-policy") ?? "";
    for (const slug of ["help", "signed", "nothing"]) {
      expect(await policy(slug)).toMatch(/^sandbox allow-scripts[a-z -]*; default-src 'none'; script-src 'self';/);
      expect(await policy(slug)).not.toContain("allow-same-origin");
    }
    expect(await policy("signed")).toContain("frame-ancestors https://shop.test");
    expect(await policy("help")).toContain("frame-ancestors 'none'");
    expect((await page("signed")).headers.get("x-frame-options")).toBeNull();
    expect((await page("help")).headers.get("x-frame-options")).toBe("DENY");
  });

  test("S76 listed sites may show the page and read how it looks only while the website is switched on", async () => {
    const origin = "https://shop.test";
    const listed = { sites: [origin] };
    await openPage("cornered", listed);
    expect((await call("cornered/page", { origin })).headers.get("access-control-allow-origin")).toBe(origin);
    expect(await refusal(await call("cornered/page", { origin: "https://other.test" }))).toEqual([
      403,
      "origin_not_allowed",
    ]);
    await openPage("cornered", { ...listed, embedded: false });
    const page = await fetch(`${world.stack.url}/c/cornered`);
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(await refusal(await call("cornered/page", { origin }))).toEqual([403, "origin_not_allowed"]);
    expect(await (await call("cornered/page")).json()).toMatchObject({ sites: [] });
  });
});

describe("S77 limits", () => {
  test("S77 messages that are too long, of another form or with pictures that are not wanted start nothing", async () => {
    const token = await enter("small");
    const picture = "data:image/png;base64,iVBORw0KGgo=";
    await startsNothing(async () => {
      const tries: [unknown, number, string][] = [
        [message("x".repeat(201)), 413, "too_large"],
        [message("x".repeat(300_000)), 413, "too_large"],
        [message(" "), 400, "bad_request"],
        [{ text: "Hi" }, 400, "bad_request"],
        [message("Hi", { images: [picture] }), 400, "bad_request"],
        [message("Hi", { images: ["https://evil.test/pixel.png"] }), 400, "bad_request"],
      ];
      for (const [body, status, code] of tries) {
        expect(await refusal(await call("small/messages", { token, body }))).toEqual([status, code]);
      }
    });
  });

  test("S77 a day's messages used up close the page in the owner's words, for everybody and before a run", async () => {
    const [one, other] = [await enter("small"), await enter("small")];
    await say("small", one, orderOf("d1", 0));
    await say("small", other, orderOf("d2", 0));
    await startsNothing(async () => {
      for (const token of [one, other]) {
        const response = await call("small/messages", { token, body: message(orderOf("d3", 0)) });
        expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
        expect(await response.json()).toMatchObject({ status: 503, code: "closed", detail: "Back tomorrow." });
      }
    });
    const [kept] = await world.stack.sql("select messages from private.studio_chat_days where workflow_id = $1", [
      ids.get("small"),
    ]);
    expect(kept).toEqual({ messages: 2 });
  });

  test("S77 a page that asks for work opens a session for a solved challenge of its own, once", async () => {
    await openPage("worked", { asksForWork: true });
    await openPage("worked-too", { asksForWork: true });
    const workFor = async (slug: string) => {
      const challenge = chatChallenge.parse(await (await call(`${slug}/challenge`)).json());
      return { challenge, solution: await solveChallenge({ challenge, deriveKey }) };
    };
    const open = (body: object) => openSession("worked", body);
    const work = await workFor("worked");
    const { challenge, solution } = work;
    const easier = { ...challenge, parameters: { ...challenge.parameters, keyPrefix: "00" } };
    const elsewhere = await workFor("worked-too");
    for (const wrong of [
      {},
      { work: { challenge, solution: { ...solution, derivedKey: "00".repeat(32) } } },
      { work: { challenge: easier, solution } },
      { work: elsewhere },
    ]) {
      expect(await refusal(await open(wrong))).toEqual([403, "work_required"]);
    }
    const opened = await open({ work });
    expect(opened.status).toBe(201);
    const { token } = z.object({ token: z.string() }).parse(await opened.json());
    expect((await say("worked", token, orderOf("w", 0))).events.at(-1)).toMatchObject({ status: "completed" });
    expect(await refusal(await open({ work }))).toEqual([403, "work_required"]);
    expect(await refusal(await call("help/challenge"))).toEqual([404, "not_found"]);
  });

  test("S77 an address has its messages a minute on a page", async () => {
    await openPage("quick", { perMinute: 1 });
    const token = await enter("quick");
    await fill(`chat ${ids.get("quick")} loopback`, 20);
    await startsNothing(async () => {
      const response = await call("quick/messages", { token, body: message(orderOf("q", 0)) });
      expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
      expect(await refusal(response)).toEqual([429, "rate_limit"]);
    });
  });
});

/** Has a limit by the minute counted so many calls already. */
async function fill(name: string, used: number): Promise<void> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(name));
  await world.stack.sql(
    `insert into private.studio_door_limits (key, window_start, used) values ($1, clock_timestamp(), $2)
     on conflict (key) do update set used = excluded.used, window_start = excluded.window_start`,
    [Buffer.from(digest).toString("hex"), used],
  );
}
