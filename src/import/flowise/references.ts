import { concat } from "../expressions/concat.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { type Bench, firstOf, literal, optionalPath, outputOf, plainText } from "../flow/bench.ts";
import { type FlowNode, nodesBefore } from "../flow/flow-graph.ts";
import { quoted } from "../expressions/piece.ts";
import { htmlText } from "../flow/html-text.ts";
import { listOf, objectOf, textOf } from "./read-flowise.ts";
import { again } from "./turns.ts";
import { lookup } from "../lookup.ts";

/** What one node of a flow is read with. */
export class FlowiseWork {
  readonly node: FlowNode;
  readonly bench: Bench;
  readonly inputs: JsonObject;
  private before: FlowNode[] | undefined;

  constructor(node: FlowNode, bench: Bench) {
    this.node = node;
    this.bench = bench;
    this.inputs = objectOf(node.data.inputs);
  }

  get earlier(): FlowNode[] {
    this.before ??= nodesBefore(this.bench.graph, this.node.id);
    return this.before;
  }

  /** What the run started with. */
  trigger(...keys: string[]): string {
    const start = this.bench.graph.nodes.find(({ type }) =>
      ["startAgentflow", "seqStart", "chat-message"].includes(type),
    );
    const read = start && outputOf(this.bench, start.id, keys);
    return read ? `${read.code}.orValue(null)` : "null";
  }

  /** The names of the form that starts the flow; undefined where a chat does. */
  private form(): string[] | undefined {
    const start = this.bench.graph.nodes.find(({ type }) => type === "startAgentflow");
    const inputs = objectOf(start?.data.inputs);
    return inputs.startInputType === "formInput"
      ? listOf(inputs.formInputTypes).map((one) => textOf(one.name))
      : undefined;
  }

  /** What starts the flow as a text: the message of the chat, or each field of the form with its name, as Flowise asks it. */
  message(): string {
    const fields = this.form();
    if (fields === undefined || fields.length === 0) return this.trigger("message");
    const lines = fields.map(
      (name, index) => `${quoted(`${index === 0 ? "" : "\n"}${name}: `)} + text(${this.trigger(name)})`,
    );
    return lines.join(" + ");
  }

  /** What tells one conversation from another: that of the chat, or the run where a form starts the flow. */
  session(): string {
    return this.form() === undefined ? this.trigger("sessionId") : "run.id";
  }

  /** A text of Flowise as a template; `own` is the slug of the node for what it says of its own output. */
  text(raw: Json | undefined, own?: string): string {
    return htmlText(textOf(raw))
      .split(/(\{\{[^{}]{1,300}\}\})/)
      .map((part, index) => (index % 2 === 0 ? plainText(part) : `{{${this.noted(part.slice(2, -2), own)}}}`))
      .join("");
  }

  /** A text as one CEL value: its variable when it is nothing else. */
  value(raw: Json | undefined): string {
    const text = htmlText(textOf(raw)).trim();
    const whole = /^\{\{([^{}]{1,300})\}\}$/.exec(text);
    if (whole) return this.noted(whole[1] ?? "");
    if (!text.includes("{{")) return literal(text);
    const parts = text.split(/\{\{([^{}]{1,300})\}\}/);
    return concat(parts.map((part, index) => (index % 2 === 0 ? literal(part) : this.noted(part))));
  }

  /** A prompt of a chain, whose variables stand in single braces: `{question}`. */
  prompt(raw: Json | undefined, values: JsonObject = {}): string {
    return this.text(raw)
      .split(/((?<!\{)\{[A-Za-z_]\w{0,60}\}(?!\}))/)
      .map((part, index) => {
        if (index % 2 === 0) return part;
        const name = part.slice(1, -1);
        const given = textOf(lookup(values, name));
        if (given !== "") return this.text(given);
        if (["question", "input", "query", "text", "user_input"].includes(name)) return `{{${this.noted("question")}}}`;
        if (["context", "chat_history", "history", "agent_scratchpad", "format_instructions"].includes(name)) return "";
        return `{{${this.trigger(name)}}}`;
      })
      .join("");
  }

  private noted(source: string, own?: string): string {
    const name = source.trim();
    const code = this.read(name, own);
    if (code === undefined) {
      const why = "Has no counterpart here. Gives nothing.";
      this.bench.notes.expression(this.node.name, name, "unsupported", why);
      return "null";
    }
    this.bench.notes.expression(this.node.name, name, "cel");
    return code;
  }

  private read(name: string, own?: string): string | undefined {
    const [first = "", ...keys] = name.replaceAll("[", ".").replaceAll("]", "").split(".");
    switch (first) {
      case "question":
      case "$question":
        return this.message();
      case "current_date_time":
        return "iso(now)";
      case "chat_history":
        return '""';
      case "file_attachment":
        return this.trigger("files");
      case "$form":
        return this.trigger(...keys);
      case "$vars":
        return `${optionalPath("vars", keys)}.orValue(null)`;
      case "$iteration":
        return this.item(keys[0] === "item" ? keys.slice(1) : keys);
      case "$flow":
        return this.flow(keys);
      case "output":
        return own === undefined ? undefined : this.output(own, this.node, keys);
      default: {
        const node = this.bench.nodes.get(first);
        const slug = this.bench.names.get(first)?.slug;
        if (!node || slug === undefined) return undefined;
        const path = keys[0] === "data" ? keys.slice(2) : keys[0] === "output" ? keys.slice(1) : keys;
        return this.output(slug, node, path);
      }
    }
  }

  private output(slug: string, { type }: FlowNode, keys: readonly string[]): string {
    const at = (...path: string[]) => `${optionalPath("nodes", [slug, ...path])}.orValue(null)`;
    const rest = keys[0] === "content" ? keys.slice(1) : keys;
    if (/^(llm|agent)Agentflow$|^seq(Agent|LLMNode)$|Chain$|^worker$|[aA]gent$/.test(type))
      return at("response", ...rest);
    if (type === "httpAgentflow") return keys[0] === "data" ? at("body", ...keys.slice(1)) : at("body", ...keys);
    if (type === "toolAgentflow") return at("body", ...keys);
    if (type === "iterationAgentflow") return at("done", ...keys);
    if (type === "directReplyAgentflow") return at("response");
    return at(...rest);
  }

  private item(keys: readonly string[]): string | undefined {
    const loop = this.node.parent ?? "";
    const read = outputOf(this.bench, `${loop} item`, ["item", ...keys]);
    return read && `${read.code}.orValue(null)`;
  }

  private flow([first = "", ...keys]: readonly string[]): string | undefined {
    if (first === "sessionId" || first === "chatId") return this.session();
    if (first === "input") return this.message();
    return first === "state" && keys.length > 0 ? this.state(keys) : undefined;
  }

  /** All keys of the state that any node writes, with what they hold at this node. */
  allState(): JsonObject {
    const keys = this.bench.graph.nodes.flatMap((node) => updatesOf(node).map(({ key }) => textOf(key)));
    return Object.fromEntries([...new Set(keys)].map((key) => [key, `{{${this.state([key])}}}`]));
  }

  /** A key of the state: what was last written before this node, or what it began with. */
  private state([key = "", ...more]: readonly string[]): string {
    const written = this.earlier.filter(
      (node) => node.type === "repeat-turn" || updatesOf(node).some((one) => textOf(one.key) === key),
    );
    const reads = written.flatMap(({ id, type }) => {
      const turn = type === "repeat-turn" ? this.bench.names.get(id)?.slug : undefined;
      if (turn !== undefined) return [optionalPath("nodes", [turn, again, "state", key, ...more])];
      const slug = stateSlug(this.bench, id);
      return slug === undefined ? [] : [optionalPath("nodes", [slug, "state", key, ...more])];
    });
    const start = this.bench.graph.nodes.find(({ type }) => type === "startAgentflow");
    const first = listOf(objectOf(start?.data.inputs).startState).find((one) => textOf(one.key) === key);
    if (more.length === 0) reads.push(literal(first?.value ?? ""));
    const [only] = reads;
    return reads.length === 1 && written.length === 1 && only ? `${only}.orValue(null)` : firstOf(reads);
  }
}

/** Titles of the nodes behind others that keep what these wrote into the state. */
const stateTitles = new WeakMap<Bench, Map<string, { title: string; slug: string }>>();

/** The title of the node that keeps what a node writes into the state, reserved when it is first asked for. */
export function stateTitle(bench: Bench, node: FlowNode): { title: string; slug: string } {
  const titles = stateTitles.get(bench) ?? new Map<string, { title: string; slug: string }>();
  stateTitles.set(bench, titles);
  const known = titles.get(node.id);
  if (known) return known;
  const made = bench.draft.reserve(`State after ${node.name}`.slice(0, 150));
  titles.set(node.id, made);
  return made;
}

function stateSlug(bench: Bench, id: string): string | undefined {
  const node = bench.nodes.get(id);
  return node && stateTitle(bench, node).slug;
}

/** What a node writes into the state: keys and their values. */
export function updatesOf({ data }: FlowNode): JsonObject[] {
  const inputs = objectOf(data.inputs);
  const key = Object.keys(inputs).find((one) => one.endsWith("UpdateState"));
  return key === undefined ? [] : listOf(inputs[key]).filter((one) => textOf(one.key) !== "");
}
