import { guardrailsNode } from "./guardrails-node.ts";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import type { Made, Mappers } from "./made.ts";
import type { NodeWork } from "./node-work.ts";
import { toolName } from "../tool-name.ts";
import { parsed, schemaOf } from "./tool-parameters.ts";
import { vendorApis } from "./service-list.ts";
import { serviceRequest } from "./services.ts";

/** The ports of the agent by n8n's kinds of edges; a second model is the fallback. */
export function agentInput(kind: string, index: number): string | undefined {
  switch (kind) {
    case "main":
      return "main";
    case "ai_languageModel":
      return index === 0 ? "model" : "fallback";
    case "ai_memory":
      return "memory";
    case "ai_tool":
      return "tools";
    default:
      return undefined;
  }
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, Math.round(value)));

function agentErrors(work: NodeWork): JsonObject {
  const { node } = work;
  if (node.retries > 0) return { onError: "retry", retries: clamp(node.retries, 0, 5) };
  return node.onError === "continue" ? { onError: "continue" } : {};
}

/** What the agent is asked: the node's own prompt, or the message of the chat. */
function userMessage(work: NodeWork, prompt: Json | undefined): string {
  const isAuto =
    work.choice("promptType", ["auto", "define", "guardrails"], prompt === undefined ? "auto" : "define") === "auto" ||
    prompt === undefined ||
    prompt === "";
  const raw = isAuto ? "={{ $json.chatInput }}" : prompt;
  if (typeof raw === "string" && /^=?\s*\{\{\s*\$json\.chatInput\s*\}\}\s*$/.test(raw)) {
    const message = "json.?chatInput.or(json.?message).or(json.?response).orValue(null)";
    work.standsFor(raw, message);
    return `{{${message}}}`;
  }
  return work.textOf(raw);
}

function agent(work: NodeWork): Made {
  const system = work.at("options", "systemMessage") ?? work.at("options", "systemMessagePrompt");
  const most = work.number(["options", "maxIterations"]);
  const kind = work.word("agent", "toolsAgent");
  const odd =
    kind !== "toolsAgent" && kind !== "conversationalAgent" && kind !== "openAiFunctionsAgent" && kind !== "reActAgent";
  return {
    type: "ai-agent",
    config: {
      userMessage: userMessage(work, work.at("text")),
      ...(system === undefined || system === "" ? {} : { systemPrompt: work.textOf(system) }),
      ...(most === undefined ? {} : { maxIterations: clamp(most, 1, 50) }),
      ...(work.flag(["options", "returnIntermediateSteps"]) ? { returnIntermediateSteps: true } : {}),
      ...agentErrors(work),
    },
    input: agentInput,
    shape: "agent",
    ...(odd ? { outcome: "approximated", note: `Was a ${kind}; here it is an agent that calls tools.` } : {}),
  };
}

/** An agent without tools, for the nodes that only ask a model. */
function asked(work: NodeWork, config: JsonObject, note = ""): Made {
  return {
    type: "ai-agent",
    config: { ...config, ...agentErrors(work) },
    input: agentInput,
    shape: "agent",
    ...(note === "" ? {} : { outcome: "approximated", note }),
  };
}

function chain(work: NodeWork): Made {
  const messages = work.list("messages", "messageValues");
  const system = messages
    .filter(({ type }) => !type || type === "SystemMessagePromptTemplate")
    .map(({ message }) => work.textOf(message));
  const others = messages.filter(({ type }) => type && type !== "SystemMessagePromptTemplate");
  const shown = others.map(
    ({ type, message }) => `${type === "AIMessagePromptTemplate" ? "Assistant" : "User"}: ${work.textOf(message)}`,
  );
  const prompt = work.at("text") ?? work.at("prompt");
  const asks = userMessage(work, prompt);
  return asked(
    work,
    {
      userMessage: shown.length === 0 ? asks : `${shown.join("\n")}\n\n${asks}`,
      systemPrompt: system.join("\n\n"),
    },
    others.length === 0 ? "" : "The earlier messages stand in the user message.",
  );
}

function extractor(work: NodeWork): Made {
  const schema = extractionSchema(work);
  const prompt =
    work.textOf(work.at("options", "systemPromptTemplate")) ||
    "Extract the requested information from the text. Leave out what the text does not say.";
  return asked(work, {
    userMessage: work.textOf(work.at("text")),
    systemPrompt: prompt,
    outputFormat: "json",
    outputSchema: schema,
  });
}

function extractionSchema(work: NodeWork): JsonObject {
  work.drop("schemaType", "What it names is read.");
  const given = parsed(work.at("inputSchema") ?? work.at("jsonSchema"));
  if (isJsonObject(given)) return given;
  const example = parsed(work.at("jsonSchemaExample"));
  if (example !== undefined) return schemaOf(example);
  const attributes = work.list("attributes", "attributes");
  const entries = attributes.map(({ name, type, description, required }): [string, JsonObject, boolean] => [
    String(name ?? "value"),
    { type: type === "number" || type === "boolean" ? type : "string", ...(description ? { description } : {}) },
    required === true,
  ]);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, schema]) => [name, schema])),
    required: entries.filter(([, , required]) => required).map(([name]) => name),
  };
}

function classifier(work: NodeWork): Made {
  const named = work.list("categories", "categories").map(({ category, description }) => ({
    name: work.textOf(category),
    description: work.textOf(description),
  }));
  const lines = named.map(({ name, description }) => `- ${name}${description === "" ? "" : `: ${description}`}`);
  return {
    ...asked(work, {
      userMessage: work.textOf(work.at("inputText")),
      systemPrompt: `Assign the text to one of these categories, by its exact name:\n${lines.join("\n")}`,
      outputFormat: "json",
      outputSchema: {
        type: "object",
        properties: { category: { type: "string", enum: named.map(({ name }) => name) } },
        required: ["category"],
      },
    }),
    outcome: "approximated",
    note: "Became an agent that names the category, and a switch that takes the way of it.",
  };
}

function sentiment(work: NodeWork): Made {
  const words = work
    .word(["options", "categories"], "Positive, Neutral, Negative")
    .split(",")
    .map((one) => one.trim());
  return {
    ...asked(work, {
      userMessage: work.textOf(work.at("inputText")),
      systemPrompt: `Judge the sentiment of the text: ${words.join(", ")}.`,
      outputFormat: "json",
      outputSchema: {
        type: "object",
        properties: { category: { type: "string", enum: words } },
        required: ["category"],
      },
    }),
    outcome: "approximated",
    note: "Became an agent that names the sentiment, and a switch that takes the way of it.",
  };
}

/** The node OpenAI of all versions, and its kin of other vendors: a message to a model. */
function message(vendor: "openai" | "anthropic" | "gemini" | "ollama") {
  return (work: NodeWork): Made => {
    const resource = work.word("resource", "text");
    const isMedia = !["text", "chat", "assistant"].includes(resource);
    const operation = work.word("operation", isMedia ? "" : "message");
    const asks = !isMedia && ["message", "complete", "chat", "response", "", "classify"].includes(operation);
    if (!asks) return serviceRequest(work, vendor, vendorApis[vendor], !work.inFlow);
    const list = [
      ...work.list("messages", "values"),
      ...work.list("messages", "message"),
      ...work.list("prompt", "messages"),
      ...work.list("responses", "values"),
    ];
    const roles = list.map((one) => ({
      role: String(one.role ?? one.type ?? "user"),
      content: work.textOf(one.content ?? one.text),
    }));
    const system = roles.filter(({ role }) => role === "system" || role === "developer").map(({ content }) => content);
    const instructions = work.textOf(
      work.at("options", "instructions") ?? work.at("options", "system") ?? work.at("options", "systemMessage"),
    );
    const plainPrompt = work.at("text") ?? (typeof work.at("prompt") === "string" ? work.at("prompt") : undefined);
    const users = roles.filter(({ role }) => role !== "system" && role !== "developer").map(({ content }) => content);
    const json =
      work.flag("jsonOutput") || work.word(["options", "textFormat", "textOptions", "type"]).startsWith("json");
    return {
      ...asked(work, {
        userMessage:
          users.join("\n\n") || work.textOf(plainPrompt) || "{{json.?chatInput.or(json.?message).orValue(null)}}",
        systemPrompt: [...system, ...(instructions === "" ? [] : [instructions])].join("\n\n"),
        ...(json ? { outputFormat: "json" } : {}),
      }),
      shape: "model-message",
      outcome: "approximated",
      note: `Became an agent with a model of its own (${vendor}); the answer is its "response".`,
      output: (kind) => (kind === "ai_tool" ? "tool" : "main"),
    };
  };
}

function summarizer(work: NodeWork): Made {
  const prompt =
    work.textOf(work.at("options", "summarizationMethodAndPrompts", "values", "prompt")) ||
    "Summarise the text in a few sentences.";
  return asked(
    work,
    { userMessage: "{{text(json)}}", systemPrompt: prompt.replaceAll("{text}", "").slice(0, 10_000) },
    "Summarises the whole input in one call instead of in parts.",
  );
}

function retrievalChain(work: NodeWork): Made {
  const made = chain(work);
  const question = work.at("text") ?? work.at("query");
  return {
    ...made,
    config: {
      ...made.config,
      userMessage: userMessage(work, question),
      systemPrompt:
        work.textOf(work.at("options", "systemPromptTemplate")).replaceAll("{context}", "") ||
        "Answer from the passages of the knowledge base only.",
      toolChoice: "required",
    },
    input: (kind, index) => (kind === "ai_retriever" || kind === "ai_vectorStore" ? "tools" : agentInput(kind, index)),
    outcome: "approximated",
    note: "Became an agent that searches the knowledge base with a tool.",
  };
}

function agentTool(work: NodeWork): Made {
  const made = agent(work);
  return {
    ...made,
    config: {
      ...made.config,
      toolName: toolName(work.node.name),
      ...(work.at("toolDescription")
        ? { toolDescription: work.textOf(work.at("toolDescription")).slice(0, 4_000) }
        : {}),
      userMessage: taskOf(work, work.textOf(work.at("text"))),
    },
    output: () => "tool",
    outcome: "approximated",
    note: "Became an agent that another agent calls as a tool; the caller writes its task.",
  };
}

/** What the caller asks. It gives one message; parts that n8n's model fills in by name are that message. */
function taskOf(work: NodeWork, text: string): string {
  const asked = "json.message";
  for (const part of work.partsOf(String(work.at("text") ?? "")))
    if ("source" in part && /\$fromAI\b/i.test(part.source)) work.standsFor(`={{${part.source}}}`, asked);
  return text.replace(/\{\{(?:(?!\}\}).)*\bai\((?:(?!\}\}).)*\}\}/gs, `{{${asked}}}`) || `{{${asked}}}`;
}

/** Nodes that ask a model, and what goes into their settings. */
export const aiNodes: Mappers = {
  agent,
  agentTool,
  chainLlm: chain,
  chainSummarization: summarizer,
  chainRetrievalQa: retrievalChain,
  informationExtractor: extractor,
  textClassifier: classifier,
  sentimentAnalysis: sentiment,
  openAi: message("openai"),
  anthropic: message("anthropic"),
  googleGemini: message("gemini"),
  ollama: message("ollama"),
  mistralAi: message("openai"),
  perplexity: message("openai"),
  openAiAssistant: (work) =>
    asked(
      work,
      {
        userMessage: userMessage(work, work.at("text")),
        systemPrompt: work.textOf(work.at("instructions") ?? work.at("options", "instructions")),
      },
      "The assistant's settings at OpenAI are not part of the file; write its instructions here.",
    ),
  guardrails: guardrailsNode,
};
