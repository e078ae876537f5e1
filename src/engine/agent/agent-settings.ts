import { z } from "zod/mini";
import { field } from "../config/field.ts";
import { jsonValue } from "../config/json-value.ts";
import { jsonSchemaValue } from "../config/schema-problem.ts";

/** Everything but what the agent is told and asked, and what its answer looks like. */
export const advanced = "Advanced";

const toggle = (label: string, help: string, heading: string) =>
  field(z._default(z.boolean(), false), { label, help, section: advanced, heading });

const instructions = {
  systemPrompt: field(z._default(z.string().check(z.maxLength(200_000)), "You are a helpful AI assistant."), {
    label: "System prompt",
    help: "The agent's role, rules and tone. Sent before every conversation, and never stored in the memory.",
    control: "textarea",
    template: "text",
  }),
  userMessage: field(z._default(z.string().check(z.maxLength(1_000_000)), "{{json.message}}"), {
    label: "User message",
    help: "What the agent is asked. Unchanged: the message that came in, or the answer of the agent before it.",
    control: "textarea",
    template: "text",
    defaultFallback: "{{json.response}}",
    required: true,
  }),
};

const files = {
  files: field(z._default(jsonValue(), "{{json}}"), {
    label: "Files",
    help: "Files that the model is given with the message: pictures, PDFs and recordings where it takes them, otherwise their text. Data that holds files is enough, such as {{json}}.",
    section: advanced,
    heading: "Files",
    control: "text",
    template: "value",
  }),
};

const loop = {
  maxIterations: field(z._default(z.int().check(z.minimum(1), z.maximum(50)), 10), {
    label: "Iteration limit",
    help: "How many iterations the agent may take before it has to answer: each is one model call with its tool calls.",
    section: advanced,
    heading: "Loop",
  }),
  onIterationLimit: field(z._default(z.enum(["answer", "stop"]), "answer"), {
    label: "At the iteration limit",
    help: "Answer: one last model call without tools. Stop: returns the text so far.",
    section: advanced,
    heading: "Loop",
  }),
  timeoutMs: field(z._default(z.int().check(z.minimum(1), z.maximum(3_600_000)), 300_000), {
    label: "Time limit (ms)",
    help: "How long the agent may take in all. Waiting for an approval does not count.",
    section: advanced,
    heading: "Loop",
  }),
  onError: field(z._default(z.enum(["fail", "continue", "retry"]), "fail"), {
    label: "When it fails",
    help: "Fail: the run ends. Continue: the run goes on, and the next node gets { error }. Retry: tries again and keeps the conversation so far.",
    section: advanced,
    heading: "Loop",
  }),
  retries: field(z._default(z.int().check(z.minimum(0), z.maximum(5)), 3), {
    label: "Retries",
    help: "How often to try again, waiting longer each time.",
    section: advanced,
    heading: "Loop",
    visibleWhen: { field: "onError", in: ["retry"] },
  }),
};

const tools = {
  toolChoice: field(z._default(z.enum(["auto", "required", "none"]), "auto"), {
    label: "Tool choice",
    help: "Auto: the model decides. Required: it has to call a tool first. None: it may not call any.",
    section: advanced,
    heading: "Tools",
  }),
  toolConcurrency: field(z._default(z.int().check(z.minimum(1), z.maximum(16)), 4), {
    label: "Tool calls at once",
    help: "How many tools may run at the same time when the model asks for several.",
    section: advanced,
    heading: "Tools",
  }),
  repeatedCallLimit: field(z._default(z.int().check(z.minimum(1), z.maximum(100)), 3), {
    label: "Repeated call limit",
    help: "When the same call gives the same result this often, the model is told. At twice as many, the agent stops.",
    section: advanced,
    heading: "Tools",
  }),
  toolSearch: field(z._default(z.enum(["above", "always", "never"]), "above"), {
    label: "Tool search",
    help: "With many tools, each request carries those that fit the question and a search for the others, which saves tokens. Above: with more tools than the number below.",
    section: advanced,
    heading: "Tools",
  }),
  toolSearchAbove: field(z._default(z.int().check(z.minimum(0), z.maximum(10_000)), 20), {
    label: "Search above … tools",
    help: "Up to this many tools, every request carries all of them.",
    section: advanced,
    heading: "Tools",
    visibleWhen: { field: "toolSearch", in: ["above"] },
  }),
  extractValues: toggle(
    "Extract values",
    "Lets the agent have short values, such as an account or an amount, read out of a tool's result by a request without tools. You confirm them once, and calls with them do not ask.",
    "Tools",
  ),
};

const output = {
  outputFormat: field(z._default(z.enum(["text", "json", "full"]), "text"), {
    label: "Output format",
    help: "Text: the answer as written. JSON: data in a shape that you set. Full: also tool calls, plan and reflections.",
  }),
  outputSchema: field(z._default(z.nullable(jsonSchemaValue()), null), {
    label: "JSON Schema",
    help: "The shape of the answer. If it does not fit, the model gets one chance to correct it.",
    control: "json-schema",
    visibleWhen: { field: "outputFormat", in: ["json"] },
  }),
  returnIntermediateSteps: toggle("Return the steps", "Adds every step the agent took to its output.", "Output"),
};

const context = {
  compaction: field(z._default(z.boolean(), true), {
    label: "Compact long runs",
    help: "Before a request gets too long for the model, the model summarizes the oldest steps of the run. The agent can still search the originals.",
    section: advanced,
    heading: "Context",
  }),
  compactAbove: field(z._default(z.nullable(z.int().check(z.minimum(1_000), z.maximum(10_000_000))), null), {
    label: "Compact above (tokens)",
    help: "Empty: 60 % of the model's context window, if it is known.",
    placeholder: "60 % of the window",
    section: advanced,
    heading: "Context",
    visibleWhen: { field: "compaction", in: [true] },
  }),
};

/** The names of the tools by which a model uses its scratchpad. */
export const scratchpadTools = { remember: "remember", recall: "recall", forget: "forget" } as const;

const memory = {
  sessionId: field(z._default(z.string().check(z.maxLength(1_000)), ""), {
    label: "Session",
    help: "Which conversation to continue. Empty: the one that the memory node names.",
    section: advanced,
    heading: "Memory",
    template: "text",
    identity: true,
  }),
  rememberToolCalls: field(z._default(z.enum(["none", "compact", "full"]), "compact"), {
    label: "Remember tool calls",
    help: "What later messages can see of them. Compact: name, arguments and the first 500 characters of the result. Full: everything.",
    section: advanced,
    heading: "Memory",
  }),
  scratchpad: toggle(
    "Scratchpad",
    "Lets the model keep notes during a conversation, with the tools remember, recall and forget.",
    "Memory",
  ),
};

const budget = {
  maxTotalTokens: field(z._default(z.nullable(z.int().check(z.minimum(1), z.maximum(1_000_000_000))), null), {
    label: "Token budget",
    help: "The agent stops once its model calls have used this many tokens. Empty: no limit.",
    placeholder: "no limit",
    section: advanced,
    heading: "Budget",
  }),
  maxCostUsd: field(z._default(z.nullable(z.number().check(z.gt(0), z.maximum(1_000_000))), null), {
    label: "Cost budget (US$)",
    help: "The agent stops once its model calls have cost this much. Empty: no limit.",
    placeholder: "no limit",
    section: advanced,
    heading: "Budget",
  }),
};

/** What a review asks when the user has written nothing else. */
export const defaultReflectionPrompt =
  "What have you found out so far, and which results can you trust? What is still missing? What is the best next step?";

const thinking = {
  planning: toggle("Plan first", "The model first writes a numbered plan, then follows it.", "Thinking"),
  reflection: toggle("Reflect", "From time to time, the model reviews what it has done and found.", "Thinking"),
  reflectionFrequency: field(z._default(z.nullable(z.int().check(z.minimum(1), z.maximum(50))), null), {
    label: "Reflect every … iterations",
    help: "How many iterations lie between two reviews. Empty: 3, or 1 with several rounds.",
    placeholder: "3, or 1 with several rounds",
    section: advanced,
    heading: "Thinking",
    visibleWhen: { field: "reflection", in: [true] },
  }),
  reflectionPrompt: field(z._default(z.string().check(z.maxLength(20_000)), defaultReflectionPrompt), {
    label: "Reflection prompt",
    help: "The question that a review answers.",
    control: "textarea",
    section: advanced,
    heading: "Thinking",
    visibleWhen: { field: "reflection", in: [true] },
  }),
  autoIterate: toggle(
    "Several rounds",
    "Lets the agent start over from its own answer, until the model says that it is done. Each round has its own iterations.",
    "Thinking",
  ),
  maxRounds: field(z._default(z.int().check(z.minimum(1), z.maximum(20)), 3), {
    label: "Round limit",
    help: "How many rounds there may be.",
    section: advanced,
    heading: "Thinking",
    visibleWhen: { field: "autoIterate", in: [true] },
  }),
};

/** Every setting of the agent loop, with default, bounds and words for the form. */
export const agentSettings = z.object({
  ...instructions,
  ...files,
  ...loop,
  ...tools,
  ...output,
  ...context,
  ...memory,
  ...budget,
  ...thinking,
});

/** How many iterations lie between two reviews; a round of auto-iteration often has only one. */
export function iterationsPerReview({
  reflectionFrequency,
  autoIterate,
}: Pick<AgentSettings, "reflectionFrequency" | "autoIterate">): number {
  return reflectionFrequency ?? (autoIterate ? 1 : 3);
}

/** Settings with templates resolved and values checked. Times in milliseconds, money in US dollars. */
export type AgentSettings = z.infer<typeof agentSettings>;
