import { newDocument } from "../../src/engine/document/new-document.ts";
import { templates } from "../../src/features/library/templates/index.ts";
import { nodeRegistry } from "../../src/nodes/index.ts";
import { compactGraph } from "../../src/state/assistant/compact-graph.ts";

/** Tokens, guessed at four characters each, of what the assistant first reads of a workflow of 100 nodes: our templates side by side. */
export function largeWorkflowTokens(): number {
  const large = newDocument("large", "Large");
  const copies = templates.map(({ id, build }) => ({ id, document: build(id) }));
  for (let round = 0; Object.keys(large.nodes).length < 100; round += 1)
    for (const { id, document } of copies) {
      const rename = (node: string) => `${id}-${round}-${node}`;
      for (const node of Object.values(document.nodes)) {
        if (Object.keys(large.nodes).length === 100) break;
        large.nodes[rename(node.id)] = { ...node, id: rename(node.id) };
      }
      for (const { id: edge, from, to } of Object.values(document.edges)) {
        const [start, end] = [rename(from.node), rename(to.node)];
        if (large.nodes[start] === undefined || large.nodes[end] === undefined) continue;
        const wire = { id: rename(edge), from: { node: start, port: from.port }, to: { node: end, port: to.port } };
        large.edges[wire.id] = wire;
      }
    }
  return Math.ceil(JSON.stringify(compactGraph(large, nodeRegistry)).length / 4);
}
