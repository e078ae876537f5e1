import { describe, expect, it } from "vitest";
import { createPauseStore } from "../../state/run/pause-store.ts";
import { readInput } from "./read-input.ts";

function heldRun() {
  const pauses = createPauseStore();
  const request = { pauseId: "p", kind: "node", nodeId: "n", atNodeId: "n", input: 1 } as const;
  const decided = pauses.pauserFor("run")(request, new AbortController().signal);
  const type = (text: string) => pauses.getState().edit("p", { text, ...readInput(text, "node") });
  return { pauses, decided, type };
}

describe("going on from a held place", () => {
  it("takes what is typed in the card, from whichever button", async () => {
    const { pauses, decided, type } = heldRun();
    type("[2]");
    pauses.getState().goOn("p", "step");
    await expect(decided).resolves.toEqual({ action: "step", input: [2] });
    expect(pauses.getState()).toMatchObject({ pending: [], edits: {} });
  });

  it("stays held while what is typed cannot go in, and takes an edit back", async () => {
    const { pauses, decided, type } = heldRun();
    type("[2");
    expect(pauses.getState().goOn("p", "continue")).toMatchObject({
      ok: false,
      problem: expect.stringContaining("not valid JSON"),
    });
    expect(pauses.getState().pending).toHaveLength(1);
    pauses.getState().edit("p", undefined);
    pauses.getState().goOn("p", "continue");
    await expect(decided).resolves.toEqual({ action: "continue" });
  });
});
