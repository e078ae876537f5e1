import { expect, it } from "vitest";
import type { Json } from "../../engine/json.ts";
import { sampleDocument } from "../../engine/testing/sample-nodes.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { nodeRegistry } from "../index.ts";

const run = async (nodes: Parameters<typeof sampleDocument>[0], edges: readonly string[], input: Json = {}) =>
  await runToEnd(sampleDocument({ start: "manual-trigger", ...nodes }, edges, nodeRegistry), {
    registry: nodeRegistry,
    host: testHost(),
    input,
  });

it("fails when a run reaches it, saying what it was and what to use instead", async () => {
  const config = { sourceType: "n8n-nodes-base.ssh", instead: "Use a server's API.", settings: { command: "ls" } };
  const { end } = await run({ old: ["placeholder", config] }, ["start>old"]);
  expect(end.error).toMatchObject({ code: "invalid_config", hint: "Use a server's API.", nodeId: "old" });
  expect(end.error?.message).toContain("n8n-nodes-base.ssh");
});

it("does no harm where no run comes", async () => {
  const condition = "{{json.go == true}}";
  const { end } = await run({ way: ["if", { condition }], old: ["placeholder", {}] }, ["start>way", "way.true>old"], {
    go: false,
  });
  expect(end.error).toBeUndefined();
});

it("gives code further variables, a request its body alone, and sets the fields of an object", async () => {
  const set = { fields: { b: 2 }, from: "{{json.more}}", keepInput: false };
  const { end } = await run({ fields: ["set-fields", set] }, ["start>fields"], { a: 1, more: { b: 1, c: 3 } });
  expect(end.output).toEqual({ b: 2, c: 3 });
});
