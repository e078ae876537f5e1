import { expect, it } from "vitest";
import { buildWorkflow } from "../engine/testing/build-workflow.ts";
import { nodeRegistry } from "../nodes/index.ts";
import { configOf } from "./exported-node.ts";

it("a node that leaves a setting out is exported as it runs, not as a fresh node starts", () => {
  const { nodes } = buildWorkflow({ name: "Old", nodes: { get: ["http-request", { url: "https://shop.example" }] } });
  const node = { ...nodes.get!, config: { url: "https://shop.example" } };
  expect(configOf({ registry: nodeRegistry }, node)).toMatchObject({
    url: "https://shop.example",
    method: "GET",
    queryLists: "json",
  });
});
