import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../engine/json.ts";
import { maxSeconds } from "../../engine/model/transcription.ts";
import { createSpendingLimit } from "../../engine/spending/spending-limit.ts";
import { fileStore } from "../../engine/in-memory/file-store.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { realSleep } from "../../engine/testing/real-sleep.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { nodeRegistry } from "../index.ts";

/** A form as a server reads it. */
async function fieldsOf(request: Request): Promise<Record<string, string>> {
  const form = await request.formData();
  const entries = [...form].map(async ([name, value]) => {
    const text = typeof value === "string" ? value : `${value.name} ${value.type} ${await value.text()}`;
    return [name, text] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

const usual = () => Response.json({ text: " Hello there. ", usage: { type: "duration", seconds: 90 } });

interface Setting {
  config?: JsonObject;
  answer?: () => Response;
  maxUsd?: number;
  bytes?: number;
}

/** A run that has a recording written down by a vendor that answers so. */
async function transcribed({ config = {}, answer = usual, maxUsd, bytes = 4 }: Setting = {}) {
  const files = fileStore();
  const file = await files.put("call.mp3", "audio/mpeg", "x".repeat(bytes));
  const sent: { path: string; fields: Record<string, string>; credential: string }[] = [];
  const host = testHost({
    files,
    async fetch({ credential }, input, init) {
      const request = new Request(input, init);
      sent.push({ path: new URL(request.url).pathname, fields: await fieldsOf(request), credential });
      return answer();
    },
  });
  const refusal = () => ({ code: "budget" as const, message: "No room.", hint: "", retryable: false });
  const spending = maxUsd === undefined ? {} : { spending: createSpendingLimit({ maxUsd, refusal }) };
  const document = buildWorkflow({
    nodes: { start: ["manual-trigger"], write: ["transcribe", { credential: "key-1", ...config }] },
    edges: ["start.main -> write.main"],
  });
  const run = await runToEnd(document, {
    registry: nodeRegistry,
    // The virtual clock would not wait for the vendor's code to load.
    host: { ...host, sleep: realSleep, ...spending },
    input: { recording: file },
    files: [file],
  });
  return { run, end: run.end, sent };
}

describe("transcribe", () => {
  it("sends what the vendor's own SDK sends, and gives the text, its length and its cost", async () => {
    const { run, end, sent } = await transcribed({ config: { language: "en", prompt: "Ann", model: "whisper-1" } });
    const theirs: Record<string, string>[] = [];
    const client = new OpenAI({
      apiKey: "test-key-1",
      dangerouslyAllowBrowser: true,
      fetch: async (input, init) => {
        theirs.push(await fieldsOf(new Request(input, init)));
        return usual();
      },
    });
    const file = new File(["xxxx"], "call.mp3", { type: "audio/mpeg" });
    const own = { model: "whisper-1", language: "en", prompt: "Ann", response_format: "json" as const };
    await client.audio.transcriptions.create({ file, ...own });
    expect(sent).toEqual([{ path: "/audio/transcriptions", credential: "key-1", fields: theirs[0] }]);
    expect(end.output).toEqual({ text: "Hello there.", seconds: 90 });
    expect(run.of("transcription")).toMatchObject([
      { model: "whisper-1", seconds: 90, costUsd: expect.closeTo(0.009) },
    ]);
    expect(end.costUsd).toBeCloseTo(0.009);
    expect(run.of("node-end").at(-1)?.untrusted).toEqual(['the file "call.mp3"']);
  });

  it("gives passages with their times where they are asked for", async () => {
    const segments = [{ id: 0, start: 0, end: 1.5, text: " Hello", tokens: [1] }];
    const answer = () => Response.json({ text: "Hello", language: "english", duration: 1.5, segments });
    const { end, sent } = await transcribed({ answer, config: { timestamps: true, model: "whisper-1" } });
    expect(sent[0]?.fields).toMatchObject({ response_format: "verbose_json" });
    expect(end.output).toEqual({
      text: "Hello",
      language: "english",
      seconds: 1.5,
      segments: [{ start: 0, end: 1.5, text: "Hello" }],
    });
  });

  it("counts by audio tokens where the vendor counts those, and by the own price where one is set", async () => {
    const usage = { type: "tokens", input_tokens: 620, output_tokens: 5, input_token_details: { audio_tokens: 600 } };
    const answer = () => Response.json({ text: "Hi", usage });
    const listed = await transcribed({ answer });
    expect(listed.run.of("transcription")).toMatchObject([{ seconds: 60, costUsd: 0.003 }]);
    const own = await transcribed({
      answer,
      config: { provider: "openai-compatible", model: "w", pricePerMinute: 0.5 },
    });
    expect(own.run.of("transcription")).toMatchObject([{ costUsd: 0.5, usage: { inputTokens: 620, outputTokens: 5 } }]);
    const unknown = await transcribed({ answer, config: { provider: "openai-compatible", model: "w" } });
    expect(unknown.run.of("transcription")).toMatchObject([{ costUsd: null }]);
  });

  it("S92 is not called where a spending limit has no room, or its price is not known", async () => {
    const large = await transcribed({ bytes: 1_000_000, maxUsd: 0.01 });
    expect(large.end.error).toMatchObject({ code: "budget" });
    const unknown = await transcribed({ config: { provider: "openai-compatible", model: "w" }, maxUsd: 100 });
    expect(unknown.end.error?.message).toContain("price");
    expect([...large.sent, ...unknown.sent]).toEqual([]);
    const small = await transcribed({ maxUsd: 1 });
    expect(small.end.outcome).toBe("completed");
  });

  it.each<[string, Setting, RegExp]>([
    ["no credential", { config: { credential: "" } }, /has no credential/],
    ["no file", { config: { file: "{{json.recording.name}}" } }, /not a file/],
    ["a large file", { bytes: 26 * 1024 * 1024 + 300_000 }, /at most 26\.2 MB/],
    ["a strange answer", { answer: () => Response.json({ words: [] }) }, /no transcript/],
    [
      "a format that the vendor does not take",
      { answer: () => Response.json({ error: { message: "Invalid file format." } }, { status: 400 }) },
      /Invalid file format/,
    ],
    ["a wrong key", { answer: () => Response.json({ error: { message: "No." } }, { status: 401 }) }, /key|credential/i],
  ])("says what is wrong: %s", async (_case, setting, words) => {
    const { end } = await transcribed(setting);
    expect(`${end.error?.message} ${end.error?.hint}`).toMatch(words);
  });

  it("tries again after a busy server, as often as it is set", async () => {
    const answers = [() => Response.json({ error: { message: "Busy" } }, { status: 503 }), usual];
    const answer = () => (answers.shift() ?? usual)();
    const { end, sent } = await transcribed({ answer, config: { retries: 1, retryDelayMs: 100 } });
    expect(end.outcome).toBe("completed");
    expect(sent).toHaveLength(2);
  });
});

describe("maxSeconds", () => {
  const wav = (bytesPerSecond: number) => {
    const bytes = new Uint8Array(64_000);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, 0x52494646);
    view.setUint32(8, 0x57415645);
    view.setUint32(28, bytesPerSecond, true);
    return bytes;
  };

  it("believes a WAV's header within reason, and takes anything else for the most compact speech", () => {
    expect(maxSeconds(wav(32_000))).toBe(2);
    expect(maxSeconds(wav(4_000_000_000))).toBe(0.32);
    expect(maxSeconds(wav(0))).toBe(64);
    expect(maxSeconds(new Uint8Array(2_000))).toBe(2);
  });
});
