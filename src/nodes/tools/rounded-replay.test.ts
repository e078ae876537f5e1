import { expect, it } from "vitest";
import { recordingOf } from "../../engine/run/replay/recording.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { startNode } from "../../engine/testing/sample-nodes.ts";
import { scriptedModel } from "../../engine/testing/scripted-model.ts";
import { modelNodeOf } from "../../engine/testing/service-node.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { aiAgent } from "../agent/ai-agent.ts";
import { httpRequestTool } from "./http-request-tool.ts";

/** Events as they were recorded when integers of arguments became doubles. */
function asBefore(events: readonly RunEvent[]): RunEvent[] {
  return events.map((event) => {
    const text = JSON.stringify(event);
    return event.type === "tool-call-start"
      ? (JSON.parse(text.replace(/"id":"(\d{19})"/, '"id":$1')) as RunEvent)
      : event;
  });
}

it("a recording with rounded ids serves its calls to a replay that reads all their digits", async () => {
  const answer = { success: true, statusCode: 200, headers: {}, body: "Here", truncated: false };
  const host = testHost({ functions: { "execute-http": () => ({ ok: true, body: answer }) } });
  const config = { url: 'https://a.test/{{ai("id", "The order", "integer")}}', method: "POST" };
  const document = buildWorkflow({
    nodes: { start: ["start"], agent: ["ai-agent"], model: ["m"], http: ["http-request-tool", config] },
    edges: ["start.main -> agent.main", "model.model -> agent.model", "http.tool -> agent.tools"],
  });
  const registryOf = (model: ReturnType<typeof scriptedModel>) =>
    Object.fromEntries([startNode, aiAgent, modelNodeOf("m", model), httpRequestTool].map((node) => [node.type, node]));
  const call = { name: "http_request", arguments: '{"id": 7615917337495251231}' };
  const input = { message: "Where is it?" };
  const first = scriptedModel([{ calls: [call] }, { text: "Done." }]);
  const { events } = await runToEnd(document, { registry: registryOf(first), host, input });
  expect(host.functionCalls[0]?.body["url"]).toBe("https://a.test/7615917337495251231");

  const recorded = asBefore(events);
  expect(JSON.stringify(recorded)).toContain('"id":7615917337495251000');
  const last = recorded.findLast((event) => event.type === "model-request");
  const replay = { recording: recordingOf(recorded, document), until: last?.callId ?? "" };
  const second = scriptedModel([{ text: "Nowhere." }]);
  const fork = await runToEnd(document, { registry: registryOf(second), host, input, replay });
  expect(fork.of("warning")).toEqual([]);
  expect(fork.end).toMatchObject({ outcome: "completed", output: { response: "Nowhere." } });
  expect(host.functionCalls).toHaveLength(1);
});
