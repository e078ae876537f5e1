import { isFunctionBody } from "./code-shims.ts";
import type { Draft } from "../draft.ts";
import type { Placed } from "./placed.ts";
import { nodeVariables } from "./flow-nodes.ts";
import { computedKey } from "./node-work.ts";
import { shims } from "./code-shims.ts";

/** Leads what goes into a node into its first step instead, and from step to step to the node. */
export function putBefore(placed: ReadonlyMap<string, Placed>, draft: Draft): void {
  for (const { record, before } of placed.values()) {
    const [first] = before;
    if (!record || !first) continue;
    for (const edge of draft.into(record.id, "main")) {
      draft.remove(edge);
      draft.connect(edge.from.node, edge.from.port, first.id, "main");
    }
    for (const [at, step] of before.entries()) {
      draft.connect(step.id, "main", before[at + 1]?.id ?? record.id, "main");
    }
  }
}

/** Puts a code node before each node that has expressions which only code can work out. The source is kept in it. */
export function addComputed(placed: ReadonlyMap<string, Placed>, draft: Draft): void {
  for (const { record: last, before: steps, work, made } of placed.values()) {
    const record = steps[0] ?? last;
    if (!record || made.outcome === "placeholder" || work.computed.length === 0) continue;
    const values = work.computed.map(({ key, source }) => {
      const expression = isFunctionBody(`return (${source}\n);`) ? source : "null";
      return `  ${JSON.stringify(key)}: $try(() => (${expression}\n)),`;
    });
    const code = `${shims}
const $json = items[0] && items[0].json;
const $try = (work) => { try { const value = work(); return value === undefined ? null : value; } catch { return null; } };
const ${computedKey} = {
${values.join("\n")}
};
return typeof json === "object" && json !== null && !Array.isArray(json) ? { ...json, ${computedKey} } : { json, ${computedKey} };`;
    const { title } = draft.reserve(`Values for ${work.node.name}`.slice(0, 150));
    const source = work.computed.map((one) => one.source).join("\n");
    const before = draft.add(
      "code",
      title,
      { code, ...nodeVariables(work, source) },
      { x: record.position.x - 40, y: record.position.y - 140 },
    );
    for (const edge of draft.into(record.id, "main")) {
      draft.remove(edge);
      draft.connect(edge.from.node, edge.from.port, before.id, "main");
    }
    draft.connect(before.id, "main", record.id, "main");
  }
}
