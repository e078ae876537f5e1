import { agentRunBy, entryOf, runsAgent, unusedAgents } from "./agent-runs.ts";
import {
  asAssignment,
  asConditions,
  conditionName,
  isHistory,
  keysIn,
  leaves,
  memberOf,
  nothing,
} from "./code-shapes.ts";
import type { Bound, End, Flow } from "./flow-steps.ts";
import { type AgentCode, type Program, resolved, sliceOf } from "./program.ts";
import { ProgramSteps } from "./program-steps.ts";
import { bare, calleeOf, child, children, elementsOf, nameOf, pathOf, propertiesOf, type Syntax } from "./syntax.ts";

/** Follows a program's statements in order: runs of agents, conditions, states, loops over lists and answers. */
export class FlowWalker extends ProgramSteps {
  private called = 0;
  private inChat = false;

  constructor(program: Program) {
    super(program);
    this.ends = [{ from: this.add({ kind: "start" }, "Start", "start"), handle: "" }];
  }

  /** The flow from the function in which agents run, or from the module itself. */
  walk(): Flow {
    const entry = entryOf(this.program);
    if (entry) {
      const [first] = children(entry, "params");
      if (nameOf(first) !== "") this.scope.set(nameOf(first), { is: "message" });
      this.body(child(entry, "body"));
    } else {
      for (const statement of children(this.program.tree, "body")) this.statement(statement);
    }
    this.unused();
    return this.flow();
  }

  /** Agents that only stand in the file, and that no other one uses: each starts with the message. */
  private unused(): void {
    if ([...this.steps.values()].some(({ kind }) => kind === "run")) return;
    const start = this.nodes[0]?.id ?? "";
    for (const agent of unusedAgents(this.program)) {
      this.ends = [{ from: start, handle: "" }];
      this.run(agent, undefined, undefined);
    }
  }

  private body(node: Syntax | undefined): void {
    if (!node) return;
    if (node.type === "BlockStatement") for (const one of children(node, "body")) this.statement(one);
    else if (node.type.endsWith("Statement")) this.statement(node);
    else this.answer(node);
  }

  private statement(node: Syntax): void {
    if (this.ends.length === 0) return;
    this.follow(node);
    const missed = this.untold(node);
    if (missed.length === 0) return;
    const names = [...new Set(missed.map((call) => agentRunBy(this.program, call)?.name ?? ""))]
      .filter(Boolean)
      .join(", ");
    this.unknown(node, `It runs ${names} in a way that has no counterpart: build this part anew. Its source is kept.`);
  }

  private follow(node: Syntax): void {
    switch (node.type) {
      case "ExportNamedDeclaration":
        return child(node, "declaration") && this.statement(child(node, "declaration") as Syntax);
      case "VariableDeclaration":
        for (const one of children(node, "declarations")) this.declare(child(one, "id"), child(one, "init"));
        return;
      case "ExpressionStatement":
        return this.expression(child(node, "expression"));
      case "BlockStatement":
        return this.body(node);
      case "IfStatement":
        return this.condition(node);
      case "ReturnStatement":
        return this.answer(child(node, "argument"));
      case "TryStatement":
        this.body(child(node, "block"));
        this.caught(child(child(node, "handler"), "body"));
        return this.body(child(node, "finalizer"));
      case "SwitchStatement":
        return this.choice(node);
      case "ContinueStatement":
        this.ends = [];
        return;
      case "BreakStatement":
        if (!this.inChat) this.unknown(node, "It ends the loop early, which a loop over a list cannot do.");
        this.ends = [];
        return;
      case "ThrowStatement": {
        const [message] = children(bare(child(node, "argument")), "arguments");
        this.add({ kind: "stop", message }, "Stop", "throw");
        this.ends = [];
        return;
      }
      case "ForOfStatement":
        return this.each(node);
      case "WhileStatement":
      case "DoWhileStatement":
      case "ForStatement":
      case "ForInStatement":
        return this.loop(node);
      default:
        if (!/^(?:Import|Export|TS|Empty|Debugger|Function|Class)/.test(node.type))
          this.unknown(node, "This statement has no counterpart here: build it anew. Its source is kept.");
    }
  }

  /** What is done when something fails: a step here ends the run, or goes on by its own settings. */
  private caught(body: Syntax | undefined): void {
    if (!body) return;
    if (this.untold(body).length > 0) {
      const ends = this.ends;
      this.ends = [];
      this.unknown(body, "It runs when a step fails: connect it to the step that may fail. Its source is kept.");
      this.ends = ends;
    } else if (this.hasEffect(body))
      this.leave(
        sliceOf(this.program, body),
        "catch",
        "A step that fails ends the run; set what happens then at the step.",
      );
  }

  private choice(node: Syntax): void {
    const made = asConditions(node);
    if (!made)
      return this.unknown(node, "The cases of this switch run into each other: build it anew. Its source is kept.");
    if (made.first) this.follow(made.first);
  }

  private declare(pattern: Syntax | undefined, init: Syntax | undefined): void {
    const bound = this.value(init);
    if (!pattern) return;
    if (pattern.type === "Identifier") {
      this.scope.set(nameOf(pattern), bound);
      return;
    }
    for (const property of children(pattern, "properties")) {
      const key = nameOf(child(property, "key"));
      const name = nameOf(child(property, "value")) || key;
      if (bound.is === "tripwire")
        this.scope.set(name, /tripwire/i.test(key) ? bound : { is: "result", step: bound.step });
      else if (bound.is === "result" && key === "finalOutput") this.scope.set(name, { is: "final", step: bound.step });
      else if (bound.is === "message") this.scope.set(name, { is: "message" });
    }
    if (pattern.type === "ArrayPattern") this.several(pattern, init);
  }

  /** `const [a, b] = await Promise.all([run(x), run(y)])`: the runs start together. */
  private several(pattern: Syntax, init: Syntax | undefined): void {
    const call = bare(init);
    const runs = calleeOf(call) === "Promise.all" ? elementsOf(children(call, "arguments")[0]) : [];
    const ends = this.together;
    this.together = undefined;
    const names = children(pattern, "elements").map(nameOf);
    for (const [index, name] of names.entries()) {
      const step = ends?.[index];
      if (name !== "" && step !== undefined && runs[index]) this.scope.set(name, { is: "result", step });
    }
  }

  private together: (string | undefined)[] | undefined;

  /** What an expression stands for; makes the steps that are in it. */
  private value(given: Syntax | undefined): Bound {
    const node = bare(given);
    if (!node) return { is: "code", node: nothing };
    if (node.type === "CallExpression") return this.call(node);
    if (node.type === "MemberExpression") {
      const base = bare(child(node, "object"));
      if (base?.type === "CallExpression") {
        const bound = this.call(base);
        if (bound.is === "result" && nameOf(child(node, "property")) === "finalOutput")
          return { is: "final", step: bound.step };
      }
    }
    if (node.type === "ArrayExpression" && isHistory(node)) return { is: "history" };
    return { is: "code", node };
  }

  private call(node: Syntax): Bound {
    const callee = calleeOf(node);
    const args = children(node, "arguments");
    const agent = agentRunBy(this.program, node);
    if (agent) {
      this.told.add(node);
      return { is: "result", step: this.run(agent, args[1], args[2]) };
    }
    if (/^run(AndApply)?Guardrails$/.test(callee)) {
      const step = this.add({ kind: "guardrails", input: args[0], config: args[1] }, "Guardrails", "guardrails");
      return { is: "tripwire", step };
    }
    if (/^approvalRequest$|^(request|ask|await|wait)\w*Approval$/i.test(callee)) {
      return { is: "approved", step: this.add({ kind: "approval", message: args[0] }, "Approval", "approvalRequest") };
    }
    if (callee === "guardrailsHasTripwire") {
      const bound = this.scope.get(nameOf(args[0]));
      return bound?.is === "tripwire" ? bound : { is: "code", node };
    }
    if (callee === "Promise.all" && bare(args[0])?.type === "CallExpression") return this.value(args[0]);
    if (callee === "Promise.all") return this.parallel(elementsOf(args[0]), node);
    if (/\.(?:map|forEach)$/.test(memberOf(node)) && this.eachCall(node)) return { is: "code", node };
    const inner = args.map(bare).find((one) => one !== undefined && /Function/.test(one.type));
    if (/^with\w*Trace$|^trace$/i.test(callee) && inner) {
      return this.inline(inner);
    }
    const own = this.program.functions.get(callee) ?? this.program.values.get(callee);
    const target = bare(own);
    if (target && /Function/.test(target.type) && this.called < 20 && runsAgent(this.program, target)) {
      for (const [index, param] of children(target, "params").entries()) {
        if (nameOf(param) !== "") this.scope.set(nameOf(param), this.value(args[index]));
      }
      return this.inline(target);
    }
    return { is: "code", node };
  }

  /** `list.map(async (item) => run(agent, item))` as a loop over the list; whether it is one. */
  private eachCall(node: Syntax): boolean {
    const [given] = children(node, "arguments");
    const action = bare(given);
    const [id] = children(action, "params");
    const list = child(bare(child(node, "callee")), "object");
    const body = child(action, "body");
    if (!action || !body || !list || !/Function/.test(action.type) || !runsAgent(this.program, action)) return false;
    const left = {
      ...action,
      type: "VariableDeclaration",
      declarations: [{ ...action, type: "VariableDeclarator", id }],
    };
    this.each({ ...node, type: "ForOfStatement", left, right: list, body });
    return true;
  }

  /** The statements of a function in the place of its call. */
  private inline(target: Syntax): Bound {
    this.called += 1;
    const before = this.nodes.length;
    const body = child(target, "body");
    const isLast = body?.type === "BlockStatement";
    if (isLast) this.body(body);
    else return this.value(body);
    const last = this.nodes.at(-1);
    return last && this.nodes.length > before ? { is: "result", step: last.id } : { is: "code", node: target };
  }

  private parallel(list: readonly Syntax[], node: Syntax): Bound {
    const from = this.ends;
    const ends: End[] = [];
    this.together = list.map((one) => {
      this.ends = from;
      const bound = this.value(one);
      if (bound.is !== "result") return undefined;
      ends.push(...this.ends);
      return bound.step;
    });
    this.ends = ends.length > 0 ? ends : from;
    return { is: "code", node };
  }

  private run(agent: AgentCode, input: Syntax | undefined, options: Syntax | undefined): string {
    const context = propertiesOf(resolved(this.program, propertiesOf(options).get("context")));
    return this.add({ kind: "run", agent, input, context }, agent.name, "Agent");
  }

  private expression(given: Syntax | undefined): void {
    const node = bare(given);
    if (!node) return;
    if (node.type === "AssignmentExpression") return this.assign(node);
    if (node.type === "UpdateExpression") return this.assign(asAssignment(node));
    if (node.type === "CallExpression") {
      if (this.isIdle(node)) return;
      const before = this.nodes.length;
      this.value(node);
      // What a chain of promises waits for first.
      const inner = bare(child(bare(child(node, "callee")), "object"));
      if (inner?.type === "CallExpression") this.value(inner);
      if (this.nodes.length === before && this.untold(node).length === 0)
        this.leave(sliceOf(this.program, node), "call", "Call it in a code node or with an HTTP request.");
    }
  }

  private assign(node: Syntax): void {
    const [target, given] = [bare(child(node, "left")), child(node, "right")];
    const path = pathOf(target);
    const bound = this.value(given);
    const operator = String(node.operator).slice(0, -1);
    const source =
      operator === "" || !target || !given
        ? given
        : { ...given, type: "BinaryExpression", operator, left: target, right: given };
    if (path.length === 1 && bound.is !== "code") {
      this.scope.set(path[0] ?? "", bound);
      return;
    }
    const [first = "", key = "", ...more] = path;
    const isOwn = this.scope.get(first)?.is === "code" && !first.startsWith("process");
    if (isOwn && key !== "" && more.length === 0 && source) {
      this.add({ kind: "set", values: new Map([[key, source]]) }, `Set ${key}`, "state");
      this.scope.set(`${first}.${key}`, { is: "code", node: source });
    } else if (path.length === 1 && source) {
      const name = path[0] ?? "";
      this.add({ kind: "set", values: new Map([[name, source]]) }, `Set ${name}`, "state");
    }
  }

  private condition(node: Syntax): void {
    const test = child(node, "test");
    const yes = child(node, "consequent");
    const no = child(node, "alternate");
    if (!test) return;
    if (this.isGuard(test, yes)) return this.body(no);
    const negated = bare(test)?.type === "UnaryExpression" && bare(test)?.operator === "!";
    const inner = negated ? bare(child(bare(test), "argument")) : bare(test);
    const known = nameOf(inner) !== "" ? this.scope.get(nameOf(inner)) : inner && this.value(inner);
    const [step, handles] =
      known?.is === "tripwire"
        ? [known.step, ["fail", "pass"]]
        : known?.is === "approved"
          ? [known.step, ["approved", "rejected"]]
          : [this.add({ kind: "if", test }, conditionName(this.program, test), "if"), ["true", "false"]];
    const turned = negated && known && (known.is === "tripwire" || known.is === "approved");
    const [then = "", other = ""] = turned ? handles.toReversed() : handles;
    const scope = new Map(this.scope);
    const row = this.row;
    this.ends = [{ from: step, handle: then }];
    this.body(yes);
    const after = this.ends;
    this.scope = scope;
    this.row = row + 1;
    this.ends = [{ from: step, handle: other }];
    if (no) this.body(no);
    this.ends = [...after, ...this.ends];
  }

  /** `if (!result.finalOutput) throw …`: an agent that fails ends the run anyway. */
  private isGuard(test: Syntax, body: Syntax | undefined): boolean {
    const inner = bare(test);
    const first = body?.type === "BlockStatement" ? children(body, "body")[0] : body;
    if (inner?.type !== "UnaryExpression" || inner.operator !== "!" || first?.type !== "ThrowStatement") return false;
    const [name = "", key, ...more] = pathOf(child(inner, "argument"));
    const bound = this.scope.get(name);
    return key === undefined
      ? bound?.is === "final"
      : bound?.is === "result" && key === "finalOutput" && more.length === 0;
  }

  private answer(given: Syntax | undefined): void {
    const node = bare(given);
    if (!node) {
      this.ends = [];
      return;
    }
    const before = this.nodes.length;
    const bound = this.value(node);
    const isOutput = bound.is === "code" && this.nodes.length === before;
    if (isOutput && !/Function/.test(node.type)) this.add({ kind: "answer", value: node }, "Answer", "return");
    this.ends = [];
  }

  private each(node: Syntax): void {
    const list = child(node, "right");
    const [declared] = children(child(node, "left"), "declarations");
    const item = nameOf(child(declared, "id"));
    if (!list || !runsAgent(this.program, node)) return this.idleLoop(node);
    const loop = this.add({ kind: "each", list, item }, `Each ${item || "item"}`, "for");
    const outer = this.parent;
    this.parent = loop;
    this.ends = [{ from: loop, handle: "item" }];
    const first = this.add({ kind: "item" }, `Item ${item}`.trim(), "item", true);
    const scope = new Map(this.scope);
    if (item !== "") this.scope.set(item, { is: "item", step: first });
    this.body(child(node, "body"));
    this.scope = scope;
    this.parent = outer;
    this.ends = [{ from: loop, handle: "done" }];
  }

  /** A loop that ends by a condition. One that only reads what a person types is what a chat does by itself. */
  private loop(node: Syntax): void {
    if (!runsAgent(this.program, node)) return this.idleLoop(node);
    const test = bare(child(node, "test"));
    const isChat = node.type !== "ForStatement" && (test?.value === true || this.reads(node));
    if (!isChat && test && this.repeat(node, test)) return;
    if (!isChat) {
      const words =
        "A loop that ends by a condition is not possible in a flow: let an agent repeat the work with tools, or turn on its “Several rounds”.";
      this.add({ kind: "unknown", words, source: sliceOf(this.program, node).slice(0, 20_000) }, "Loop", node.type);
    }
    const outer = this.inChat;
    this.inChat = isChat;
    this.body(child(node, "body"));
    this.inChat = outer;
  }

  /** A loop in which no agent runs works out values, or does nothing that matters here. */
  private idleLoop(node: Syntax): void {
    const body = child(node, "body");
    if (body && this.hasEffect(body)) this.unknown(node, "Write this loop as a code node. Its source is kept.");
  }

  /** A loop whose condition is about variables that it sets itself; whether it is one. */
  private repeat(node: Syntax, test: Syntax): boolean {
    const [body, update] = [child(node, "body"), child(node, "update")];
    const targets = this.assignedIn([body, update]);
    const known = [...keysIn(test)].every((key) => targets.has(key));
    if (!body || targets.size === 0 || keysIn(test).size === 0 || !known || leaves(body)) return false;
    const init = child(node, "init");
    if (init)
      this.statement(
        init.type === "VariableDeclaration" ? init : { ...init, type: "ExpressionStatement", expression: init },
      );
    const keys = [...targets.keys()];
    this.add({ kind: "set", values: targets, only: true }, "Before the loop", "state", true);
    const asked = node.type === "DoWhileStatement" ? "after" : "before";
    const loop = this.add({ kind: "while", test, asked, keys }, "Loop", node.type);
    const outer = this.parent;
    this.parent = loop;
    this.ends = [{ from: loop, handle: "item" }];
    this.add({ kind: "turn", keys }, "Turn of the loop", "item", true);
    this.body(body);
    this.expression(update);
    this.add({ kind: "set", values: targets, only: true }, "Result of the turn", "state", true);
    this.parent = outer;
    this.ends = [{ from: loop, handle: "done" }];
    return true;
  }
}
