import { agentRunBy, runsAgent } from "./agent-runs.ts";
import { isCallback } from "./code-shapes.ts";
import { FlowSteps } from "./flow-steps.ts";
import { type Program, sliceOf } from "./program.ts";
import { bare, calleeOf, child, pathOf, type Syntax, walk } from "./syntax.ts";

/** The steps of a program, and what of its code has become none. */
export class ProgramSteps extends FlowSteps {
  protected readonly program: Program;
  /** Calls that run an agent and have become steps, or stand in the source of one. */
  protected readonly told = new Set<Syntax>();

  constructor(program: Program) {
    super();
    this.program = program;
  }

  /** Calls below that run an agent and have become no step. What a function does counts where it is called. */
  protected untold(root: Syntax): Syntax[] {
    const found: Syntax[] = [];
    walk(root, (node, above) => {
      if (node.type.startsWith("Class") || calleeOf(node) === "tool") return false;
      if (this.program.agents.some((agent) => agent.node === node)) return false;
      if (/Function/.test(node.type) && node !== root && !isCallback(above)) return false;
      if (node.type === "CallExpression" && !this.told.has(node) && agentRunBy(this.program, node)) found.push(node);
      return true;
    });
    return found;
  }

  /** A step that keeps the source of what cannot be one here. */
  protected unknown(node: Syntax, words: string): void {
    for (const call of this.untold(node)) this.told.add(call);
    const source = sliceOf(this.program, node).slice(0, 20_000);
    this.add({ kind: "unknown", words, source }, node.type.replace(/Statement$/, ""), node.type);
  }

  /** Whether code does something besides writing to the console and keeping a conversation. */
  protected hasEffect(root: Syntax): boolean {
    let found = false;
    walk(root, (node) => {
      if (/^(?:Assignment|Update|Await|Yield)Expression$|^(?:Return|Break)Statement$/.test(node.type)) found = true;
      if (node.type === "CallExpression" && !this.isIdle(node)) found = true;
      return !found;
    });
    return found;
  }

  protected isIdle(call: Syntax): boolean {
    const callee = calleeOf(call);
    const history = this.scope.get(callee.replace(/\.push$/, ""));
    return (
      (callee.endsWith(".push") && history?.is === "history") ||
      /^(?:console|process|dotenv|rl|readline)\.|^(?:set(?:Default|Tracing)\w+|config|require)$/.test(callee)
    );
  }

  /** Variables and keys of the state that code sets, by name, as they are written. */
  protected assignedIn(roots: readonly (Syntax | undefined)[]): Map<string, Syntax> {
    const found = new Map<string, Syntax>();
    for (const root of roots) {
      if (!root) continue;
      walk(root, (node) => {
        if (/Function/.test(node.type)) return false;
        const target = bare(child(node, node.type === "UpdateExpression" ? "argument" : "left"));
        if (!/^(Assignment|Update)Expression$/.test(node.type) || !target) return true;
        const [first = "", second, ...more] = pathOf(target);
        const source = child(node, "right");
        const isOwn = this.scope.get(first)?.is === "code" || this.program.values.has(first);
        const key = second ?? first;
        if (
          key !== "" &&
          more.length === 0 &&
          (isOwn || second === undefined) &&
          !(source && runsAgent(this.program, source))
        )
          if (!found.has(key)) found.set(key, target);
        return true;
      });
    }
    return found;
  }

  /** Whether a loop only reads what a person types. */
  protected reads(node: Syntax): boolean {
    return /\.question\(|prompt\w*\(|interruptions/.test(sliceOf(this.program, node).slice(0, 20_000));
  }
}
