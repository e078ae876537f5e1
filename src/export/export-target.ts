import type { JsonObject, JsonSchema } from "../engine/json.ts";
import type { CodeFile } from "./code-file.ts";

/** Programs that an export can be written for. */
export const exportTargets = ["openai-agents", "ai-sdk"] as const;
export type ExportTarget = (typeof exportTargets)[number];

/** A tool as any target can write it. */
export interface ToolCode {
  /** The name by which the model calls it. */
  name: string;
  /** TypeScript: a text. */
  description: string;
  parameters: JsonSchema;
  /** TypeScript: the body of `async (args) => …` as one expression, which may use `json` and `scope`. */
  call: string;
}

/** An MCP server as any target can write it. */
export interface McpCode {
  /** The name of its variable. */
  name: string;
  url: string;
  /** The names of the tools that the model may call, and what stands before them. */
  tools: readonly string[];
  prefix: string;
}

/** A model: TypeScript that makes it, and its settings. */
export interface ModelCode {
  code: string;
  settings: ModelSettings;
}

export interface ModelSettings {
  temperature?: number;
  topP?: number;
  maxTokens?: number;
  frequencyPenalty?: number;
  presencePenalty?: number;
  seed?: number;
  stop?: readonly string[];
}

/** An agent as any target can write it; strings are TypeScript. */
export interface AgentCode {
  /** The name of its function. */
  name: string;
  title: string;
  instructions: string;
  message: string;
  model: ModelCode;
  /** Models that are asked, one after the other, where the first one fails. */
  fallbacks: readonly ModelCode[];
  /** Tokens after which the loop ends; absent for no limit. */
  mostTokens?: number;
  tools: readonly ToolCode[];
  servers: readonly McpCode[];
  toolChoice: "auto" | "required" | "none";
  maxIterations: number;
  timeoutMs: number;
  /** Of the answer; null where it is text, `{}` where it is any JSON. */
  outputSchema: JsonSchema | null;
  /** The conversation that it continues; absent without a memory. */
  memory?: { session: string; messages: number };
}

/** A vendor's model as a target makes it. */
export interface ChosenModel {
  vendor: string;
  model: string;
  /** Where the server is, for vendors that have none of their own; TypeScript. */
  baseUrl?: string;
  /** The environment variable that holds the key. */
  key: string;
  config: JsonObject;
}

/** How a target writes what differs between them. */
export interface TargetCode {
  /** What the program is called in words. */
  title: string;
  /** Whether it has a way to end its loop at a number of tokens. */
  countsTokens: boolean;
  /** An expression that makes the model. */
  model(chosen: ChosenModel, file: CodeFile): string;
  /** The function of an agent, and what stands before it at the top level. */
  agent(agent: AgentCode, file: CodeFile): string;
}
