import { pathAt } from "../../engine/template/path-at.ts";
import type { Alias, Names } from "../expressions/members.ts";
import type { ItemNames } from "./item-names.ts";
import type { N8nEdge } from "./read-n8n.ts";

/** What is known of a node's output while the nodes before it are read. */
export interface Source {
  slug: string;
  type: string;
  /** It waits for the answer of a person. */
  asks?: boolean;
}

const chat: readonly Alias[] = [{ from: ["chatInput"], to: ["message"] }];
const agents: readonly Alias[] = [
  { from: ["output"], to: ["response"] },
  { from: ["text"], to: ["response"] },
];
const messages: readonly Alias[] = [
  ...agents,
  { from: ["content"], to: ["response"] },
  { from: ["message", "content"], to: ["response"] },
  { from: ["choices", 0, "message", "content"], to: ["response"] },
  { from: ["content", 0, "text"], to: ["response"] },
  { from: ["output", 0, "content", 0, "text"], to: ["response"] },
  { from: ["output", 0, "content"], to: ["response"] },
  { from: ["candidates", 0, "content", "parts", 0, "text"], to: ["response"] },
  { from: ["content", "parts", 0, "text"], to: ["response"] },
];

const checked: readonly Alias[] = [{ from: ["guardrailsInput"], to: ["text"] }];
const answers: readonly Alias[] = [{ from: ["data", "approved"], to: ["approval", "approved"] }];

const agentTypes = new Set([
  "agent",
  "chainLlm",
  "chainSummarization",
  "chainRetrievalQa",
  "informationExtractor",
  "openAiAssistant",
  "agentTool",
]);
const messageTypes = new Set(["openAi", "anthropic", "googleGemini", "ollama", "mistralAi", "perplexity"]);
/** Their output here is their own; n8n hands the input on. */
const replaced = new Set(["respondToWebhook", "textClassifier", "sentimentAnalysis"]);
const passing = new Set([
  "if",
  "filter",
  "switch",
  "merge",
  "noOp",
  "wait",
  "limit",
  "removeDuplicates",
  "sort",
  "splitInBatches",
]);

function aliasesOf({ type, asks }: Pick<Source, "type" | "asks">): readonly Alias[] {
  if (asks) return answers;
  if (type === "chatTrigger" || type === "manualChatTrigger") return chat;
  if (type === "guardrails") return checked;
  if (agentTypes.has(type)) return agents;
  return messageTypes.has(type) ? messages : [];
}

/** Whether what a trigger gives here is a request, whose body n8n's trigger gave as it is. */
function isRequest(type: string): boolean {
  return (
    type.endsWith("Trigger") &&
    ![
      "chatTrigger",
      "manualTrigger",
      "manualChatTrigger",
      "scheduleTrigger",
      "executeWorkflowTrigger",
      "formTrigger",
      "errorTrigger",
    ].includes(type)
  );
}

/** Names for the expressions of one node: other nodes' slugs, and where its own input comes from. */
export function namesFor(
  name: string,
  sources: ReadonlyMap<string, Source>,
  edges: readonly N8nEdge[],
  items: ItemNames,
): Names {
  const before = (of: string) => edges.filter(({ to, kind }) => to === of && kind === "main").map(({ from }) => from);
  const origin = (of: string, seen: Set<string> = new Set()): string[] => {
    if (seen.has(of)) return [];
    seen.add(of);
    return before(of).flatMap((one) => {
      const type = sources.get(one)?.type ?? "";
      return passing.has(type) || replaced.has(type) ? origin(one, seen) : [one];
    });
  };
  const consumers = new Set([name]);
  for (const edge of edges) if (edge.from === name && edge.kind !== "main") consumers.add(edge.to);
  const nothing = { type: "" };
  const origins = [...new Set([...consumers].flatMap((one) => origin(one)))].map((one) => sources.get(one) ?? nothing);
  const [only] = before(name);
  const past =
    before(name).length === 1 && only !== undefined && replaced.has(sources.get(only)?.type ?? "")
      ? before(only)[0]
      : undefined;
  const pastSlug = past === undefined ? undefined : sources.get(past)?.slug;
  return {
    ...(pastSlug === undefined ? {} : { input: pathAt("nodes", {}, [pastSlug]) }),
    node: (other) => {
      const slug = sources.get(other)?.slug;
      return slug === undefined ? undefined : pathAt("nodes", {}, [slug]);
    },
    item: (other) => items.item([...consumers], other),
    isList: (other) => items.isList(other),
    aliases: (other) => (other === "" ? origins : [sources.get(other) ?? nothing]).flatMap(aliasesOf),
    inside: (other) =>
      (other === "" ? origins : [sources.get(other) ?? nothing]).some(({ type }) => isRequest(type))
        ? "body"
        : undefined,
  };
}
