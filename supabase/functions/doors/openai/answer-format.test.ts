import { describe, expect, it } from "vitest";
import type { DoorRun } from "../../_shared/door-runs.ts";
import type { AnswerNews } from "../../_shared/follow-answer.ts";
import { type AnswerFormat, chatFormat, fitting, formatInstruction } from "./answer-format.ts";

const wanted = chatFormat.parse({
  type: "json_schema",
  json_schema: { name: "answer", strict: true, schema: { type: "object", required: ["city"] } },
});

async function heard(text: string, format: AnswerFormat): Promise<string[]> {
  const run = { status: "completed", error: null } as unknown as DoorRun;
  async function* news(): AsyncGenerator<AnswerNews> {
    yield { kind: "text", seq: 1, upTo: text.length, text };
    yield { kind: "end", run, text, usage: { inputTokens: 0, outputTokens: 0 } };
  }
  const words = [];
  for await (const one of fitting(news(), format))
    words.push(one.kind === "end" ? `${one.run.status} ${one.run.error?.message ?? ""}` : one.kind);
  return words;
}

describe("a JSON format", () => {
  it("is told to a workflow whose answer is JSON, and refused by another", () => {
    expect(formatInstruction(wanted, true)).toContain('"required":["city"]');
    expect(() => formatInstruction(wanted, false)).toThrow(
      expect.objectContaining({
        problem: expect.objectContaining({ detail: expect.stringMatching(/answers with text/) }),
      }),
    );
    for (const none of [undefined, null, { type: "text" as const }, { type: "json_object" as const }])
      expect(formatInstruction(none, false)).toBe("");
  });

  it("lets an answer through that fits, and fails the run of one that does not", async () => {
    expect(await heard('{"city":"Ghent"}', wanted)).toEqual(["text", "completed "]);
    expect(await heard("{}", wanted)).toEqual([expect.stringMatching(/^failed .*does not fit.*city/)]);
    expect(await heard("Ghent", wanted)).toEqual([expect.stringMatching(/no JSON/)]);
    expect(await heard("Ghent", undefined)).toEqual(["text", "completed "]);
  });
});
