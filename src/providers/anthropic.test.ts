import { describe, expect, it } from "vitest";
import { RunError } from "../engine/errors.ts";
import { anthropicProvider } from "./anthropic.ts";
import { claudeTraits } from "./anthropic/model-traits.ts";
import * as wire from "./anthropic/recordings/messages.ts";
import { replayHost, type Recording } from "./testing/replay.ts";

describe("anthropic's models", () => {
  const context = (recording: Recording) => ({
    host: replayHost(recording).host,
    credential: "credential-1",
    nodeId: "model",
  });
  const signal = new AbortController().signal;

  it("lists what the vendor has, with those that go marked", async () => {
    expect(await anthropicProvider.listModels(context(wire.models), signal)).toEqual([
      { id: "claude-sonnet-5-5", title: "Claude Sonnet 5.5" },
      { id: "claude-sonnet-4-5", title: "Claude Sonnet 4.5", retired: true },
    ]);
    await expect(anthropicProvider.listModels(context(wire.unauthorized), signal)).rejects.toBeInstanceOf(RunError);
  });

  it("knows by the version in a name how a model thinks and samples", () => {
    const kinds = (model: string) => {
      const { thinking, sampling, structured } = claudeTraits(model);
      return [thinking, sampling, structured];
    };
    expect(kinds("claude-3-5-haiku-20241022")).toEqual(["none", true, false]);
    expect(kinds("claude-3-7-sonnet-20250219")).toEqual(["budget", true, false]);
    expect(kinds("claude-haiku-4-5-20251001")).toEqual(["budget", true, true]);
    expect(kinds("claude-sonnet-4-20250514")).toEqual(["budget", true, false]);
    expect(kinds("claude-opus-4-6")).toEqual(["adaptive", true, true]);
    expect(kinds("claude-opus-4-8")).toEqual(["adaptive", false, true]);
    expect(kinds("claude-sonnet-5")).toEqual(["always", false, true]);
    expect(kinds("claude-mythos-preview")).toEqual(["always", false, true]);
  });
});
