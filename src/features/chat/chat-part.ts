import type { AgentEnding, EarlyFinish } from "../../engine/agent/ending.ts";
import type { FileValue } from "../../engine/file/file.ts";
import type { Source } from "../../engine/model/message.ts";
import type { RunErrorData } from "../../engine/errors.ts";
import type { ToolStep } from "../../engine/run/run-state.ts";
import type { ShownApp } from "../../engine/tool/tool-app.ts";

/** Why there is no whole answer. */
export type AnswerFailure = Pick<RunErrorData, "message" | "hint" | "nodeId"> & Partial<Pick<RunErrorData, "code">>;

/** What one of several agents said in a run. A draft is not the run's answer, and is folded. */
export interface AgentAnswer {
  kind: "agent";
  id: string;
  nodeId: string;
  /** The agent's title where it was remembered; otherwise the workflow has it. */
  title?: string | undefined;
  /** Its item of a list, from 0. */
  item?: number | undefined;
  isDraft: boolean;
  parts: ChatPart[];
}

/** What goes wrong while an answer is given, and is told beside it. */
export interface Trouble {
  title: string;
  words: string;
  /** When the next try begins, in milliseconds since 1970. */
  until?: number;
}

/** One piece of an answer, in the order in which it came. */
export type ChatPart =
  | { kind: "text"; id: string; text: string; streaming: boolean }
  | { kind: "tool"; id: string; step: ToolStep; live: boolean; app?: ShownApp | undefined }
  | { kind: "past-tool"; id: string; toolName: string; input: string; output: string; ok: boolean; rejected?: true }
  | { kind: "picture"; id: string; url: string }
  | { kind: "files"; id: string; files: readonly FileValue[] }
  | { kind: "sources"; id: string; sources: readonly Source[] }
  | ({ kind: "trouble"; id: string } & Trouble)
  | { kind: "error"; id: string; error: AnswerFailure }
  | { kind: "ending"; id: string; ending: AgentEnding }
  | { kind: "past-ending"; id: string; finish: EarlyFinish }
  | AgentAnswer;
