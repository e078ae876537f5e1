import { expect, it } from "vitest";
import { EventMask } from "../../engine/run/privacy/event-mask.ts";
import { maskDocument } from "../../engine/run/privacy/mask-document.ts";
import { recordingOf } from "../../engine/run/replay/recording.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { startNode } from "../../engine/testing/sample-nodes.ts";
import { scriptedModel } from "../../engine/testing/scripted-model.ts";
import { modelNodeOf } from "../../engine/testing/service-node.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { aiAgent } from "../agent/ai-agent.ts";
import { httpRequestTool } from "./http-request-tool.ts";

const privacy = { mask: ["emails" as const], patterns: ["vault-[0-9]+", "order"] };

it("a run is forked as it is stored, also where the model is told what own patterns match", async () => {
  const answer = { success: true, statusCode: 200, headers: {}, body: "Here", truncated: false };
  const host = testHost({ functions: { "execute-http": () => ({ ok: true, body: answer }) } });
  const config = {
    url: 'https://a.test/{{ai("order", "Such as \\"vault-7\\"; else ask ada@example.org", "string")}}',
    method: "POST",
    body: '{{ai("more", "All else of the order", "object", {"from": ["vault-1", "ada@example.org"]})}}',
  };
  const document = buildWorkflow({
    nodes: { start: ["start"], agent: ["ai-agent"], model: ["m"], http: ["http-request-tool", config] },
    edges: ["start.main -> agent.main", "model.model -> agent.model", "http.tool -> agent.tools"],
  });
  const registryOf = (model: ReturnType<typeof scriptedModel>) =>
    Object.fromEntries([startNode, aiAgent, modelNodeOf("m", model), httpRequestTool].map((node) => [node.type, node]));
  const first = scriptedModel([{ calls: [{ name: "http_request", arguments: { order: "1" } }] }, { text: "Done." }]);
  const input = { message: "Where is it?" };
  const { events } = await runToEnd(document, { registry: registryOf(first), host, input });

  const mask = new EventMask(privacy);
  const stored = events.flatMap((event) => mask.take(event));
  const kept = maskDocument(document, privacy, registryOf(first));
  expect(JSON.stringify([stored, kept])).not.toMatch(/vault-\d|ada@/);

  const second = scriptedModel([{ text: "Nowhere." }]);
  const last = stored.findLast((event) => event.type === "model-request");
  const replay = { recording: recordingOf(stored, kept), until: last?.callId ?? "" };
  const fork = await runToEnd(kept, { registry: registryOf(second), host, input, replay });
  expect(fork.of("warning")).toEqual([]);
  expect(second.requests).toHaveLength(1);
  expect(fork.end).toMatchObject({ outcome: "completed", output: { response: "Nowhere." } });
  expect(host.functionCalls).toHaveLength(1);
});
