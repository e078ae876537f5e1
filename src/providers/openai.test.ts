import { describe, expect, it } from "vitest";
import { RunError } from "../engine/errors.ts";
import { openaiProvider } from "./openai.ts";
import * as chat from "./openai/recordings/chat.ts";
import { replayHost, type Recording } from "./testing/replay.ts";

describe("openai's model list", () => {
  const context = (recording: Recording) => ({
    host: replayHost(recording).host,
    credential: "credential-1",
    nodeId: "model",
  });
  const signal = new AbortController().signal;

  it("lists what chats, sorted, with what the vendor says of retirement", async () => {
    const data = ["whisper-1", "gpt-4o", "gpt-3.5-turbo"].map((id) => ({
      id,
      object: "model",
      created: 1,
      owned_by: "openai",
      deprecated: id === "gpt-3.5-turbo",
    }));
    const listed = await openaiProvider.listModels(context({ body: JSON.stringify({ object: "list", data }) }), signal);
    expect(listed).toEqual([{ id: "gpt-3.5-turbo", retired: true }, { id: "gpt-4o" }]);
  });

  it("rejects with a RunError", async () => {
    const failure = await openaiProvider
      .listModels(context(chat.unauthorized), signal)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RunError);
  });
});
