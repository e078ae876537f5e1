import { describe, expect, it } from "vitest";
import { fileStore, type MemoryFileStore } from "../../engine/in-memory/file-store.ts";
import { EventMask } from "../../engine/run/privacy/event-mask.ts";
import { recordingOf } from "../../engine/run/replay/recording.ts";
import type { RunOptions } from "../../engine/run/run-workflow.ts";
import { buildWorkflow } from "../../engine/testing/build-workflow.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { startNode } from "../../engine/testing/sample-nodes.ts";
import { testTool } from "../../engine/testing/run-scripted-agent.ts";
import { type Script, scriptedModel, type ScriptedTurn } from "../../engine/testing/scripted-model.ts";
import { modelNodeOf, toolNodeOf } from "../../engine/testing/service-node.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { setFields } from "../flow/set-fields.ts";
import { aiAgent } from "./ai-agent.ts";

const image = "data:image/png;base64,YWJj";
const vision = { capabilities: { vision: true } };

/** A painter, and a critic that is given what it paints. */
function painting(store: MemoryFileStore, how: "next" | "tool") {
  const painter = scriptedModel([{ text: "A lamp:", image }]);
  const critic = scriptedModel(
    how === "next"
      ? [{ text: "Nice." }]
      : [{ calls: [{ name: "paint", arguments: { message: "A lamp" } }] }, { text: "Nice." }],
    vision,
  );
  const nodes = [startNode, aiAgent, setFields, modelNodeOf("p", painter), modelNodeOf("c", critic)];
  const document = buildWorkflow({
    nodes: {
      start: ["start"],
      painter: ["ai-agent", { toolName: "paint" }],
      critic: ["ai-agent", how === "next" ? { userMessage: "Is it good?", files: "{{json.files}}" } : {}],
      p: ["p"],
      c: ["c"],
    },
    edges: [
      "p.model -> painter.model",
      "c.model -> critic.model",
      ...(how === "next"
        ? ["start.main -> painter.main", "painter.main -> critic.main"]
        : ["start.main -> critic.main", "painter.tool -> critic.tools"]),
    ],
  });
  const registry = Object.fromEntries(nodes.map((node) => [node.type, node]));
  const run = (options: Partial<RunOptions> = {}) =>
    runToEnd(document, { registry, host: testHost({ files: store }), input: { message: "Draw a lamp" }, ...options });
  return { painter, critic, run };
}

describe("a picture that an agent's model makes", () => {
  it("is given to the next agent by {{json.files}}", async () => {
    const { critic, run } = painting(fileStore(), "next");
    const { end, events } = await run();
    expect(end.error).toBeUndefined();
    expect(JSON.stringify(critic.requests)).toContain(image);
    expect(JSON.stringify(events)).not.toContain("base64");
  });

  it("is shown to the agent that called its agent as a tool", async () => {
    const { critic, run } = painting(fileStore(), "tool");
    const { events, of } = await run();
    expect(critic.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", images: [image] });
    expect(of("tool-call-end")[0]?.output).toMatchObject({ response: "A lamp:", files: [{ name: "picture-1.png" }] });
    expect(JSON.stringify(events)).not.toContain("base64");
  });

  it("is no text from outside for the agent that drew it, also in a run that is resumed", async () => {
    const store = fileStore();
    const nodes = (answers: Script) => {
      const used = [
        startNode,
        aiAgent,
        modelNodeOf("p", scriptedModel(answers, vision)),
        toolNodeOf("look", testTool("look")),
      ];
      return Object.fromEntries(used.map((node) => [node.type, node]));
    };
    const document = buildWorkflow({
      nodes: { start: ["start"], painter: ["ai-agent"], p: ["p"], look: ["look"] },
      edges: ["start.main -> painter.main", "p.model -> painter.model", "look.tool -> painter.tools"],
    });
    const host = () => testHost({ files: store });
    const input = { message: "Draw a lamp" };
    const last: ScriptedTurn = { text: "Nice." };
    const drawing: ScriptedTurn = { text: "A lamp:", image, calls: [{ name: "look", arguments: {} }] };
    const whole = await runToEnd(document, { registry: nodes([drawing, last]), host: host(), input });
    const marks = ({ of }: typeof whole) => of("node-end").map(({ nodeId, untrusted }) => [nodeId, untrusted]);
    expect(whole.of("file-add")).toHaveLength(1);
    expect(marks(whole)).toContainEqual(["painter", undefined]);
    const cut = whole.of("tool-call-end")[0]?.seq ?? 0;
    const rest = await runToEnd(document, {
      registry: nodes([last]),
      host: host(),
      input,
      runId: whole.events[0]?.runId ?? "",
      resume: { events: whole.events.slice(0, cut + 1), attempt: 2 },
    });
    expect(marks(rest)).toContainEqual(["painter", undefined]);
  });

  it("is served by a replay, stored once", async () => {
    const store = fileStore();
    const first = await painting(store, "next").run({ runId: "first" });
    const again = painting(store, "next");
    const replayed = await again.run({ runId: "again", replay: { recording: recordingOf(first.events) } });
    expect(replayed.end).toMatchObject({ outcome: "completed", output: first.end.output });
    expect([again.painter.requests, again.critic.requests]).toEqual([[], []]);
    expect(store.kept.size).toBe(1);
  });

  it("keeps its type and size alone in a run that is masked", async () => {
    const store = fileStore();
    const { events } = await painting(store, "next").run();
    const [made] = [...store.kept.values()];
    const mask = new EventMask({ mask: [], patterns: ["[0-9]{16}"] });
    const masked = events.flatMap((event) => mask.take(event));
    const said = masked.find((event) => event.type === "model-response");
    const file = { name: "[masked]", mediaType: "image/png", size: 3, sha256: "[masked]" };
    expect(said).toMatchObject({ message: { parts: [{ type: "text" }, { type: "made-file", file }] } });
    expect(JSON.stringify(masked)).not.toContain(made?.file.sha256);
  });
});
