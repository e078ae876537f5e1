import { afterEach, describe, expect, it, vi } from "vitest";
import { newDocument } from "../../engine/document/new-document.ts";
import { type StoredProposal, storedProposal } from "./stored-proposal.ts";

function withStorage(entries: Record<string, string> = {}) {
  const kept = new Map(Object.entries(entries));
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
}

afterEach(() => vi.unstubAllGlobals());

describe("a proposal that waits", () => {
  it("comes back as it was, to its own workflow", () => {
    withStorage();
    const proposal: StoredProposal = {
      sessionId: "chat-1",
      base: newDocument("w", "Mine"),
      draft: { ...newDocument("w", "Mine"), description: "Answers" },
      verdict: { kind: "graph", explanation: "No model.", runId: "r", steps: [3] },
      improving: null,
      measured: { isBetter: true, words: "Better" },
    };
    expect(storedProposal("w").write(proposal)).toBe(true);
    expect(storedProposal("w").read()).toEqual(proposal);
    expect(storedProposal("other").read()).toBeNull();
  });

  it.each(["", "{", "[]", '{"base":{},"draft":{}}', '{"sessionId":null,"base":1,"draft":2,"verdict":null}'])(
    "is none where the browser keeps %j",
    (text) => {
      withStorage({ "switchyard:proposal:w": text });
      expect(storedProposal("w").read()).toBeNull();
    },
  );
});
