import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { JsonObject } from "../../engine/json.ts";
import { assemble, type Assembled } from "../flow/assemble.ts";
import type { Bench } from "../flow/bench.ts";
import type { FlowNode } from "../flow/flow-graph.ts";
import { placeholder, type Made } from "../flow/made.ts";
import * as asking from "./ask-nodes.ts";
import * as flow from "./flow-nodes.ts";
import { type DifyApp, listOf, objectOf, readDify, textOf } from "./read-dify.ts";
import { DifyWork } from "./references.ts";
import { httpRequest, toolNode } from "./request.ts";

/** Mappers by Dify's types, of all versions. */
const mappers: Readonly<Record<string, (work: DifyWork) => Made>> = {
  start: flow.start,
  answer: flow.answer,
  end: flow.end,
  llm: asking.llm,
  agent: asking.agent,
  "chat-app": asking.chatApp,
  "completion-app": asking.chatApp,
  "question-classifier": asking.questionClassifier,
  "parameter-extractor": asking.parameterExtractor,
  "template-transform": flow.templateTransform,
  code: flow.code,
  "if-else": flow.ifElse,
  "http-request": httpRequest,
  tool: toolNode,
  "variable-aggregator": flow.aggregator,
  "variable-assigner": flow.aggregator,
  assigner: flow.assigner,
  iteration: flow.iteration,
  loop: flow.loop,
  "iteration-start": flow.loopStart,
  "loop-start": flow.loopStart,
  "iteration-result": flow.loopResult,
  "loop-end": flow.loopEnd,
  "knowledge-retrieval": flow.knowledgeRetrieval,
  "list-operator": flow.listOperator,
  "document-extractor": flow.documentExtractor,
  note: flow.note,
  "human-input": flow.humanInput,
};

const instead: Readonly<Record<string, string>> = {
  "trigger-webhook": "Start the workflow by a webhook trigger.",
  "trigger-schedule": "Start the workflow by a schedule trigger.",
};

function map(node: FlowNode, bench: Bench, app: DifyApp): Made {
  const mapper = Object.hasOwn(mappers, node.type) ? mappers[node.type] : undefined;
  if (!mapper) {
    const known = Object.hasOwn(instead, node.type) ? instead[node.type] : undefined;
    return placeholder(
      node.type,
      node.data,
      known ?? "Nothing here does the same. Use an HTTP request or a code node.",
    );
  }
  const work = new DifyWork(node, bench, app);
  return withErrors(mapper(work), work);
}

/** Steps that can fail and go on. */
const failing = new Set(["llm", "agent", "http-request", "code", "tool"]);

/** What a node does when it fails: try again, give a value, or go a way of its own. */
function withErrors(made: Made, { node }: DifyWork): Made {
  const { step } = made;
  const strategy = textOf(node.data.error_strategy);
  if (!step || step.type.startsWith("placeholder") || !failing.has(node.type)) return made;
  const retry = objectOf(node.data.retry_config);
  const times = retry.retry_enabled === true ? Math.min(5, Math.max(0, Math.round(Number(retry.max_retries) || 0))) : 0;
  const config: JsonObject = {
    ...step.config,
    ...(times > 0 && step.type === "ai-agent" ? { onError: "retry", retries: times } : {}),
    ...(times > 0 && step.type === "http-request" ? { retries: times } : {}),
  };
  if (strategy === "") return { ...made, step: { ...step, config } };
  if (strategy === "default-value") {
    const usual = listOf(node.data.default_value).map((one) => [textOf(one.key), one.value ?? null]);
    const note = `When it fails, its output is { error }; it was ${JSON.stringify(Object.fromEntries(usual)).slice(0, 300)}.`;
    return {
      ...made,
      step: { ...step, config: { ...config, onError: "continue" } },
      settings: [...(made.settings ?? []), { name: "error_strategy", outcome: "approximated", note }],
    };
  }
  const condition = "{{!isNothing(maybe(json.error))}}";
  return {
    ...made,
    step: { ...step, config: { ...config, onError: "continue" } },
    behind: [{ type: "if", title: `${node.name} failed?`, config: { condition } }],
    output: (handle) => [handle === "fail-branch" ? "true" : "false", 1],
  };
}

const featureWords: Readonly<Record<string, string>> = {
  opening_statement: "An opening message is not shown; example questions are.",
  speech_to_text: "The chat takes text, pictures and files.",
  text_to_speech: "Answers are text.",
  sensitive_word_avoidance: "Put a guardrails node in front of the agent, with the words to block.",
  suggested_questions_after_answer: "The model suggests no further questions.",
};

/** Imports one Dify app. Nothing is run or asked for. Never throws on what a file may hold. */
export function importDify(source: JsonObject, registry: NodeRegistry, id: string): Assembled {
  const app = readDify(source);
  const made = assemble(app.graph, (node, bench) => map(node, bench, app), { registry, id });
  if (!made.ok) return made;
  const { entries } = made.report;
  const setting = (sourceType: string, note: string) =>
    entries.push({
      about: "setting",
      node: app.graph.name,
      sourceType,
      targetType: null,
      outcome: "approximated",
      note,
    });
  for (const [name, words] of Object.entries(featureWords)) {
    const value = app.features[name];
    const isOn = typeof value === "string" ? value.trim() !== "" : objectOf(value).enabled === true;
    if (isOn) setting(name, words);
  }
  for (const name of app.secrets) {
    entries.push({
      about: "credential",
      node: app.graph.name,
      sourceType: name,
      targetType: null,
      outcome: "needsCredential",
      note: "A secret environment variable does not come along: keep its value in a credential.",
    });
  }
  return made;
}
