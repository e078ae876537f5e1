import { quoted } from "../expressions/piece.ts";
import { translate } from "../expressions/translate.ts";
import { type Bench, firstOf, literal, optionalPath, outputOf, plainText } from "../flow/bench.ts";
import { type FlowNode, nodesBefore } from "../flow/flow-graph.ts";
import type { Bound, Flow } from "./flow-steps.ts";
import { type Program, resolved, sliceOf } from "./program.ts";
import {
  bare,
  child,
  children,
  cooked,
  elementsOf,
  nameOf,
  pathOf,
  plainOf,
  propertiesOf,
  type Syntax,
  textOf,
} from "./syntax.ts";

/** Thrown where code has no counterpart in an expression. */
class NoCounterpart extends Error {}

/** Translates the code of one step. */
export class CodeWork {
  readonly node: FlowNode;
  readonly bench: Bench;
  readonly program: Program;
  private readonly flow: Flow;
  /** CEL by the names under which the translator asks for it. */
  private readonly reads: string[] = [];
  /** Names that instructions take from the run's context. */
  private readonly locals: ReadonlyMap<string, Syntax>;

  constructor(
    node: FlowNode,
    bench: Bench,
    program: Program,
    flow: Flow,
    locals: ReadonlyMap<string, Syntax> = new Map(),
  ) {
    this.node = node;
    this.bench = bench;
    this.program = program;
    this.flow = flow;
    this.locals = locals;
  }

  get message(): string {
    const start = this.bench.graph.nodes.find(({ type }) => type === "start");
    const read = start && outputOf(this.bench, start.id, ["message"]);
    return read ? `${read.code}.orValue(null)` : "null";
  }

  /** The question, and what the agents before this step answered. */
  get conversation(): string {
    const before = nodesBefore(this.bench.graph, this.node.id)
      .filter(({ type }) => type === "Agent")
      .toReversed();
    const answers = before.map(({ id }) => `{{${this.given(id, ["response"])}}}`);
    return [`{{${this.message}}}`, ...answers].join("\n\n");
  }

  private given(id: string, keys: readonly string[]): string {
    const read = outputOf(this.bench, id, keys);
    return read ? `${read.code}.orValue(null)` : "null";
  }

  /** CEL for an expression; null, noted, where it has none. */
  value(node: Syntax | undefined): string {
    if (!node) return "null";
    const source = sliceOf(this.program, node);
    let reason = "";
    try {
      const made = translate(this.emit(node, 0), { names: { node: (name) => this.reads[Number(name)] } });
      if (made.ok) {
        this.bench.notes.expression(this.node.name, source, "cel");
        return made.cel;
      }
      reason = made.reason;
    } catch (error) {
      if (!(error instanceof NoCounterpart)) throw error;
      reason = error.message;
    }
    const why = `Has no counterpart here: ${reason}. Gives nothing.`;
    this.bench.notes.expression(this.node.name, source, "unsupported", why);
    return "null";
  }

  /** A text as a template: what stands in it stays, what is worked out becomes an expression. */
  text(given: Syntax | undefined): string {
    const node = this.found(given);
    if (!node) return "";
    const plain = textOf(node);
    if (plain !== undefined) return plainText(plain);
    if (node.type === "TemplateLiteral") {
      const values = children(node, "expressions");
      return children(node, "quasis")
        .map((quasi, index) => {
          const value = values[index];
          return plainText(cooked(quasi)) + (value ? this.inserted(value) : "");
        })
        .join("");
    }
    if (node.type === "BinaryExpression" && node.operator === "+")
      return this.text(child(node, "left")) + this.text(child(node, "right"));
    if (/Function/.test(node.type)) return this.returned(node);
    const callee = bare(child(node, "callee"));
    if (nameOf(child(callee, "property")) === "join") {
      const list = this.found(child(callee, "object"));
      const by = textOf(children(node, "arguments")[0]) ?? ",";
      if (list?.type === "ArrayExpression")
        return elementsOf(list)
          .map((one) => this.text(one))
          .join(by);
    }
    return `{{${this.value(node)}}}`;
  }

  private inserted(node: Syntax): string {
    const found = this.found(node);
    if (/RECOMMENDED_PROMPT_PREFIX/.test(nameOf(bare(node)))) return "";
    return textOf(found) === undefined ? `{{${this.value(node)}}}` : plainText(textOf(found) ?? "");
  }

  /** What a function of instructions returns. */
  private returned(node: Syntax): string {
    const body = child(node, "body");
    if (body?.type !== "BlockStatement") return this.text(body);
    const last = children(body, "body").find(({ type }) => type === "ReturnStatement");
    return last ? this.text(child(last, "argument")) : "";
  }

  /** The code behind a name of this place. */
  found(given: Syntax | undefined): Syntax | undefined {
    const node = bare(given);
    const name = nameOf(node);
    if (name === "") return node;
    const bound = this.bound(name);
    if (bound?.is === "code" && bound.node !== node) return this.found(bound.node);
    return bound === undefined ? resolved(this.program, node) : node;
  }

  bound(name: string): Bound | undefined {
    const local = this.locals.get(name);
    if (local) return { is: "code", node: local };
    return this.flow.scopes.get(this.node.id)?.get(name);
  }

  /** A read of a step's output, as the translator asks for it. */
  private read(cel: string): string {
    this.reads.push(cel);
    return `$("${this.reads.length - 1}").item.json`;
  }

  /** An expression as JavaScript in which names are replaced by what they stand for. */
  private emit(given: Syntax, depth: number): string {
    if (depth > 60) throw new NoCounterpart("it nests too deeply");
    const node = bare(given);
    const next = (one: Syntax | undefined) => (one ? this.emit(one, depth + 1) : "undefined");
    if (!node) return "undefined";
    switch (node.type) {
      case "Literal":
        return typeof node.raw === "string" ? node.raw : sliceOf(this.program, node) || "null";
      case "TemplateLiteral": {
        const values = children(node, "expressions");
        const parts = children(node, "quasis").flatMap((quasi, index) => [
          quoted(cooked(quasi)),
          ...(values[index] ? [`String(${next(values[index])} ?? "")`] : []),
        ]);
        return `(${parts.join(" + ")})`;
      }
      case "Identifier":
        return this.name(nameOf(node), depth);
      case "MemberExpression":
        return this.member(node, depth);
      case "BinaryExpression":
      case "LogicalExpression":
        return `(${next(child(node, "left"))} ${String(node.operator)} ${next(child(node, "right"))})`;
      case "UnaryExpression":
        return `(${String(node.operator)} ${next(child(node, "argument"))})`;
      case "ConditionalExpression":
        return `(${next(child(node, "test"))} ? ${next(child(node, "consequent"))} : ${next(child(node, "alternate"))})`;
      case "ArrayExpression":
        return `[${elementsOf(node).map(next).join(", ")}]`;
      case "ObjectExpression":
        return `{${[...propertiesOf(node)].map(([key, one]) => `${quoted(key)}: ${next(one)}`).join(", ")}}`;
      case "CallExpression":
        return this.called(node, depth);
      default:
        throw new NoCounterpart(node.type);
    }
  }

  private called(node: Syntax, depth: number): string {
    const callee = bare(child(node, "callee"));
    const args = children(node, "arguments").map((one) => this.emit(one, depth + 1));
    const isGlobal =
      /^(JSON|Math|Object|Array|Number)$/.test(pathOf(callee)[0] ?? "") ||
      /^(String|Number|Boolean|parseInt|parseFloat)$/.test(nameOf(callee));
    if (isGlobal) return `${pathOf(callee).join(".")}(${args.join(", ")})`;
    if (callee?.type !== "MemberExpression") throw new NoCounterpart(`a call of ${nameOf(callee) || "a function"}`);
    const object = child(callee, "object");
    const method = nameOf(child(callee, "property"));
    if (!object || method === "") throw new NoCounterpart("a call");
    return `${this.emit(object, depth + 1)}.${method}(${args.join(", ")})`;
  }

  private name(name: string, depth: number): string {
    if (["undefined", "NaN", "Infinity"].includes(name)) return "null";
    const bound = this.bound(name);
    if (!bound) {
      const node = this.program.values.get(name);
      const plain = plainOf(node);
      if (plain !== undefined) return JSON.stringify(plain);
      if (node && !/Function|NewExpression|CallExpression/.test(bare(node)?.type ?? ""))
        return this.emit(node, depth + 1);
      throw new NoCounterpart(name);
    }
    switch (bound.is) {
      case "code": {
        const set = this.assigned(name);
        return set ?? this.emit(bound.node, depth + 1);
      }
      case "message":
        return this.read(this.message);
      case "history":
        return this.read(this.message);
      case "item":
        return this.read(this.given(bound.step, ["item"]));
      case "final":
      case "result":
        return this.read(this.given(bound.step, ["response"]));
      case "approved":
      case "tripwire":
        throw new NoCounterpart(name);
    }
  }

  /** A variable or a key of the state that was set by steps before this one. */
  private assigned(key: string, first?: Syntax): string | undefined {
    const own = this.flow.steps.get(this.node.id);
    // Its condition is asked of what a turn has left.
    if (own?.kind === "while" && own.keys.includes(key))
      return this.read(`${optionalPath("json", [key])}.orValue(null)`);
    const around = this.loopsAround();
    // Steps are numbered as they follow each other, so that the last one before this comes first.
    const before = nodesBefore(this.bench.graph, this.node.id)
      .filter(({ id }) => this.flow.steps.has(id) && !around.has(id))
      .toSorted((a, b) => Number(b.id.slice(1)) - Number(a.id.slice(1)));
    const reads: string[] = [];
    let isCertain = false;
    for (const { id } of before) {
      const step = this.flow.steps.get(id);
      const slug = this.bench.names.get(id)?.slug;
      if (slug === undefined || isCertain) continue;
      const isLoop = step?.kind === "while" && step.keys.includes(key);
      const isTurn = step?.kind === "turn" && step.keys.includes(key);
      if (isLoop) reads.push(optionalPath("nodes", [slug, "done", key]));
      if (isTurn || (step?.kind === "set" && step.values.has(key))) reads.push(optionalPath("nodes", [slug, key]));
      isCertain = isLoop || isTurn;
    }
    if (reads.length === 0) return undefined;
    const plain = plainOf(first);
    if (plain !== undefined && !isCertain) reads.push(literal(plain));
    const [only] = reads;
    return this.read(reads.length === 1 ? `${only ?? "null"}.orValue(null)` : firstOf(reads));
  }

  /** The loops in whose body this step stands. */
  private loopsAround(): Set<string> {
    const found = new Set<string>();
    for (let id = this.node.parent; id !== undefined && !found.has(id); id = this.bench.nodes.get(id)?.parent)
      found.add(id);
    return found;
  }

  private member(node: Syntax, depth: number): string {
    const path = pathOf(node);
    const [first = "", second = ""] = path;
    const property = child(node, "property");
    const object = child(node, "object");
    if (path.length === 2) {
      const bound = this.bound(first);
      if (bound?.is === "message") return this.read(this.message);
      if (bound?.is === "result" && /^(finalOutput|output_parsed|output_text|output)$/.test(second))
        return this.read(this.given(bound.step, ["response"]));
      if (bound?.is === "code") {
        const fields = propertiesOf(bound.node);
        const inner = fields.get(second);
        const set = this.assigned(second, inner);
        if (set !== undefined) return set;
        if (inner) return this.emit(inner, depth + 1);
      }
    }
    if (!object) throw new NoCounterpart("a path");
    const base = this.emit(object, depth + 1);
    if (node.computed === true) return `${base}[${property ? this.emit(property, depth + 1) : "null"}]`;
    return `${base}.${nameOf(property)}`;
  }

  /** What an agent is asked: a text, a list of messages, or the conversation so far. */
  asked(given: Syntax | undefined): string {
    const node = this.found(given);
    if (!node) return this.conversation;
    const name = nameOf(node);
    const bound = name === "" ? undefined : this.bound(name);
    if (name !== "") {
      if (bound === undefined || bound.is === "message") return `{{${this.message}}}`;
      if (bound.is === "history") return this.conversation;
      return `{{${this.value(node)}}}`;
    }
    if (node.type === "ArrayExpression") return this.messages(node);
    if (node.type === "CallExpression" || node.type === "NewExpression") return this.conversation;
    return this.text(node);
  }

  private messages(node: Syntax): string {
    const parts = children(node, "elements").flatMap((one) => {
      if (one.type === "SpreadElement") return [];
      const fields = propertiesOf(this.found(one));
      const content = this.found(fields.get("content"));
      if (!content) return [];
      const texts = content.type === "ArrayExpression" ? elementsOf(content) : [content];
      return texts
        .map((each) => (each.type === "ObjectExpression" ? this.text(propertiesOf(each).get("text")) : this.text(each)))
        .filter((text) => text !== "");
    });
    const hasHistory = children(node, "elements").some(({ type }) => type === "SpreadElement");
    if (parts.length === 0) return this.conversation;
    return hasHistory && !parts.join("").includes(this.message)
      ? [this.conversation, ...parts].join("\n\n")
      : parts.join("\n\n");
  }
}
