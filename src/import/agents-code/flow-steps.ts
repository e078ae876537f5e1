import type { FlowEdge, FlowNode } from "../flow/flow-graph.ts";
import type { AgentCode } from "./program.ts";
import type { Syntax } from "./syntax.ts";

/** One step of a program's flow. */
export type Step =
  | { kind: "start" }
  | { kind: "run"; agent: AgentCode; input: Syntax | undefined; context: ReadonlyMap<string, Syntax> }
  | { kind: "if"; test: Syntax }
  /** `only`: nothing but these values is handed on. */
  | { kind: "set"; values: ReadonlyMap<string, Syntax>; only?: true }
  /** A loop that ends by a condition; `keys` go from turn to turn. */
  | { kind: "while"; test: Syntax; asked: "before" | "after"; keys: readonly string[] }
  | { kind: "turn"; keys: readonly string[] }
  | { kind: "answer"; value: Syntax }
  | { kind: "guardrails"; input: Syntax | undefined; config: Syntax | undefined }
  | { kind: "approval"; message: Syntax | undefined }
  | { kind: "each"; list: Syntax; item: string }
  | { kind: "item" }
  | { kind: "stop"; message: Syntax | undefined }
  | { kind: "unknown"; words: string; source: string };

/** What a name stands for at a place of the flow. */
export type Bound =
  | { is: "code"; node: Syntax }
  | { is: "result"; step: string }
  | { is: "final"; step: string }
  | { is: "tripwire"; step: string }
  | { is: "approved"; step: string }
  | { is: "item"; step: string }
  | { is: "message" }
  | { is: "history" };

/** The steps of a program, and what names stand for at each. */
export interface Flow {
  nodes: FlowNode[];
  edges: FlowEdge[];
  steps: ReadonlyMap<string, Step>;
  scopes: ReadonlyMap<string, ReadonlyMap<string, Bound>>;
  /** Code behind a step that nothing stands for, by the step. */
  left: ReadonlyMap<string, readonly Left[]>;
}

/** Code that nothing stands for: its kind, and what a person has to know. */
export interface Left {
  name: string;
  note: string;
}

/** Where the next step is connected: a step, and the way that leaves it. */
export interface End {
  from: string;
  handle: string;
}

/** The steps of a program as they are found, each behind those that lead to it. */
export class FlowSteps {
  protected readonly nodes: FlowNode[] = [];
  protected readonly steps = new Map<string, Step>();
  protected scope = new Map<string, Bound>();
  /** What leads to the next step; nothing where the program has ended. */
  protected ends: End[] = [];
  /** The loop that the next step stands in. */
  protected parent: string | undefined;
  protected row = 0;
  private column = 0;
  private readonly edges: FlowEdge[] = [];
  private readonly scopes = new Map<string, ReadonlyMap<string, Bound>>();
  private readonly left = new Map<string, Left[]>();

  protected flow(): Flow {
    const { nodes, edges, steps, scopes, left } = this;
    return { nodes, edges, steps, scopes, left };
  }

  /** Adds a step behind what leads to it; gives its id. */
  protected add(step: Step, name: string, type: string, isAdded = false): string {
    const id = `s${this.nodes.length}`;
    this.nodes.push({
      id,
      name: name || type,
      type,
      position: { x: this.column * 300, y: this.row * 200 },
      data: {},
      ...(this.parent === undefined ? {} : { parent: this.parent }),
      ...(isAdded ? { added: true } : {}),
    });
    this.column += 1;
    this.steps.set(id, step);
    this.scopes.set(id, new Map(this.scope));
    for (const { from, handle } of this.ends) {
      this.edges.push({ from, fromHandle: handle, to: id, toHandle: "", ...(isAdded ? { added: true } : {}) });
    }
    this.ends = [{ from: id, handle: "" }];
    return id;
  }

  /** Tells with the last step that code behind it is left out. */
  protected leave(source: string, name: string, why: string): void {
    const last = this.nodes.at(-1)?.id ?? "";
    const shown = source.replace(/\s+/g, " ").slice(0, 200);
    this.left.set(last, [...(this.left.get(last) ?? []), { name, note: `Not taken over: ${shown} (${why})` }]);
  }
}
