import { describe, expect, it } from "vitest";
import { testHost } from "../../engine/testing/test-host.ts";
import { embedParts } from "./embed-parts.ts";

const local = { provider: "openai-compatible", model: "mxbai-embed-large", credential: "c" };

interface Server {
  /** Characters of a text that it takes. */
  longest?: number;
  /** How it refuses a longer one. */
  refusal?: { status: number; message: string };
  /** Texts that it answers, of each request. */
  mostTexts?: number;
  /** Numbers of each vector. */
  vector?: (number | null)[];
}

/** Embeds these texts at a server of this kind; gives what came of each, and how many texts each request had. */
async function embed(texts: readonly string[], server: Server) {
  const { longest = 100, mostTexts = 64, vector = [1, 0] } = server;
  const { status, message } = server.refusal ?? { status: 400, message: "the input length exceeds the context length" };
  const requests: number[] = [];
  const host = testHost({
    fetch: async (_connection, _input, init) => {
      const { input } = JSON.parse(String(init?.body)) as { input: string[] };
      requests.push(input.length);
      if (input.some((text) => text.length > longest)) return Response.json({ error: { message } }, { status });
      const data = input.slice(0, mostTexts).map((_text, index) => ({ object: "embedding", index, embedding: vector }));
      return Response.json({ object: "list", data, model: local.model });
    },
  });
  const signal = new AbortController().signal;
  const came: Record<string, string> = {};
  for await (const part of embedParts(texts, (text) => text, local, { host, signal })) {
    if (part.type === "too-long") came[part.item] = part.reason;
    else part.items.forEach((text, index) => (came[text] = JSON.stringify(part.vectors[index])));
  }
  return { came, requests };
}

const long = "x".repeat(101);

describe("embedParts", () => {
  it("takes one request for a batch that the server takes", async () => {
    const { came, requests } = await embed(["a", "b", "c"], {});
    expect(requests).toEqual([3]);
    expect(came).toEqual({ a: "[1,0]", b: "[1,0]", c: "[1,0]" });
  });

  it.each([
    ["OpenAI's words", { status: 400, message: "This model's maximum context length is 512 tokens." }],
    ["Ollama's words", { status: 500, message: "the input length exceeds the context length" }],
    ["llama.cpp's words", { status: 500, message: "input is too large to process. increase the physical batch size" }],
    ["TEI's words", { status: 413, message: "`inputs` must have less than 512 tokens. Given: 700" }],
  ])("loses no text by another that is too long: %s", async (_name, refusal) => {
    const { came } = await embed(["a", "b", long, "c", "d"], { refusal });
    expect(came).toMatchObject({ a: "[1,0]", b: "[1,0]", c: "[1,0]", d: "[1,0]" });
    expect(came[long]).toContain("too long for the embedding model");
    expect(came[long]).toContain(refusal.message);
  });

  it("asks for less where a server answers only some of the texts", async () => {
    const { came, requests } = await embed(["a", "b", "c", "d"], { mostTexts: 2 });
    expect(Object.values(came)).toEqual(["[1,0]", "[1,0]", "[1,0]", "[1,0]"]);
    expect(requests).toEqual([4, 2, 2]);
  });

  it("gives up after a few requests where not even one text passes", async () => {
    const many = Array.from({ length: 64 }, (_, n) => `text ${n}`);
    const refusal = { status: 400, message: "This is a chat model." };
    await expect(embed(many, { longest: 0, refusal })).rejects.toMatchObject({ data: { code: "model_error" } });
    await expect(embed(many, { mostTexts: 0 })).rejects.toThrow("did not give one vector for each text");
  });

  it("takes no vector that is not made of numbers", async () => {
    await expect(embed(["a"], { vector: [1, null] })).rejects.toThrow("did not give one vector for each text");
  });
});
