import type { Json } from "../../engine/json.ts";
import { type Bench, firstOf, literal, optionalPath, outputOf, plainText, type Read, valueOf } from "../flow/bench.ts";
import { nodesBefore, type FlowNode } from "../flow/flow-graph.ts";
import type { DifyApp } from "./read-dify.ts";
import { listOf, textOf } from "./read-dify.ts";
import { lookup } from "../lookup.ts";

/** What one node of a Dify app is read with. */
export class DifyWork {
  readonly node: FlowNode;
  readonly bench: Bench;
  readonly app: DifyApp;

  constructor(node: FlowNode, bench: Bench, app: DifyApp) {
    this.node = node;
    this.bench = bench;
    this.app = app;
  }

  /** Where the run's input stands. */
  private get startId(): string | undefined {
    return this.bench.graph.nodes.find(({ type }) => type === "start")?.id;
  }

  /** CEL for a selector such as `["1720", "text"]`; null, noted, where nothing here has the value. Counted once. */
  value(selector: Json | undefined): string {
    const path = Array.isArray(selector) ? selector.map((one) => textOf(one)) : [];
    const read = this.read(path);
    if (read === undefined) {
      const why = `Has no counterpart here: ${path.join(".") || "no variable"}. Gives nothing.`;
      this.bench.notes.expression(this.node.name, path.join("."), "unsupported", why);
      return "null";
    }
    this.bench.notes.expression(this.node.name, path.join("."), "cel");
    return valueOf(read);
  }

  /** A selector as a template that keeps the value's type. */
  template(selector: Json | undefined): string {
    return `{{${this.value(selector)}}}`;
  }

  /** A text with `{{#node.variable#}}` in it as a template. */
  text(raw: Json | undefined, context?: string): string {
    const text = textOf(raw);
    let made = "";
    let from = 0;
    for (const match of text.matchAll(/\{\{#\s*([\w.\-:]+)\s*#\}\}/g)) {
      made += plainText(text.slice(from, match.index));
      const path = (match[1] ?? "").split(".");
      made += path.length === 1 && path[0] === "context" ? (context ?? "") : this.template(path);
      from = match.index + match[0].length;
    }
    return made + plainText(text.slice(from));
  }

  /** As `text`, for the apps whose prompts name their inputs plainly: `{{topic}}`. */
  prompt(raw: Json | undefined): string {
    return textOf(raw)
      .split(/(\{\{\s*#?[\w.]+#?\s*\}\})/)
      .map((part, index) => {
        if (index % 2 === 0) return plainText(part);
        const name = part.replace(/[{}#\s]/g, "");
        if (name === "query") return this.template(["sys", "query"]);
        return name === "context" ? "" : this.template([this.startId ?? "", name]);
      })
      .join("");
  }

  private read(path: readonly string[]): Read | undefined {
    const [first = "", ...keys] = path;
    if (first === "" || keys.length === 0) return undefined;
    if (first === "sys") return this.system(keys);
    if (first === "env") {
      return this.app.secrets.includes(keys[0] ?? "")
        ? undefined
        : { code: optionalPath("vars", keys), optional: true };
    }
    if (first === "conversation") return this.remembered(keys);
    const node = this.bench.nodes.get(first);
    return node && this.given(node, keys);
  }

  private system([name = ""]: readonly string[]): Read | undefined {
    const start = this.startId;
    const keys: Readonly<Record<string, string>> = { query: "message", conversation_id: "sessionId", files: "files" };
    if (name === "workflow_run_id") return { code: "run.id", optional: false };
    if (name === "workflow_id" || name === "app_id") return { code: "workflow.id", optional: false };
    const key = lookup(keys, name);
    return key === undefined || start === undefined ? undefined : outputOf(this.bench, start, [key]);
  }

  /** A variable of the conversation: what was last assigned before this node, or its first value. */
  private remembered(keys: readonly string[]): Read {
    const [name = "", ...more] = keys;
    const before = nodesBefore(this.bench.graph, this.node.id);
    const assigned = before.filter(({ type, data }) => type === "assigner" && assigns(data, name));
    const reads = assigned.flatMap(({ id }) => {
      const read = outputOf(this.bench, id, [name, ...more]);
      return read ? [read.code] : [];
    });
    const usual = lookup(this.app.conversation, name);
    if (usual !== undefined && more.length === 0) reads.push(literal(usual));
    if (reads.length === 1 && assigned.length === 1) return { code: reads[0] ?? "null", optional: true };
    return { code: firstOf(reads), optional: false };
  }

  /** What a node gives under Dify's name of it. */
  private given(node: FlowNode, keys: readonly string[]): Read | undefined {
    const [key = "", ...more] = keys;
    const at = (...path: string[]) => outputOf(this.bench, node.id, path);
    switch (node.type) {
      case "llm":
      case "agent":
      case "chat-app":
        if (key === "text") return at("response");
        if (key === "usage") return at("metadata", "usage", ...more);
        return key === "structured_output" ? at("response", ...more) : undefined;
      case "parameter-extractor":
        if (key === "__is_success") return { code: "1", optional: false };
        return key.startsWith("__") ? undefined : at("response", ...keys);
      case "question-classifier":
        return key === "class_name" || key === "class_label" ? at("response", "category") : undefined;
      case "http-request": {
        if (key === "status_code") return at("status");
        if (key === "headers") return at("headers", ...more);
        const body = at("body");
        return key === "body" && body ? { code: `text(${body.code})`, optional: false } : undefined;
      }
      case "tool": {
        const body = at("body");
        if (key === "json" && body)
          return { code: optionalPath(`items(${body.code})`, more), optional: more.length > 0 };
        return key === "text" && body ? { code: `text(${body.code})`, optional: false } : undefined;
      }
      case "iteration":
      case "loop":
        return this.ofLoop(node, keys);
      case "iteration-start":
      case "loop-start":
        return at(...keys);
      default:
        return at(...keys);
    }
  }

  private ofLoop(node: FlowNode, keys: readonly string[]): Read | undefined {
    const [key = "", ...more] = keys;
    const own = listOf(node.data.loop_variables).some(({ label }) => label === key);
    if (own && node.type === "loop") return this.loopVariable(node, keys);
    if (key === "item" || key === "index") {
      const start = this.bench.graph.nodes.find(
        ({ parent, type }) => parent === node.id && (type === "iteration-start" || type === "loop-start"),
      );
      return start && outputOf(this.bench, start.id, keys);
    }
    const list = outputOf(this.bench, node.id, ["done"]);
    if (!list || key !== "output") return undefined;
    const opened = node.data.flatten_output === true ? (code: string) => `flatten(${code})` : (code: string) => code;
    const all = opened(`items(${list.code}).map(turn, get(turn, "output"))`);
    return more.length === 0 ? { code: all, optional: false } : { code: optionalPath(all, more), optional: true };
  }

  /** A variable of a loop: outside what the last turn left, inside what was last assigned in this turn. */
  private loopVariable(loop: FlowNode, keys: readonly string[]): Read | undefined {
    const inside = this.bench.graph.nodes.filter(({ parent }) => parent === loop.id);
    if (!inside.some(({ id }) => id === this.node.id)) return outputOf(this.bench, loop.id, ["done", ...keys]);
    const before = nodesBefore(this.bench.graph, this.node.id);
    const assigned = before.filter(
      ({ type, data, parent }) => type === "assigner" && parent === loop.id && assigns(data, keys[0] ?? "", loop.id),
    );
    const start = inside.find(({ type }) => type === "loop-start" || type === "iteration-start");
    const reads = [...assigned, ...(start ? [start] : [])].flatMap(({ id }) => {
      const read = outputOf(this.bench, id, [...keys]);
      return read ? [read.code] : [];
    });
    return reads.length === 1
      ? { code: reads[0] ?? "null", optional: true }
      : { code: firstOf(reads), optional: false };
  }
}

function assigns(data: FlowNode["data"], name: string, holder = "conversation"): boolean {
  const targets = [data.assigned_variable_selector, ...listOf(data.items).map((one) => one.variable_selector)];
  return targets.some((one) => Array.isArray(one) && one[0] === holder && one[1] === name);
}
