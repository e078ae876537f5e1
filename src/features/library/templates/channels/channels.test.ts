import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noCredentials } from "../../../../../cli/headless/credentials-file.ts";
import { createNodeHost } from "../../../../../cli/headless/node-host.ts";
import { parseHostList } from "../../../../../supabase/functions/_shared/host-list.ts";
import {
  type LoopbackServer,
  startLoopbackServer,
} from "../../../../../supabase/functions/_shared/testing/loopback-server.ts";
import { validateWorkflow } from "../../../../engine/document/validate.ts";
import type { WorkflowDocument } from "../../../../engine/document/workflow-document.ts";
import type { Host } from "../../../../engine/host.ts";
import { isJsonObject, type JsonObject } from "../../../../engine/json.ts";
import { runToEnd } from "../../../../engine/testing/run-to-end.ts";
import { nodeRegistry } from "../../../../nodes/index.ts";
import { templates } from "../index.ts";

let api: LoopbackServer;
let host: Host;
/** What the service answers. */
let answer: JsonObject = { ok: true };

beforeAll(async () => {
  api = await startLoopbackServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  host = createNodeHost({
    credentials: noCredentials,
    policy: { allowHosts: parseHostList([api.host]).list },
    approve: false,
    workflows: { load: () => Promise.reject(new Error("No template runs another workflow.")) },
  });
});
afterAll(() => api.stop());

/** A channel's workflow, whose replies come to this test. */
function channel(id: string): WorkflowDocument {
  const document = templates.find((template) => template.id === id)?.build("00000000-0000-4000-8000-000000000001");
  if (document === undefined) throw new Error(`There is no template ${id}.`);
  const reply = document.nodes["reply"];
  if (typeof reply?.config["url"] === "string") {
    reply.config["url"] = reply.config["url"].replace(/^https:\/\/[^/]+/, `http://${api.host}`);
  }
  return document;
}

/** The request that the template shows, with another body where one is given. */
function requestOf({ nodes }: WorkflowDocument, body?: JsonObject): JsonObject {
  const sample = nodes["hook"]?.config["sample"];
  if (!isJsonObject(sample)) throw new Error("The webhook shows no request.");
  return { ...sample, ...(body && { body }) };
}

const run = (document: WorkflowDocument, body?: JsonObject) =>
  runToEnd(document, { registry: nodeRegistry, host, input: requestOf(document, body) });

const channels = templates.filter(({ category }) => category === "channels");

describe.each(channels)("the channel $title", ({ id }) => {
  it("is whole, says how it is set up, and answers the request that it shows", async () => {
    const document = channel(id);
    expect(validateWorkflow(document, nodeRegistry).filter(({ severity }) => severity === "error")).toEqual([]);
    expect(document.nodes["note"]?.config["text"]).toMatch(/^\*\*.+\*\*\n\n1\. [\s\S]+\n3\. /);
    const { end, of } = await run(document);
    expect([end.outcome, of("node-error")]).toEqual(["completed", []]);
    expect(JSON.stringify(of("model-response"))).toContain("6 * 7");
  });
});

/** Requests of these services that no person wrote. */
const noMessages: [string, string, JsonObject][] = [
  ["telegram-bot", "a picture", { update_id: 1, message: { message_id: 1, chat: { id: 1 }, photo: [] } }],
  ["telegram-bot", "a member who joins", { update_id: 2, my_chat_member: {} }],
  [
    "slack-bot",
    "its own words",
    { type: "event_callback", event: { type: "message", bot_id: "B1", text: "Hi", channel: "C1", ts: "1" } },
  ],
  ["discord-command", "a button", { type: 3, data: { custom_id: "x" } }],
  [
    "whatsapp-number",
    "a message that was read",
    { object: "whatsapp_business_account", entry: [{ changes: [{ value: { statuses: [{ status: "read" }] } }] }] },
  ],
  [
    "answer-mail",
    "a notice of absence",
    { TextBody: "I am away.", Headers: [{ Name: "Auto-Submitted", Value: "auto-replied" }] },
  ],
];

it.each(noMessages)("%s leaves out %s", async (id, _what, body) => {
  const before = api.seen.length;
  const { end, of } = await run(channel(id), body);
  expect([end.outcome, of("model-request").length, api.seen.length]).toEqual(["completed", 0, before]);
});

it("a reply that Slack does not post fails the run, although its status is 200", async () => {
  answer = { ok: false, error: "channel_not_found" };
  const { end, of } = await run(channel("slack-bot"));
  answer = { ok: true };
  expect(end.outcome).toBe("failed");
  expect(JSON.stringify(of("node-error"))).toContain("channel_not_found");
});
