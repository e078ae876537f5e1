import { expect, test } from "vitest";
import type { FileValue } from "../../file/file.ts";
import { fileStore } from "../../in-memory/file-store.ts";
import { userMessage } from "../../model/message.ts";
import { runScriptedAgent, testMemory } from "../../testing/run-scripted-agent.ts";
import { testHost } from "../../testing/test-host.ts";
import type { RunEvent } from "../events.ts";
import { picturesMade, withPictures } from "./with-pictures.ts";

const png = "data:image/png;base64,YWJj";

async function drawn() {
  const store = fileStore();
  const file = await store.put("old.png", "image/png", "old");
  const memory = testMemory([userMessage("Draw"), { role: "assistant", parts: [{ type: "made-file", file }] }]);
  const host = testHost({ files: store });
  const run = await runScriptedAgent({ script: [{ text: "A lamp:", image: png }], host, memory });
  const output = run.outcome.ok ? run.outcome.output : null;
  const bodies = [...run.events, { type: "node-end" as const, nodeId: "agent", ports: [], output, durationMs: 0 }];
  const events = bodies.map((body, seq): RunEvent => ({ ...body, runId: "r", seq, at: 0 }));
  return { events, read: async (id: string) => store.kept.get(id)?.bytes };
}

test("a copy holds the pictures that models made, in the answer and in the output", async () => {
  const { events, read } = await drawn();
  expect(picturesMade(events).map(({ name }: FileValue) => name)).toEqual(["picture-1.png"]);
  const copy = await withPictures(events, read);
  const said = copy.find((event) => event.type === "model-response");
  expect(said).toMatchObject({ message: { parts: [{ type: "text" }, { type: "image", url: png }] } });
  expect(copy.at(-1)).toMatchObject({ output: { images: [png] } });
});

test("pictures that are gone or too much stay references", async () => {
  const { events, read } = await drawn();
  expect(await withPictures(events, async () => undefined)).toEqual(events);
  expect(await withPictures(events, read, 2)).toEqual(events);
});
