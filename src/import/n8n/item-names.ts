import { pathAt } from "../../engine/template/path-at.ts";
import type { Draft } from "../draft.ts";
import type { ItemFlow } from "./item-flow.ts";
import type { N8nWorkflow } from "./read-n8n.ts";

/** Hand items on as they are, fewer or in another order. */
const passing = new Set(["filter", "sort", "limit", "removeDuplicates", "noOp", "if", "switch", "wait"]);

/** Where a loop begins for a reader: the node whose items it is about, and the nodes that run for each of them. */
interface Loop {
  source: string;
  output: number;
  members: ReadonlySet<string>;
}

/** Names for the item that a loop is at, which n8n reads by the name of the node that gave the items: `$('Orders').item`. */
export class ItemNames {
  private readonly workflow: N8nWorkflow;
  private readonly flow: ItemFlow;
  private readonly draft: Draft;
  private readonly loops: Loop[];
  private readonly asked = new Map<Loop, { title: string; slug: string }>();

  constructor(workflow: N8nWorkflow, flow: ItemFlow, draft: Draft) {
    this.workflow = workflow;
    this.flow = flow;
    this.draft = draft;
    this.loops = [...this.batches(), ...this.regions()];
  }

  /** Whether a node gives a list here. */
  isList(name: string): boolean {
    return this.flow.takesAll(name) && this.flow.gives(name, 0);
  }

  /** The CEL path of the item that `reader` is at, of those that `name` gave; nothing where that is not known. */
  item(reader: readonly string[], name: string): string | undefined {
    for (const loop of this.loops) {
      if (!reader.some((one) => loop.members.has(one)) || !this.originsOf(loop.source).has(name)) continue;
      const known = this.asked.get(loop) ?? this.draft.reserve(`Item of ${loop.source}`.slice(0, 150));
      this.asked.set(loop, known);
      return pathAt("nodes", {}, [known.slug]);
    }
    return undefined;
  }

  /** Loops whose item is read, each with the title of the node that holds it. */
  held(): { source: string; members: ReadonlySet<string>; title: string }[] {
    return [...this.asked].map(([{ source, members }, { title }]) => ({ source, members, title }));
  }

  private into(name: string) {
    return this.workflow.edges.filter(({ to, kind }) => to === name && kind === "main");
  }

  /** The node itself and those before it that gave the same items. */
  private originsOf(source: string): Set<string> {
    const found = new Set([source]);
    for (const name of found) {
      const type = this.workflow.nodes.find((one) => one.name === name)?.type ?? "";
      const before = this.into(name);
      const [only] = before;
      const goesOn = passing.has(type) || (type === "splitInBatches" && name === source);
      if (goesOn && only && before.length === 1) found.add(only.from);
    }
    return found;
  }

  /** Loops of n8n's own over single items. */
  private batches(): Loop[] {
    return this.workflow.nodes
      .filter(({ type }) => type === "splitInBatches")
      .flatMap(({ name, version }) => {
        const output = version >= 3 ? 1 : 0;
        if (this.flow.gives(name, output)) return [];
        const first = this.workflow.edges.filter((edge) => edge.from === name && edge.fromIndex === output);
        const members = new Set(first.map(({ to }) => to).filter((to) => to !== name));
        for (const one of members)
          for (const edge of this.workflow.edges)
            if (edge.kind === "main" && edge.from === one && edge.to !== name) members.add(edge.to);
        return [{ source: name, output, members }];
      });
  }

  /** Steps that run once for each item of one output. */
  private regions(): Loop[] {
    const each = (name: string) => this.flow.gets(name) && !this.flow.takesAll(name);
    const main = this.workflow.edges.filter(({ kind }) => kind === "main");
    const left = new Set(this.workflow.nodes.map(({ name }) => name).filter(each));
    const found: Loop[] = [];
    for (const start of left) {
      if (!left.delete(start)) continue;
      const members = new Set([start]);
      for (const name of members)
        for (const { from, to } of main) {
          const other = from === name ? to : to === name ? from : "";
          if (left.delete(other)) members.add(other);
        }
      const entering = main.filter(({ from, to }) => members.has(to) && !members.has(from));
      const [first] = entering;
      if (first && entering.every(({ from, fromIndex }) => from === first.from && fromIndex === first.fromIndex))
        found.push({ source: first.from, output: first.fromIndex, members });
    }
    return found;
  }
}
