import { describe, expect, it } from "vitest";
import { describeFields, type FieldDescription } from "../../../engine/config/describe-fields.ts";
import { parseConfig } from "../../../engine/config/parse-config.ts";
import { edgeKind } from "../../../engine/document/can-connect.ts";
import { validateWorkflow } from "../../../engine/document/validate.ts";
import { readDocument } from "../../../engine/document/read-document.ts";
import { nodeRegistry } from "../../../nodes/index.ts";
import { nodeBox } from "../../../state/editing/node-box.ts";
import { readWorkflowFile } from "../import/read-workflow-file.ts";
import { toWorkflowFile } from "../workflow-file.ts";
import { templates } from "./index.ts";
import { templateDocument } from "./template-document.ts";

const newId = () => "fresh";
const isChosenByPerson = ({ control }: FieldDescription) => control === "credential" || control === "collection";

describe.each(templates)("the template $title", (template) => {
  const document = template.build("document-1", template.knowledge && "collection-1");

  it("is read back as it is, with nothing to note", () => {
    expect(readDocument(document, nodeRegistry)).toEqual({ ok: true, document, notes: [] });
  });

  it("has known nodes with fitting settings and a place of their own", () => {
    const places = new Set<string>();
    for (const node of Object.values(document.nodes)) {
      const definition = nodeRegistry[node.type];
      expect(definition, node.type).toBeDefined();
      expect(node.version).toBe(definition?.version);
      const parsed = definition && parseConfig(definition.config, node.config);
      // What a person has to choose first, such as a credential, is named as a need.
      const chosen = definition ? describeFields(definition.config).filter(isChosenByPerson) : [];
      const missing = parsed?.ok === false ? parsed.problems.map(({ field }) => field) : [];
      expect(missing.filter((name) => !chosen.some((field) => field.name === name))).toEqual([]);
      if (missing.length > 0) expect(template.needs?.length).toBeGreaterThan(0);
      places.add(`${node.position.x} ${node.position.y}`);
    }
    expect(places.size).toBe(Object.keys(document.nodes).length);
  });

  it("is laid out like a tidied workflow: services below their agent, the next step beyond its tools, no card on another", () => {
    const box = (id: string) => {
      const node = document.nodes[id];
      if (node === undefined) throw new Error(`There is no node ${id}.`);
      const { x, y, width, height } = nodeBox(nodeRegistry, node);
      return { x, y, right: x + width, bottom: y + height };
    };
    const edges = Object.values(document.edges);
    for (const edge of edges) {
      const { from, to } = edge;
      const side = nodeRegistry[document.nodes[to.node]?.type ?? ""]?.inputs[to.port]?.side;
      const kind = edgeKind(document, nodeRegistry, edge);
      const [service, user] = [box(from.node), box(to.node)];
      if (kind === "main") {
        expect(user.x, `${from.node} to ${to.node}`).toBeGreaterThan(service.right);
        continue;
      }
      expect(service.y, from.node).toBeGreaterThan(user.bottom);
      if (side === "left") expect(service.right, from.node).toBeLessThanOrEqual(user.x);
      if (side !== "right") continue;
      expect(service.x, from.node).toBeGreaterThanOrEqual(user.right);
      for (const next of edges.filter((other) => other.from.node === to.node && other.from.port === "main")) {
        expect(box(next.to.node).x, next.to.node).toBeGreaterThan(service.right);
      }
    }
    const boxes = Object.keys(document.nodes).map(box);
    for (const [index, a] of boxes.entries()) {
      for (const b of boxes.slice(index + 1)) {
        expect(a.right <= b.x || b.right <= a.x || a.bottom <= b.y || b.bottom <= a.y).toBe(true);
      }
    }
  });

  it("survives being exported and imported", async () => {
    const { text } = await toWorkflowFile(document, async () => undefined);
    expect(readWorkflowFile(text, newId)).toEqual({ ok: true, document, notes: [], unplaced: [], sent: [] });
  });
});

it("a template's example is offered by the chat of the workflow that it makes", () => {
  for (const template of templates) {
    const { nodes } = templateDocument(template, "document-1");
    const chat = Object.values(nodes).find(({ type }) => type === "chat-trigger");
    expect(chat?.config["questions"] ?? [], template.title).toEqual(
      template.example === undefined ? [] : [template.example],
    );
    expect(readDocument(templateDocument(template, "document-1"), nodeRegistry)).toMatchObject({ ok: true, notes: [] });
  }
});

it("“Ask with tools” can be tested at once: nothing is missing and no key is needed", () => {
  const first = templates[0]?.build("document-1");
  expect(first && validateWorkflow(first, nodeRegistry)).toEqual([]);
});

describe("a file that is no workflow", () => {
  it.each([
    ["", "is empty"],
    ["{", "not contain JSON"],
    ["[]", "JSON object"],
    ['{"nodes":{"__proto__":{"id":"a"}}}', "__proto__"],
    [`{"name":"${"x".repeat(5 * 1024 * 1024)}"}`, "larger than 5 MB"],
  ])("S31 S32 %# is refused with a reason", (text, reason) => {
    const read = readWorkflowFile(text, newId);
    expect(read.ok ? "" : read.problems.join(" ")).toContain(reason);
  });

  it("keeps nodes of unknown types and says so", () => {
    const read = readWorkflowFile('{"nodes":[{"id":"a","type":"from-the-future"}],"edges":[]}', newId);
    expect(read.ok && read.document.nodes.a?.type).toBe("from-the-future");
    expect(read.ok && read.notes.join(" ")).toContain("from-the-future");
  });
});
