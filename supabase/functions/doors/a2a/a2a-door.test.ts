import { type Part, Role, type SendMessageRequest, type StreamResponse, TaskState } from "@a2a-js/sdk";
import { type Client, ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildWorkflow } from "../../../../src/engine/testing/build-workflow.ts";
import { orderOf } from "../../../../worker/testing/step-servers.ts";
import { startWorkerWorld, type WorkerWorld } from "../../../../worker/testing/worker-world.ts";
import { signUp } from "../../../local/testing/clients.ts";
import { partsOf } from "./sent-parts.ts";
import { makeApiKey } from "../testing/api-keys.ts";

let world: WorkerWorld;
let key: string;
let client: Client;
/** The workflow of the agent. */
let workflow: string;

beforeAll(async () => {
  world = await startWorkerWorld();
  workflow = await world.publish(world.stepAgent({ name: "steps", memory: true }));
  await world.publish(
    buildWorkflow({ id: crypto.randomUUID(), name: "mute", nodes: { start: ["manual-trigger", {}] }, edges: [] }),
  );
  key = (await makeApiKey(world.user, ["run:*"])).key;
  client = await connect(key);
});
afterAll(() => world.stop());

/** `fetch` as a program with this key makes it. */
const fetchWith =
  (apiKey: string): typeof fetch =>
  (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${apiKey}`);
    return fetch(input, { ...init, headers });
  };

/** The official client, which finds the agent by its card. */
function connect(apiKey: string, agent = "steps"): Promise<Client> {
  const fetchImpl = fetchWith(apiKey);
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  });
  return factory.createFromUrl(`${world.stack.url}/a2a/${agent}/`, ".well-known/agent-card.json");
}

function request(text: string, contextId = "", returnImmediately = false): SendMessageRequest {
  return {
    tenant: "",
    metadata: undefined,
    configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately },
    message: {
      messageId: crypto.randomUUID(),
      contextId,
      taskId: "",
      role: Role.ROLE_USER,
      parts: [{ content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "text/plain" }],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
  };
}

async function taskFrom(asked: SendMessageRequest) {
  const answer = await client.sendMessage(asked);
  if (!("status" in answer)) throw new Error("The answer is no task.");
  return answer;
}

const runsStarted = async () => (await world.stack.sql("select 1 from public.studio_runs")).length;

function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(`${world.stack.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

const oldMessage = (method: string, text: string) => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  params: {
    message: { kind: "message", messageId: crypto.randomUUID(), role: "user", parts: [{ kind: "text", text }] },
  },
});

describe("the official client", () => {
  test("finds the agent, sends a message and gets the answer as a task", async () => {
    expect(await client.getAgentCard()).toMatchObject({
      name: "steps",
      version: "1",
      capabilities: { streaming: true },
      supportedInterfaces: [
        { url: `${world.stack.url}/a2a/steps`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        { protocolVersion: "0.3" },
      ],
    });
    const task = await taskFrom(request(orderOf("a", 1)));
    expect(task).toMatchObject({
      status: { state: TaskState.TASK_STATE_COMPLETED },
      artifacts: [{ parts: [{ content: { $case: "text", value: "a is done" } }] }],
    });
    expect(await client.getTask({ tenant: "", id: task.id })).toMatchObject({ id: task.id, contextId: task.contextId });
    const next = await taskFrom(request(orderOf("b", 0), task.contextId));
    expect(next.contextId).toBe(task.contextId);
    expect((await world.row(next.id))["subject"]).toBe((await world.row(task.id))["subject"]);
  });

  test("gets the files of an answer as links", async () => {
    await world.publish(
      buildWorkflow({
        id: crypto.randomUUID(),
        name: "making",
        nodes: { chat: ["chat-trigger"], code: ["code", { code: 'return files.make("note.txt", "Made here");' }] },
        edges: ["chat.main -> code.main"],
      }),
    );
    const maker = await connect(key, "making");
    const task = await maker.sendMessage(request("Go"));
    const told: StreamResponse[] = [];
    for await (const news of maker.sendMessageStream(request("Go"))) told.push(news);
    const streamed = told.flatMap(({ payload }) =>
      payload?.$case === "artifactUpdate" ? [payload.value.artifact] : [],
    );
    const artifacts = "artifacts" in task ? task.artifacts : [];
    for (const all of [artifacts, streamed]) {
      const [part] = all.find((one) => one?.artifactId === "files")?.parts ?? [];
      expect(part).toMatchObject({ filename: "note.txt", mediaType: "text/plain" });
      const link = part?.content?.$case === "url" ? part.content.value : "";
      expect(await (await fetch(link)).text()).toBe("Made here");
    }
  });

  test("S105 sends files by their bytes, which are files of the run, and no others", async () => {
    await world.publish(
      buildWorkflow({
        id: crypto.randomUUID(),
        name: "reading",
        nodes: {
          chat: ["chat-trigger"],
          code: ["code", { code: "return [json.message, ...json.files.map((file) => files.text(file))];" }],
        },
        edges: ["chat.main -> code.main"],
      }),
    );
    const reader = await connect(key, "reading");
    expect(await reader.getAgentCard()).toMatchObject({
      defaultInputModes: expect.arrayContaining(["text/plain", "application/pdf"]),
    });
    const file = (content: Part["content"]): Part => ({
      content,
      metadata: undefined,
      filename: "../note.txt",
      mediaType: "text/plain",
    });
    const raw = file({ $case: "raw", value: Buffer.from("A note") });
    const asked = (...parts: Part[]) => {
      const sent = request("Read");
      return { ...sent, message: sent.message && { ...sent.message, parts: [...sent.message.parts, ...parts] } };
    };
    const task = await reader.sendMessage(asked(raw));
    expect(JSON.stringify("artifacts" in task && task.artifacts)).toContain("A note");
    const held = await world.stack.sql<{ id: string }>(
      `select files.id, files.name, files.media_type from private.studio_file_uses as uses
       join public.studio_files as files on files.id = uses.file where uses.run_id = $1`,
      ["id" in task ? task.id : ""],
    );
    expect(held).toEqual([{ id: expect.any(String), name: "note.txt", media_type: "text/plain" }]);
    const before = await runsStarted();
    const address = file({ $case: "url", value: "https://example.com/a.txt" });
    const data = file({ $case: "data", value: { file: { $file: held[0]?.id } } });
    const empty = file({ $case: "raw", value: Buffer.alloc(0) });
    await expect(reader.sendMessage(asked(address))).rejects.toThrow("not by its address");
    await expect(reader.sendMessage(asked(data))).rejects.toThrow("Send text and files only");
    await expect(reader.sendMessage(asked(empty))).rejects.toThrow("no bytes");
    await expect(reader.sendMessage(asked(...Array.from({ length: 11 }, () => raw)))).rejects.toThrow("at most 10");
    expect(() => partsOf(asked(raw).message, { takesFiles: false })).toThrow("text parts only");
    expect(await runsStarted()).toBe(before);
    const old = await post("/a2a/reading", {
      ...oldMessage("message/send", "Read"),
      params: {
        message: {
          kind: "message",
          messageId: crypto.randomUUID(),
          role: "user",
          parts: [{ kind: "file", file: { name: "b.txt", mimeType: "text/plain", bytes: btoa("An old note") } }],
        },
      },
    });
    expect(JSON.stringify(await old.json())).toContain("An old note");
  });

  test("reads the answer as it is written", async () => {
    const seen: StreamResponse[] = [];
    for await (const news of client.sendMessageStream(request("speak 3 words"))) seen.push(news);
    const kinds = seen.map(({ payload }) => payload?.$case);
    expect(kinds[0]).toBe("task");
    expect(kinds).toContain("artifactUpdate");
    const text = seen.flatMap(({ payload }) =>
      payload?.$case === "artifactUpdate"
        ? (payload.value.artifact?.parts ?? []).map(({ content }) => (content?.$case === "text" ? content.value : ""))
        : [],
    );
    expect(text.join("")).toBe("word0 word1 word2");
    expect(seen.at(-1)?.payload).toMatchObject({ value: { status: { state: TaskState.TASK_STATE_COMPLETED } } });
  });

  test("is told of a failed run, and cancels one that goes on", async () => {
    world.servers.refused.add("bad/0");
    const failed = await taskFrom(request(orderOf("bad", 1)));
    expect(failed).toMatchObject({ status: { state: TaskState.TASK_STATE_FAILED }, artifacts: [] });
    expect(failed.status?.message?.parts).toHaveLength(1);
    const long = await taskFrom(request(orderOf("long", 45), "", true));
    expect(await client.cancelTask({ tenant: "", id: long.id, metadata: undefined })).toMatchObject({
      status: { state: TaskState.TASK_STATE_CANCELED },
    });
  });
});

test("clients of version 0.3 are understood as well", async () => {
  const sent = await post("/a2a/steps", oldMessage("message/send", orderOf("old", 0)));
  expect(await sent.json()).toMatchObject({
    result: { kind: "task", status: { state: "completed" }, artifacts: [{ parts: [{ text: "old is done" }] }] },
  });
  const streamed = await post("/a2a/steps", oldMessage("message/stream", orderOf("new", 0)));
  expect(streamed.headers.get("content-type")).toContain("text/event-stream");
  expect(await streamed.text()).toContain('"state":"completed"');
  expect((await post("/a2a/steps", oldMessage("message/send", "x"), { "a2a-version": "9.0" })).status).toBe(400);
});

test("S79 a key reaches its own agents and tasks only, and refusals start nothing", async () => {
  const mine = await taskFrom(request(orderOf("mine", 0)));
  const second = await connect((await makeApiKey(world.user, ["run:steps"])).key);
  await expect(second.getTask({ tenant: "", id: mine.id })).rejects.toThrow("no such task");
  const before = await runsStarted();
  const stranger = (await makeApiKey(await signUp(world.stack), ["run:*"])).key;
  const narrow = (await makeApiKey(world.user, ["run:mute", "runs:read"])).key;
  const message = oldMessage("message/send", orderOf("x", 0));
  for (const [path, authorization, status] of [
    ["/a2a/steps", "", 401],
    ["/a2a/steps", `Bearer ${stranger}`, 404],
    ["/a2a/steps", `Bearer ${narrow}`, 404],
    ["/a2a/mute", `Bearer ${key}`, 404],
  ] as const) {
    expect([path, (await post(path, message, { authorization })).status]).toEqual([path, status]);
    const card = await fetch(`${world.stack.url}${path}/.well-known/agent-card.json`, { headers: { authorization } });
    expect([path, card.status]).toEqual([path, status]);
  }
  expect((await post("/a2a/steps", message, { origin: "https://evil.test" })).status).toBe(403);
  expect((await post("/a2a/steps", [message])).status).toBe(400);
  expect(await (await post("/a2a/steps", oldMessage("message/send", " "))).json()).toMatchObject({ error: {} });
  expect(await runsStarted()).toBe(before);
});

test("an agent that is switched off is not found, and programs still run the workflow", async () => {
  const offer = async (agents: boolean) => {
    const door = { p_workflow_id: workflow, p_kind: "api", p_enabled: true, p_config: { agents }, p_secrets: null };
    expect((await world.user.client.rpc("studio_save_door", door)).error).toBeNull();
  };
  await offer(false);
  const before = await runsStarted();
  expect((await post("/a2a/steps", oldMessage("message/send", orderOf("x", 0)))).status).toBe(404);
  const card = { headers: { authorization: `Bearer ${key}` } };
  expect((await fetch(`${world.stack.url}/a2a/steps/.well-known/agent-card.json`, card)).status).toBe(404);
  expect(await runsStarted()).toBe(before);
  expect((await post("/api/run/steps?wait=0", { message: orderOf("by program", 0) })).status).toBeLessThan(300);
  await offer(true);
  expect((await fetch(`${world.stack.url}/a2a/steps/.well-known/agent-card.json`, card)).status).toBe(200);
});
