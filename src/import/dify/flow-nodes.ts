import { concat } from "../expressions/concat.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { isFunctionBody } from "../n8n/code-shims.ts";
import { firstOf, literal, optionalPath, outputOf, plainText } from "../flow/bench.ts";
import { combined, comparison, countsAsFalse, fixed, type Operand } from "../flow/comparisons.ts";
import { type FlowNode, nodesBefore } from "../flow/flow-graph.ts";
import { placeholder, type Made } from "../flow/made.ts";
import { searchStep } from "../flow/plain-tools.ts";
import { firstThatHolds } from "../flow/ways.ts";
import { plainJinja } from "./ask-nodes.ts";
import { isPlainJinja, renderJinja } from "./jinja.ts";
import { untraced } from "../parameters.ts";
import { listOf, objectOf, textOf } from "./read-dify.ts";
import type { DifyWork } from "./references.ts";

const set = (fields: JsonObject, keepInput = false): Made => ({
  step: { type: "set-fields", config: { fields, keepInput } },
});

export function start(work: DifyWork): Made {
  const variables = listOf(work.node.data.variables);
  const names = variables.map((one) => textOf(one.variable)).filter((one) => one !== "");
  if (work.app.mode === "workflow") {
    const usual = variables.map((one) => [textOf(one.variable), one.default ?? usualOf(textOf(one.type))]);
    return { step: { type: "manual-trigger", config: { input: Object.fromEntries(usual) as JsonObject } } };
  }
  const questions = (Array.isArray(work.app.features.suggested_questions) ? work.app.features.suggested_questions : [])
    .flatMap((one) => (typeof one === "string" && one.trim() !== "" ? [one.trim().slice(0, 300)] : []))
    .slice(0, 4);
  return {
    step: { type: "chat-trigger", config: { questions } },
    ...(names.length > 0
      ? {
          outcome: "approximated",
          note: `A chat asks for no fields first: ${names.join(", ")} have to come with the message, or are empty.`,
        }
      : {}),
  };
}

const usualOf = (type: string): Json => (type === "number" ? 0 : type.startsWith("file") ? [] : "");

/** An answer shows what was answered before it on the way, too. */
export function answer(work: DifyWork): Made {
  const text = work.text(work.node.data.answer);
  const before = nodesBefore(work.bench.graph, work.node.id).filter(({ type }) => type === "answer");
  // The nearest ones hold what stood before them.
  const far = new Set(before.flatMap(({ id }) => nodesBefore(work.bench.graph, id).map((one) => one.id)));
  const near = before.filter(({ id }) => !far.has(id));
  const earlier = near.map(
    ({ id }) => `{{${optionalPath("nodes", [work.bench.names.get(id)?.slug ?? "", "response"])}.orValue(null)}}`,
  );
  return set({ response: [...earlier, text].join("\n\n").trim() });
}

export function end(work: DifyWork): Made {
  const outputs = listOf(work.node.data.outputs).filter((one) => textOf(one.variable) !== "");
  return set(Object.fromEntries(outputs.map((one) => [textOf(one.variable), work.template(one.value_selector)])));
}

export function templateTransform(work: DifyWork): Made {
  const { data } = work.node;
  const template = textOf(data.template);
  const variables = listOf(data.variables);
  if (isPlainJinja(template)) return set({ output: plainJinja(work, template, variables) });
  const rendered = renderJinja(template);
  if (!rendered.ok) {
    const why = `Its Jinja template uses ${rendered.reason}. Write it as a template or a code node; the source is kept.`;
    return placeholder("template-transform", data, why);
  }
  const values = Object.fromEntries(variables.map((one) => [textOf(one.variable), work.template(one.value_selector)]));
  return {
    step: { type: "code", config: { code: rendered.code, inputs: { values } } },
    note: "The Jinja template became code.",
  };
}

export function code(work: DifyWork): Made {
  const { data } = work.node;
  const source = textOf(data.code);
  const variables = listOf(data.variables).filter((one) => /^[A-Za-z_$][\w$]*$/.test(textOf(one.variable)));
  if (!/^(javascript|js|nodejs)/i.test(textOf(data.code_language, "python3"))) {
    return placeholder("code (Python)", data, "Was Python: write it in JavaScript in a code node. The source is kept.");
  }
  const names = variables.map((one) => textOf(one.variable));
  const valid = isFunctionBody(source) && /\bmain\b/.test(source);
  return {
    step: {
      type: "code",
      config: {
        code: `${source}\nreturn main({ ${names.join(", ")} });`,
        inputs: Object.fromEntries(variables.map((one) => [textOf(one.variable), work.template(one.value_selector)])),
      },
    },
    ...(valid ? {} : { outcome: "approximated", note: "The code cannot be read and will fail." }),
  };
}

/** One of Dify's comparisons: nothing is neither a value nor another one. One that is not known counts as false. */
function compared(given: Operand, operator: string, wanted: Operand, odd: Set<string>): string {
  const code = comparison(given, operator, wanted);
  if (code === undefined) odd.add(operator);
  return code !== undefined && /^(?:is not|≠|!=)$/.test(operator)
    ? `(!isNothing(${given.code}) && ${code})`
    : (code ?? "false");
}

/** Conditions of one case as CEL, and the operators that are not known. */
function conditionsOf(work: DifyWork, raw: JsonObject, odd: Set<string>): string {
  const parts = listOf(raw.conditions).map((one) => {
    const operator = textOf(one.comparison_operator, "is");
    if (isRead(one)) return compared(left(work, one), operator, right(work, one), odd);
    odd.add(operator);
    return "false";
  });
  return combined(parts, textOf(raw.logical_operator, "and") === "or");
}

/** Conditions within files are not read. */
const isRead = (one: JsonObject) => listOf(objectOf(one.sub_variable_condition).conditions).length === 0;

const left = (work: DifyWork, one: JsonObject): Operand => ({ code: work.value(one.variable_selector) });

function right(work: DifyWork, one: JsonObject): Operand {
  const { value } = one;
  if (typeof value === "number" || typeof value === "boolean") return fixed(value);
  if (Array.isArray(value)) {
    const isSelector = one.numberVarType === "variable";
    return isSelector ? { code: work.value(value) } : { code: literal(value) };
  }
  const text = textOf(value);
  const whole = /^\{\{#([\w.\-:]+)#\}\}$/.exec(text.trim());
  if (whole) return { code: work.value((whole[1] ?? "").split(".")) };
  if (!text.includes("{{#")) return fixed(one.varType === "number" && text !== "" ? Number(text) : text);
  const parts = text.split(/\{\{#([\w.\-:]+)#\}\}/);
  const pieces = parts.map((part, index) => (index % 2 === 0 ? literal(part) : work.value(part.split("."))));
  return { code: concat(pieces) };
}

export function ifElse(work: DifyWork): Made {
  const { data, name } = work.node;
  const given = listOf(data.cases);
  const cases = given.length > 0 ? given : [{ ...data, case_id: "true" }];
  const odd = new Set<string>();
  const tests = cases.map((one) => conditionsOf(work, one, odd));
  const told = countsAsFalse(odd);
  const idOf = (one: JsonObject | undefined, index: number) =>
    textOf(one?.case_id) || textOf(one?.id) || (index === 0 ? "true" : "");
  if (cases.length === 1) {
    const id = idOf(cases[0], 0);
    return {
      step: { type: "if", config: { condition: `{{${tests[0] ?? "false"}}}` } },
      output: (handle) => (handle === id || handle === "true" ? "true" : "false"),
      ...told,
    };
  }
  const wayOf = (handle: string) => cases.findIndex((one, index) => idOf(one, index) === handle);
  return { ...firstThatHolds(name, tests, wayOf), ...told };
}

export function aggregator(work: DifyWork): Made {
  const { data } = work.node;
  const settings = objectOf(data.advanced_settings);
  const first = (list: Json | undefined) =>
    `{{${firstOf((Array.isArray(list) ? list : []).map((selector) => work.value(selector)))}}}`;
  if (settings.group_enabled !== true) return set({ output: first(data.variables) });
  const groups = listOf(settings.groups).map((one) => [textOf(one.group_name), { output: first(one.variables) }]);
  return set(Object.fromEntries(groups) as JsonObject);
}

/** Writes variables of the conversation; here they last for the run. */
export function assigner(work: DifyWork): Made {
  const { data } = work.node;
  const old = data.assigned_variable_selector
    ? [{ variable_selector: data.assigned_variable_selector, value: data.input_variable_selector ?? null, ...data }]
    : [];
  const fields: JsonObject = {};
  const odd = new Set<string>();
  for (const one of [...listOf(data.items), ...old] as JsonObject[]) {
    const selector = Array.isArray(one.variable_selector) ? one.variable_selector : [];
    const name = textOf(selector[1]);
    if (name === "") continue;
    fields[name] = `{{${assigned(work, one, selector, odd)}}}`;
  }
  const loops = listOf(data.items).every(
    ({ variable_selector: one }) => Array.isArray(one) && one[0] !== "conversation",
  );
  if (loops && odd.size === 0) return set(fields);
  return {
    ...set(fields),
    outcome: "approximated",
    note: [
      "Keeps the values for the rest of this run only: an agent's memory or scratchpad keeps things for a conversation.",
      ...(odd.size > 0 ? [`Takes the value as it is instead of “${[...odd].join(", ")}”.`] : []),
    ].join(" "),
  };
}

function assigned(work: DifyWork, one: JsonObject, selector: Json[], odd: Set<string>): string {
  const operation = textOf(one.operation) || textOf(one.write_mode, "over-write");
  const value = () =>
    Array.isArray(one.value) && (one.input_type === "variable" || one.assigned_variable_selector !== undefined)
      ? work.value(one.value)
      : literal(one.value ?? null);
  const now = () => work.value(selector);
  switch (operation) {
    case "over-write":
    case "set":
      return value();
    case "clear":
      return literal(work.app.conversation[textOf(selector[1])] === undefined ? null : "");
    case "append":
      return `append(items(${now()}), [${value()}])`;
    case "extend":
      return `append(items(${now()}), items(${value()}))`;
    case "+=":
      return `plus(${now()}, ${value()})`;
    case "-=":
      return `(number(${now()}) - number(${value()}))`;
    case "*=":
      return `(number(${now()}) * number(${value()}))`;
    case "/=":
      return `(number(${now()}) / number(${value()}))`;
    case "remove-first":
      return `slice(items(${now()}), 1)`;
    case "remove-last":
      return `slice(items(${now()}), 0, -1)`;
    default:
      odd.add(operation);
      return value();
  }
}

export function iteration(work: DifyWork): Made {
  const { data } = work.node;
  const list = work.value(data.iterator_selector);
  const parallel = data.is_parallel === true ? Math.min(50, Math.max(1, Number(data.parallel_nums) || 4)) : 1;
  const onError = textOf(data.error_handle_mode, "terminated");
  return {
    step: {
      type: "for-each",
      config: {
        items: `{{indexed(items(${list}))}}`,
        concurrency: parallel,
        onItemError: onError === "terminated" ? "fail" : "continue",
      },
    },
    output: (handle) => (handle === "item" ? "main" : "done"),
    ...(onError === "remove-abnormal-output"
      ? { outcome: "approximated", note: "An item that fails leaves an empty result instead of none." }
      : {}),
  };
}

/** Variables that a loop hands from turn to turn, by name. */
const variablesOf = (loop: FlowNode | undefined): JsonObject[] =>
  loop?.type === "loop" ? listOf(loop.data.loop_variables).filter(({ label }) => textOf(label) !== "") : [];

/** Whether a loop looks whether to go on, is left early, or hands values from turn to turn. */
function isHandingOn(loop: FlowNode, nodes: readonly FlowNode[]): boolean {
  const left = nodes.some(({ type, parent }) => type === "loop-end" && parent === loop.id);
  return left || listOf(loop.data.break_conditions).length > 0 || variablesOf(loop).length > 0;
}

/** A loop that runs a set number of times, or until its conditions hold, with variables that go from turn to turn. */
export function loop(work: DifyWork): Made {
  const { node, bench } = work;
  const count = Math.min(1_000, Math.max(1, Math.round(Number(node.data.loop_count) || 10)));
  const output = (handle: string) => (handle === "item" ? "main" : "done");
  if (!isHandingOn(node, bench.graph.nodes)) {
    return {
      step: { type: "for-each", config: { items: `{{indexed(range(0, ${count}))}}`, concurrency: 1 } },
      output,
    };
  }
  const first = variablesOf(node).map(({ label, value, value_type: type }) => [
    textOf(label),
    type === "variable" ? work.template(value) : typedValue(value ?? null),
  ]);
  return {
    before: [
      {
        type: "set-fields",
        title: `Start of ${node.name}`,
        config: { fields: Object.fromEntries(first) as JsonObject, keepInput: false },
      },
    ],
    step: { type: "repeat", config: { until: "{{truthy(json.?stop)}}", mostTurns: count } },
    output,
  };
}

/** A first value as written: braces in a text are no template. */
const typedValue = (value: Json): Json => (typeof value === "string" ? plainText(value) : value);

/** The first node of a loop: hands out the item and its number, or what the turn before has left. */
export function loopStart({ node, bench }: DifyWork): Made {
  const around = bench.nodes.get(node.parent ?? "");
  if (around?.type === "loop" && isHandingOn(around, bench.graph.nodes)) {
    const names = variablesOf(around).map(({ label }) => textOf(label));
    return set(Object.fromEntries(names.map((name) => [name, `{{${optionalPath("json", [name])}.orValue(null)}}`])));
  }
  return set({ item: "{{json.?item.orValue(null)}}", index: "{{json.?index.orValue(null)}}" });
}

/** Where a loop is left early; its last node looks whether the way led here. */
export const loopEnd = (): Made => set({ ended: true });

/** The last node of a turn: the variables as they are now, and whether the loop ends. */
function turnResult(work: DifyWork, around: FlowNode): Made {
  const { graph } = work.bench;
  const odd = new Set<string>();
  const { break_conditions: conditions = [], logical_operator: operator = "and" } = around.data;
  const tests =
    listOf(conditions).length === 0 ? [] : [conditionsOf(work, { conditions, logical_operator: operator }, odd)];
  const ends = graph.nodes.filter(({ type, parent }) => type === "loop-end" && parent === around.id);
  for (const { id } of ends) {
    const read = outputOf(work.bench, id, ["ended"]);
    if (read) tests.push(`truthy(${read.code})`);
  }
  const names = variablesOf(around).map(({ label }) => textOf(label));
  const fields = names.map((name) => [name, work.template([around.id, name])]);
  return {
    ...set({ ...Object.fromEntries(fields), stop: `{{${tests.length === 0 ? "false" : combined(tests, true)}}}` }),
    ...(odd.size > 0
      ? { outcome: "approximated", note: `Counts as false: ${[...odd].join(", ")}. Write the condition anew.` }
      : {}),
  };
}

/** The last node of a loop: what the loop's output is made of. */
export function loopResult(work: DifyWork): Made {
  const around = work.bench.nodes.get(work.node.parent ?? "");
  if (around?.type === "loop" && isHandingOn(around, work.bench.graph.nodes)) return turnResult(work, around);
  const selector = work.node.data.output_selector;
  const output = Array.isArray(selector) && selector.length > 1 ? work.template(selector) : "{{json}}";
  return set({ output });
}

/** A search of a collection; where a prompt reads its passages, the agent of that prompt searches by a tool instead. */
export function knowledgeRetrieval(work: DifyWork): Made {
  const asking = work.bench.graph.nodes.some(
    ({ type, data }) => type === "llm" && JSON.stringify(untraced(data)).includes(work.node.id),
  );
  const words = "Make a collection on the Knowledge page, add the documents again, and choose it";
  if (asking) {
    return {
      ...set({ result: [] }, true),
      outcome: "approximated",
      note: `Became a tool with which the agent behind it searches. ${words} in the tool.`,
    };
  }
  const top = objectOf(work.node.data.multiple_retrieval_config).top_k;
  const query = work.template(work.node.data.query_variable_selector);
  const found =
    "json.results.map(one, {'content': one.content, 'title': one.metadata.document, 'metadata': one.metadata})";
  return {
    before: [searchStep(`${work.node.name} search`, query, typeof top === "number" ? top : undefined)],
    ...set({ result: `{{${found}}}` }),
    outcome: "approximated",
    note: `${words}.`,
  };
}

export function listOperator(work: DifyWork): Made {
  const { data } = work.node;
  const filter = objectOf(data.filter_by);
  const order = objectOf(data.order_by);
  const limit = objectOf(data.limit);
  const extract = objectOf(data.extract_by);
  const tests = filter.enabled === true ? listOf(filter.conditions) : [];
  const odd = new Set<string>();
  const conditions = tests.map((one) => {
    const key = textOf(one.key);
    const item: Operand = { code: key === "" ? "item" : `get(item, ${literal(key)})` };
    return compared(item, textOf(one.comparison_operator, "contains"), right(work, one), odd);
  });
  let list = `items(${work.value(data.variable)})`;
  if (conditions.length > 0) list = `${list}.filter(item, ${combined(conditions, false)})`;
  if (order.enabled === true)
    list = `sortBy(${list}, ${literal(textOf(order.key))}, ${literal(textOf(order.value, "asc"))})`;
  if (extract.enabled === true) list = `compact([at(${list}, ${Math.round(Number(extract.serial) || 1) - 1})])`;
  if (limit.enabled === true) list = `slice(${list}, 0, ${Math.max(1, Math.round(Number(limit.size) || 10))})`;
  return {
    ...set({ result: `{{${list}}}`, first_record: `{{first(${list})}}`, last_record: `{{last(${list})}}` }),
    ...countsAsFalse(odd),
  };
}

/** Text of a file: models read the files of a chat themselves. */
export function documentExtractor(work: DifyWork): Made {
  return {
    ...set({ text: `{{toJson(${work.value(work.node.data.variable_selector)})}}` }),
    outcome: "approximated",
    note: "Files reach the agent with the chat message, and the model reads them; put larger ones into a collection on the Knowledge page.",
  };
}

export function note(work: DifyWork): Made {
  const { data } = work.node;
  const size = (value: Json | undefined, usual: number) => Math.min(20_000, Math.max(120, Number(value) || usual));
  const tint = { blue: "blue", cyan: "blue", green: "green", yellow: "yellow", pink: "red", violet: "grey" }[
    textOf(data.theme)
  ];
  return {
    step: {
      type: "sticky-note",
      config: {
        text: noteText(textOf(data.text)).slice(0, 10_000),
        tint: tint ?? "yellow",
        width: size(data.width, 240),
        height: size(data.height, 160),
      },
    },
    input: () => undefined,
    output: () => undefined,
  };
}

/** The words of a note, which is stored as the state of an editor. */
function noteText(raw: string): string {
  try {
    const lines: string[] = [];
    const walk = (value: unknown, depth: number): string => {
      if (typeof value !== "object" || value === null || depth > 40) return "";
      const { text, children, type } = value as { text?: unknown; children?: unknown; type?: unknown };
      const inner = Array.isArray(children) ? children.map((one) => walk(one, depth + 1)).join("") : "";
      const words = `${typeof text === "string" ? text : ""}${inner}`;
      if (type === "paragraph" || type === "heading" || type === "listitem") lines.push(words);
      return type === "paragraph" || type === "heading" || type === "listitem" ? "" : words;
    };
    const rest = walk((JSON.parse(raw) as { root?: unknown }).root, 0);
    return [...lines, rest].join("\n").trim();
  } catch {
    return raw;
  }
}

const agreeing = /approv|accept|agree|allow|confirm|continue|proceed|submit|^(?:yes|ok)$/i;

/** A question with two answers at most, and nothing to fill in, is an approval; a form has no counterpart in a flow. */
export function humanInput(work: DifyWork): Made {
  const { data } = work.node;
  const actions = listOf(data.user_actions).map((one) => ({ id: textOf(one.id), title: textOf(one.title) }));
  const message = work.text(data.form_content).slice(0, 5_000);
  if (listOf(data.inputs).length > 0 || actions.length > 2 || message === "") {
    const words =
      "A form that a person fills in during a run: ask for the values in the chat, or let an agent call an MCP tool that asks.";
    return { ...placeholder("human-input", data, words), output: () => "main" };
  }
  const yes = actions.find(({ id, title }) => agreeing.test(id) || agreeing.test(title)) ?? actions[0];
  return {
    step: { type: "approval", config: { message } },
    output: (handle) => (handle === "" || handle === "source" || handle === yes?.id ? "approved" : "declined"),
    outcome: "approximated",
    note: `“${yes?.title ?? "Approve"}” is the approval here, anything else and no answer in time the no. It is asked in the inbox and on the canvas.`,
  };
}
