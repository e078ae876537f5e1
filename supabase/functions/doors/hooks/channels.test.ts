import { createHmac, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod/mini";
import type { HookDoorConfig } from "../../../../src/doors/hook-door.ts";
import { isJsonObject, type JsonObject } from "../../../../src/engine/json.ts";
import { templates } from "../../../../src/features/library/templates/index.ts";
import { startWorkerWorld, type WorkerWorld } from "../../../../worker/testing/worker-world.ts";
import { saveTestCredential } from "../../_shared/testing/call-function.ts";

let world: WorkerWorld;

beforeAll(async () => {
  world = await startWorkerWorld();
});
afterAll(() => world.stop());

const secret = "test-key-channel-0123456789";

/** Publishes a channel's template with its webhook on; its replies come to this test's server. Gives address and sample. */
async function open(id: string, config: Partial<HookDoorConfig>, key: string, credential?: JsonObject) {
  const document = templates.find((template) => template.id === id)?.build(randomUUID());
  const { hook, reply } = document?.nodes ?? {};
  if (document === undefined || !hook || !reply) throw new Error(`There is no channel ${id}.`);
  if (typeof reply.config["url"] === "string") {
    reply.config["url"] = reply.config["url"].replace(/^https:\/\/[^/]+/, `http://${world.servers.api.host}`);
  }
  if (credential !== undefined) {
    const draft = { ...credential, allowedHosts: [world.servers.api.host] };
    reply.config["credential"] = await saveTestCredential(world.stack, world.user.accessToken, draft);
  }
  document.name = `${id}-${randomUUID().slice(0, 8)}`;
  const workflow = await world.publish(document);
  const door = { p_workflow_id: workflow, p_kind: "hook", p_enabled: true, p_config: config, p_secrets: null };
  expect((await world.user.client.rpc("studio_save_door", door)).error).toBeNull();
  const renew = { p_workflow_id: workflow, p_secret: key, p_keep_previous: false };
  expect((await world.user.client.rpc("studio_renew_hook_secret", renew)).error).toBeNull();
  const { sample } = hook.config;
  if (!isJsonObject(sample)) throw new Error("The webhook shows no request.");
  return { address: `${world.stack.url}/hooks/${document.name}`, body: JSON.stringify(sample["body"]) };
}

const post = (address: string, body: string, headers: Record<string, string>) =>
  fetch(address, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });

/** Waits for the run that a request has started. */
const ended = (response: Response) => world.until(response.headers.get("x-switchyard-run") ?? "", "completed");

/** The last call of the service's API. */
function reply() {
  const { method, url, headers, body } = world.servers.api.seen.at(-1) ?? {
    method: "",
    url: "",
    headers: {},
    body: "",
  };
  return { method, url, headers, body };
}

const textIn = (body: string, schema: z.ZodMiniType<string>) => schema.parse(JSON.parse(body));

const sha256 = (text: string) => createHmac("sha256", secret).update(text).digest("hex");

describe("channels, as their services publish them", () => {
  test("Telegram: the reply is the answer to the request, and one that comes again gets the same", async () => {
    const { address, body } = await open("telegram-bot", { scheme: "telegram", answer: "respond" }, secret);
    const sent = { "x-telegram-bot-api-secret-token": secret };
    expect((await post(address, body, {})).status).toBe(401);
    const answers = [await post(address, body, sent), await post(address, body, sent)];
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.headers.get("content-type")).toContain("application/json");
    expect(texts[1]).toBe(texts[0]);
    const text = textIn(
      texts[0] ?? "",
      z.pipe(
        z.object({ text: z.string() }),
        z.transform((answer) => answer.text),
      ),
    );
    expect(JSON.parse(texts[0] ?? "")).toEqual({ method: "sendMessage", chat_id: 1_111_111, text });
    expect(text).toContain("6 * 7");
  });

  test("Slack: answered at once, then posted into the thread with the bot's token", async () => {
    const token = "test-key-bot";
    const { address, body } = await open("slack-bot", { scheme: "slack" }, secret, {
      type: "http-bearer",
      fields: { token },
    });
    const at = String(Math.floor(Date.now() / 1_000));
    const headers = {
      "x-slack-request-timestamp": at,
      "x-slack-signature": `v0=${sha256(`v0:${at}:${body}`)}`,
    };
    const answer = await post(address, body, headers);
    expect(answer.status).toBe(200);
    await ended(answer);
    const call = reply();
    expect([call.method, call.url]).toEqual(["POST", "/api/chat.postMessage"]);
    expect(call.headers).toMatchObject({
      authorization: `Bearer ${token}`,
      "content-type": "application/json; charset=utf-8",
    });
    const text = textIn(
      call.body,
      z.pipe(
        z.object({ text: z.string() }),
        z.transform((sent) => sent.text),
      ),
    );
    expect(call.body).toBe(JSON.stringify({ channel: "C123ABC456", thread_ts: "1515449522.000016", text }));
  });

  test("Discord: the reply takes the place of “thinking …”", async () => {
    const pair = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
    if (!("privateKey" in pair)) throw new Error("No key pair was made.");
    const key = Buffer.from(await crypto.subtle.exportKey("raw", pair.publicKey)).toString("hex");
    const { address, body: sample } = await open("discord-command", { scheme: "discord" }, key);
    const body = sample.replace('"token":""', '"token":"A_UNIQUE_TOKEN"');
    const at = String(Math.floor(Date.now() / 1_000));
    const signature = await crypto.subtle.sign("Ed25519", pair.privateKey, Buffer.from(at + body));
    const headers = { "x-signature-timestamp": at, "x-signature-ed25519": Buffer.from(signature).toString("hex") };
    const answer = await post(address, body, headers);
    expect([answer.status, await answer.json()]).toEqual([200, { type: 5 }]);
    await ended(answer);
    const call = reply();
    const path = "/api/v10/webhooks/845027738276462632/A_UNIQUE_TOKEN/messages/@original";
    expect([call.method, call.url, call.headers["content-type"]]).toEqual(["PATCH", path, "application/json"]);
    const content = textIn(
      call.body,
      z.pipe(
        z.object({ content: z.string() }),
        z.transform((sent) => sent.content),
      ),
    );
    expect(call.body).toBe(JSON.stringify({ content, allowed_mentions: { parse: [] } }));
  });

  test("WhatsApp: the sender is answered from the number that was written to, once", async () => {
    const token = "test-key-system-user";
    const { address, body } = await open("whatsapp-number", { scheme: "whatsapp" }, secret, {
      type: "http-bearer",
      fields: { token },
    });
    const headers = { "x-hub-signature-256": `sha256=${sha256(body)}` };
    const answer = await post(address, body, headers);
    expect(answer.status).toBe(200);
    await ended(answer);
    const again = await post(address, body, headers);
    expect(again.headers.get("x-switchyard-run")).toBe(answer.headers.get("x-switchyard-run"));
    const call = reply();
    expect([call.method, call.url]).toEqual(["POST", "/v23.0/106540352242922/messages"]);
    expect(call.headers).toMatchObject({ authorization: `Bearer ${token}`, "content-type": "application/json" });
    const text = textIn(
      call.body,
      z.pipe(
        z.object({ text: z.object({ body: z.string() }) }),
        z.transform((sent) => sent.text.body),
      ),
    );
    expect(call.body).toBe(
      JSON.stringify({
        messaging_product: "whatsapp",
        recipient_type: "individual",
        to: "16505551234",
        type: "text",
        text: { preview_url: false, body: text },
      }),
    );
  });

  test("mail: the token comes as a password, and the reply goes into the same thread", async () => {
    const value = "test-key-server";
    const { address, body } = await open("answer-mail", { scheme: "bearer" }, secret, {
      type: "http-header",
      fields: { name: "X-Postmark-Server-Token", value },
    });
    const basic = (password: string) => ({ authorization: `Basic ${btoa(`mail:${password}`)}` });
    expect((await post(address, body, basic("wrong"))).status).toBe(401);
    const answer = await post(address, body, basic(secret));
    expect(answer.status).toBe(202);
    await ended(answer);
    const call = reply();
    expect([call.method, call.url]).toEqual(["POST", "/email"]);
    expect(call.headers).toMatchObject({
      "x-postmark-server-token": value,
      "content-type": "application/json",
      accept: "application/json",
    });
    const text = textIn(
      call.body,
      z.pipe(
        z.object({ TextBody: z.string() }),
        z.transform((sent) => sent.TextBody),
      ),
    );
    const thread = "<CAGXpo2WKfxHWZ5UFYCR3H_J9SNMG+5AXUovfEFL6DjWBJSyZaA@mail.example.com>";
    expect(call.body).toBe(
      JSON.stringify({
        From: "you@example.com",
        To: "ada@example.com",
        Subject: "Re: A question",
        TextBody: text,
        MessageStream: "outbound",
        Headers: [
          { Name: "In-Reply-To", Value: thread },
          { Name: "References", Value: thread },
          { Name: "Auto-Submitted", Value: "auto-replied" },
        ],
      }),
    );
  });
});
