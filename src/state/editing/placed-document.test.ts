import { describe, expect, it } from "vitest";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { difyWorkflow } from "../../import/testing/dify-app.ts";
import { flowiseAgentflow, flowiseChatflow } from "../../import/testing/flowise-flow.ts";
import { langflow } from "../../import/testing/langflow-flow.ts";
import { completeExport } from "../../import/testing/n8n-export.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { layoutWorkflow } from "./layout-workflow.ts";
import { nodeBox } from "./node-box.ts";
import { askWithTools } from "../../features/library/templates/ask-with-tools.ts";
import { placedDocument } from "./placed-document.ts";
import { readImport } from "../../features/library/import/read-import.ts";

const nothing = { credentials: new Set<string>(), workflows: new Set<string>(), collections: new Set<string>() };

async function imported(file: object): Promise<WorkflowDocument> {
  const read = readImport(JSON.stringify(file), nothing, () => "fresh");
  if (!read.ok) throw new Error(read.problems.join(" "));
  return placedDocument(read.findings);
}

/** A file with another position, or none, for each of its nodes, whatever its format. */
function withPositions<File extends object>(file: File, position: unknown): File {
  const places = ["position", "positionAbsolute"];
  const text = JSON.stringify(file, (key, value: unknown) => (places.includes(key) ? position : value));
  return JSON.parse(text) as File;
}

const placesOf = ({ nodes }: WorkflowDocument) =>
  Object.fromEntries(Object.entries(nodes).map(([id, { position }]) => [id, position]));

/** The titles of cards that cover each other. */
function covered(document: WorkflowDocument): string[] {
  const boxes = Object.values(document.nodes).map((node) => ({ title: node.title, ...nodeBox(nodeRegistry, node) }));
  return boxes.flatMap((a, index) =>
    boxes.slice(index + 1).flatMap((b) => {
      const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
      return apart ? [] : [`${a.title} and ${b.title}`];
    }),
  );
}

const step = (id: string) => ({ id, type: "custom", data: { type: "code", title: id, code: "return {}" } });

const files: Record<string, object> = {
  n8n: completeExport,
  Dify: difyWorkflow(
    [step("One"), step("Two"), step("Three")],
    [
      ["One", "Two"],
      ["Two", "Three"],
    ],
  ),
  "a Flowise agentflow": flowiseAgentflow,
  "a Flowise chatflow": flowiseChatflow,
  Langflow: langflow,
  Switchyard: askWithTools("w"),
};

describe("a workflow from a file without positions", () => {
  it.each(Object.entries(files))(
    "of %s is laid out as by Tidy, also where all stand at one place",
    async (_name, file) => {
      for (const position of [undefined, { x: 40, y: 40 }]) {
        const document = await imported(withPositions(file, position));
        expect(Object.keys(document.nodes).length).toBeGreaterThan(2);
        expect(covered(document)).toEqual([]);
        const tidy = await layoutWorkflow(document, nodeRegistry);
        expect(placesOf(document)).toMatchObject(tidy.positions);
      }
    },
  );

  it("has its notes above its cards", async () => {
    const { agent: _agent, ...rest } = askWithTools("w").nodes;
    const note = { id: "note", type: "sticky-note", config: { text: "Read me" } };
    const document = await imported({ nodes: withPositions({ ...rest, note }, undefined), edges: {} });
    const { note: placed, ...cards } = placesOf(document);
    expect(covered(document)).toEqual([]);
    for (const { y } of Object.values(cards)) expect(placed?.y).toBeLessThan(y);
  });
});

describe("a workflow from a file with positions", () => {
  it("keeps them", async () => {
    const template = askWithTools("w");
    expect(placesOf(await imported(template))).toEqual(placesOf(template));
  });

  it("of a builder with smaller cards is laid out as by Tidy where ours would lie on one another", async () => {
    let at = 0;
    const close = JSON.parse(JSON.stringify(completeExport), (key, value: unknown) =>
      key === "position" ? [(at += 60), 0] : value,
    ) as object;
    const document = await imported(close);
    const cards = Object.entries(document.nodes).filter(([, { type }]) => type !== "sticky-note");
    expect(covered({ ...document, nodes: Object.fromEntries(cards) })).toEqual([]);
    const tidy = await layoutWorkflow(document, nodeRegistry);
    expect(placesOf(document)).toMatchObject(tidy.positions);
  });

  it("of another builder keeps them where its cards have room", async () => {
    let at = 0;
    const wide = JSON.parse(JSON.stringify(completeExport), (key, value: unknown) =>
      key === "position" ? [(at += 400), 0] : value,
    ) as object;
    const xs = Object.values(placesOf(await imported(wide))).map(({ x }) => x);
    expect(xs.slice(0, 3)).toEqual([580, 1160, 1740]);
  });

  it("for some nodes keeps those, and puts the others beside what they are connected with", async () => {
    const template = askWithTools("w");
    const [calculator, model] = Object.values(template.nodes).filter(({ type }) =>
      ["calculator-tool", "demo-model"].includes(type),
    );
    if (!calculator || !model) throw new Error("The template has no calculator or no model.");
    const { [calculator.id]: _one, [model.id]: _other, ...rest } = placesOf(template);
    const document = await imported({
      ...template,
      nodes: Object.values(template.nodes).map((node) =>
        rest[node.id] === undefined ? { ...node, position: undefined } : node,
      ),
    });
    expect(placesOf(document)).toMatchObject(rest);
    expect(covered(document)).toEqual([]);
    const agent = Object.values(document.nodes).find(({ type }) => type === "ai-agent");
    for (const { id } of [calculator, model]) {
      const at = document.nodes[id]?.position;
      expect(Math.abs((at?.x ?? Infinity) - (agent?.position.x ?? 0))).toBeLessThan(900);
      expect(at?.y).toBeGreaterThan(agent?.position.y ?? Infinity);
    }
  });
});
