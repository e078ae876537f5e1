import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, streamText } from "ai";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { orderOf } from "../../../../worker/testing/step-servers.ts";
import { startWorkerWorld, type WorkerWorld } from "../../../../worker/testing/worker-world.ts";
import { makeApiKey } from "../testing/api-keys.ts";

let world: WorkerWorld;
let client: OpenAI;
let otherClient: OpenAI;

beforeAll(async () => {
  world = await startWorkerWorld();
  await world.publish(world.stepAgent({ name: "steps", memory: true }));
  await world.publish(world.stepAgent({ name: "hidden" }));
  const connect = async () =>
    new OpenAI({
      baseURL: `${world.stack.url}/v1`,
      apiKey: (await makeApiKey(world.user, ["run:steps"])).key,
    });
  client = await connect();
  otherClient = await connect();
});
afterAll(() => world.stop());

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(" ");
const heard = () => world.servers.vendor.seen.at(-1)?.body ?? "";
const picture =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("lists the workflows that the key may run as models", async () => {
  const models = [];
  for await (const model of client.models.list()) models.push(model.id);
  expect(models).toEqual(["steps"]);
  expect(await client.models.retrieve("steps")).toMatchObject({ id: "steps", object: "model" });
  await expect(client.models.retrieve("hidden")).rejects.toMatchObject({ status: 404, code: "not_found" });
});

test("a wrong method or address under /v1 is told as OpenAI tells it", async () => {
  for (const [path, method, status, allow] of [
    ["/v1/chat/completions", "GET", 405, "POST"],
    ["/v1/models", "DELETE", 405, "GET"],
    ["/v1/files/a/content", "GET", 404, null],
  ] as const) {
    const response = await fetch(`${world.stack.url}${path}`, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([status, allow]);
    expect(await response.json()).toEqual({
      error: { message: expect.any(String), type: "invalid_request_error", param: null, code: expect.any(String) },
    });
  }
});

test("answers chat completions, whole and piece by piece with the usage", async () => {
  const whole = await client.chat.completions.create({
    model: "steps@1",
    messages: [{ role: "user", content: orderOf("whole", 2) }],
    temperature: 0.2,
  });
  expect(whole).toMatchObject({
    object: "chat.completion",
    model: "steps@1",
    choices: [{ message: { role: "assistant", content: "whole is done" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 300, completion_tokens: 30, total_tokens: 330 },
  });
  const stream = await client.chat.completions.create({
    model: "steps",
    messages: [{ role: "user", content: "speak 60 words" }],
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe(words(60));
  expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("stop");
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 60 } });
  const viaHelper = client.chat.completions.stream({
    model: "steps",
    messages: [{ role: "user", content: orderOf("helped", 3) }],
  });
  expect(await viaHelper.finalContent()).toBe("helped is done");
});

test("the AI SDK's OpenAI-compatible provider reads answers, pieces, usage and failures", async () => {
  const { key } = await makeApiKey(world.user, ["run:steps"]);
  const baseURL = `${world.stack.url}/v1`;
  const provider = createOpenAICompatible({ name: "switchyard", baseURL, apiKey: key, includeUsage: true });
  const model = provider("steps");
  const whole = await generateText({ model, prompt: orderOf("sdk", 1) });
  expect(whole).toMatchObject({
    text: "sdk is done",
    finishReason: "stop",
    usage: { inputTokens: 200, outputTokens: 20 },
  });

  const stream = streamText({ model, prompt: "speak 20 words" });
  const parts: string[] = [];
  for await (const part of stream.textStream) parts.push(part);
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.join("")).toBe(words(20));
  expect(await stream.usage).toMatchObject({ outputTokens: 20 });

  world.servers.refused.add("sdk-broken/0");
  const broken = generateText({ model, prompt: orderOf("sdk-broken", 1), maxRetries: 0 });
  await expect(broken).rejects.toMatchObject({ statusCode: 502 });
});

test("gives pictures and what was said before to the workflow", async () => {
  await client.chat.completions.create({
    model: "steps",
    messages: [
      { role: "system", content: "Speak plainly." },
      { role: "user", content: "The secret is plum." },
      { role: "assistant", content: "I see." },
      {
        role: "user",
        content: [
          { type: "text", text: orderOf("seen", 0) },
          { type: "image_url", image_url: { url: picture } },
          { type: "file", file: { filename: "plan.pdf", file_data: "data:application/pdf;base64,JVBERi0xLjc=" } },
        ],
      },
    ],
  });
  for (const part of ["Speak plainly.", "The secret is plum.", "I see.", "iVBORw0KGgo"])
    expect(heard()).toContain(part);
  const [run] = await world.stack.sql<{ input: unknown }>(
    "select input from public.studio_runs order by started_at desc limit 1",
  );
  expect(run?.input).toMatchObject({
    value: {
      files: [
        { $file: expect.any(String), name: "file-1.png", mediaType: "image/png", size: 70 },
        { $file: expect.any(String), name: "plan.pdf", mediaType: "application/pdf", size: 8 },
      ],
    },
  });
});

test("S75 a conversation goes on under its user and name, and no other key reaches it", async () => {
  const say = (by: OpenAI, text: string, user: string, conversation: string) =>
    by.chat.completions.create({
      model: "steps",
      messages: [{ role: "user", content: text }],
      user,
      metadata: { conversation_id: conversation },
    });
  await say(client, `the secret is cherry, ${orderOf("first", 0)}`, "ada", "1");
  await say(client, orderOf("second", 0), "ada", "1");
  expect(heard()).toContain("cherry");
  for (const [by, user, conversation] of [
    [client, "ada", "2"],
    [client, "bob", "1"],
    [otherClient, "ada", "1"],
  ] as const) {
    await say(by, orderOf("third", 0), user, conversation);
    expect(heard(), `${user} ${conversation}`).not.toContain("cherry");
  }
});

test("answers responses, whole and piece by piece, and goes on with one", async () => {
  const first = await client.responses.create({ model: "steps", input: `the secret is fig, ${orderOf("resp", 1)}` });
  expect(first).toMatchObject({ status: "completed", output_text: "resp is done", usage: { total_tokens: 220 } });
  const stream = await client.responses.create({
    model: "steps",
    input: [{ role: "user", content: [{ type: "input_text", text: "speak 30 words" }] }],
    previous_response_id: first.id,
    stream: true,
  });
  const types = new Set<string>();
  let text = "";
  let done: unknown;
  for await (const event of stream) {
    types.add(event.type);
    if (event.type === "response.output_text.delta") text += event.delta;
    if (event.type === "response.completed") done = event.response;
  }
  expect([...types]).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.completed",
  ]);
  expect(text).toBe(words(30));
  expect(done).toMatchObject({ status: "completed", previous_response_id: first.id });
  expect(heard()).toContain("fig");
  const stolen = otherClient.responses.create({ model: "steps", input: "Go on.", previous_response_id: first.id });
  await expect(stolen).rejects.toMatchObject({ status: 404 });
});

test("a run that failed is an error for the client, which does not try again; so is a wrong key or model", async () => {
  world.servers.refused.add("broken/0");
  const hits = () => world.servers.modelHits.filter(({ run }) => run === "broken").length;
  const ask = { model: "steps", messages: [{ role: "user" as const, content: orderOf("broken", 1) }] };
  await expect(client.chat.completions.create(ask)).rejects.toMatchObject({ status: 502, type: "server_error" });
  const before = hits();
  const stream = await client.chat.completions.create({ ...ask, stream: true });
  await expect(
    (async () => {
      for await (const _ of stream);
    })(),
  ).rejects.toThrow("No.");
  expect(hits()).toBe(before * 2);
  const failed = "select 1 from public.studio_runs where status = 'failed' and input::text like '%run broken %'";
  expect(await world.stack.sql(failed)).toHaveLength(2);
  await expect(client.responses.create({ model: "steps", input: orderOf("broken", 1) })).rejects.toMatchObject({
    status: 502,
  });
  await expect(client.chat.completions.create({ ...ask, model: "hidden" })).rejects.toMatchObject({ status: 404 });
  await expect(client.chat.completions.create({ ...ask, messages: [] })).rejects.toMatchObject({ status: 400 });
  const unknown = new OpenAI({ baseURL: `${world.stack.url}/v1`, apiKey: "test-key-none" });
  await expect(unknown.models.list()).rejects.toMatchObject({ status: 401, type: "authentication_error" });
});

test("takes tool turns, and refuses in words what a workflow does not have", async () => {
  const { choices } = await client.chat.completions.create({
    model: "steps",
    messages: [
      { role: "user", content: "The secret is quince." },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "a", content: "noted" },
      { role: "user", content: orderOf("history", 0) },
    ],
  });
  expect(choices[0]?.message.content).toBe("history is done");
  expect(heard()).toContain("Result of the tool: noted");
  const ask = { model: "steps", messages: [{ role: "user" as const, content: "Hi" }] };
  const schema = { type: "json_schema" as const, json_schema: { name: "a", schema: { type: "object" } } };
  for (const [make, words] of [
    [() => client.chat.completions.create({ ...ask, response_format: schema }), /answers with text/],
    [() => client.chat.completions.create({ ...ask, n: 2 }), /one answer/],
    [() => client.embeddings.create({ model: "steps", input: "Hi" }), /has no \/v1\/embeddings/],
    [() => client.audio.speech.create({ model: "steps", voice: "alloy", input: "Hi" }), /has no \/v1\/audio\/speech/],
  ] as const)
    await expect(make()).rejects.toThrow(words);
});

test("a client that goes away ends its run", async () => {
  const stop = new AbortController();
  const stream = await client.chat.completions.create(
    { model: "steps", messages: [{ role: "user", content: "speak 2000 words" }], stream: true },
    { signal: stop.signal },
  );
  const [run] = await world.stack.sql<{ id: string }>(
    "select id from public.studio_runs order by queued_at desc limit 1",
  );
  for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
  stop.abort();
  const status = await world.eventually(async () => {
    const now = String((await world.row(run?.id ?? ""))["status"]);
    return ["queued", "running"].includes(now) ? undefined : now;
  });
  expect(status).toBe("cancelled");
});
