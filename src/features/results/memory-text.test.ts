import { expect, it } from "vitest";
import { sideSession } from "../../engine/memory/memory.ts";
import { memoryText } from "./memory-text.ts";

const use = { runId: "r", seq: 1, at: 0, nodeId: "agent", memoryNodeId: "m", edgeId: "e", durationMs: 1 };

it("tells a conversation from what is kept beside it", () => {
  expect(memoryText({ ...use, type: "memory-load", session: "s", messages: 1 })).toBe("Read 1 message");
  expect(memoryText({ ...use, type: "memory-save", session: "s", messages: 4 })).toBe("Saved 4 messages");
  const session = sideSession("s", "scratchpad");
  expect(memoryText({ ...use, type: "memory-load", session, messages: 0 })).toBe("Read the scratchpad");
  expect(memoryText({ ...use, type: "memory-save", session, messages: 1 })).toBe("Saved the scratchpad");
});
