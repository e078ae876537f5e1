import { describeFields } from "../../config/describe-fields.ts";
import type { FieldControl } from "../../config/field.ts";
import { fieldProblem } from "../../config/parse-config.ts";
import type { NodeRegistry } from "../../document/define-node.ts";
import type { NodeRecord, PrivacySettings, WorkflowDocument } from "../../document/workflow-document.ts";
import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { hasTemplate, splitTemplate } from "../../template/split-template.ts";
import { EventMask } from "./event-mask.ts";
import { maskAiCalls } from "./mask-expression.ts";

/** What these hold names something by its id. */
const naming: ReadonlySet<FieldControl> = new Set(["credential", "workflow", "collection", "model-name"]);

/**
 * The workflow as it is kept with a masked run: pinned outputs, the input typed into a trigger, variables, notes, prompts
 * and other settings without what the privacy settings name. Ids, names, connections and the privacy settings themselves
 * stay, and so do a setting that would no longer be valid (one of a list of choices) and what own patterns match inside
 * `{{ }}`, but for what an `ai(…)` there says to the model: the run can still be gone through and run on from. The document
 * handed in is not changed.
 */
export function maskDocument(
  document: WorkflowDocument,
  privacy: PrivacySettings,
  registry: NodeRegistry,
): WorkflowDocument {
  const mask = new EventMask(privacy);
  const inTemplates = new EventMask({ ...privacy, patterns: [] });
  const text = (value: string) =>
    atTemplates(value)
      .map((part, index) => (index % 2 === 0 ? mask.text(part) : maskTemplate(part)))
      .join("");
  const maskTemplate = (template: string) =>
    maskLiterals(`{{${maskAiCalls(template.slice(2, -2), (value) => mask.value(value))}}}`);
  const maskLiterals = (template: string) =>
    template.replace(
      /(["'])(.*?)\1/gs,
      (_, quote: string, literal: string) => quote + inTemplates.text(literal) + quote,
    );
  const nodes = Object.entries(document.nodes).map(([id, node]) => [id, maskNode(node)] as const);
  // What an import told about its file is nothing that a run needs.
  const { description, vars, importReport: _report, ...rest } = document;
  return {
    ...rest,
    nodes: Object.fromEntries(nodes),
    ...(description === undefined ? {} : { description: mask.text(description) }),
    ...(vars ? { vars: values(vars, (value) => mask.value(value)) } : {}),
  };

  function maskNode(node: NodeRecord): NodeRecord {
    const { notes, pin } = node;
    return {
      ...node,
      config: maskConfig(node),
      ...(notes === undefined ? {} : { notes: mask.text(notes) }),
      ...(pin ? { pin: { ...pin, output: mask.value(pin.output) } } : {}),
    };
  }

  function maskConfig({ type, config }: NodeRecord): JsonObject {
    const definition = Object.hasOwn(registry, type) ? registry[type] : undefined;
    if (!definition || definition.role === "trigger") return values(config, (value) => mask.value(value));
    const masked = values(config, (value) => deepText(value, text));
    for (const field of describeFields(definition.config)) {
      const { name, control } = field;
      const before = config[name];
      if (before === undefined) continue;
      const broken = fieldProblem(definition.config, field, masked) !== undefined;
      const wasBroken = fieldProblem(definition.config, field, config) !== undefined;
      if (naming.has(control) || (broken && !wasBroken)) masked[name] = before;
    }
    return masked;
  }
}

/** A text in pieces: the first, third and so on is plain, those between are a `{{ … }}`. */
function atTemplates(text: string): string[] {
  if (!hasTemplate(text)) return [text];
  try {
    const pieces = [""];
    for (const part of splitTemplate(text)) {
      if (part.kind === "expression") pieces.push(`{{${part.source}}}`, "");
      else pieces[pieces.length - 1] += part.text;
    }
    return pieces;
  } catch {
    return atBraces(text);
  }
}

/** The same of a text that is no good template. One pass, however many braces are not closed. */
function atBraces(text: string): string[] {
  const pieces: string[] = [];
  let rest = 0;
  for (let open = text.indexOf("{{"); open !== -1; open = text.indexOf("{{", rest)) {
    const close = text.indexOf("}}", open + 2);
    if (close === -1) break;
    pieces.push(text.slice(rest, open), text.slice(open, close + 2));
    rest = close + 2;
  }
  return [...pieces, text.slice(rest)];
}

function values<Value extends Json>(object: Record<string, Value>, change: (value: Value) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

/** Every text in a value changed; keys, which are the setting's own names, stay. */
function deepText(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((each) => deepText(each, change));
  return isJsonObject(value) ? values(value, (inner) => deepText(inner, change)) : value;
}
