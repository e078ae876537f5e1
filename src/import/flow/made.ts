import type { JsonObject } from "../../engine/json.ts";
import type { Outcome } from "../report.ts";

/** One node that stands for another builder's node, or for a part of it. */
export interface Step {
  type: string;
  config: JsonObject;
  /** Its title; that of the other builder's node when absent. */
  title?: string;
  /** The title is the step's own already, so that its slug could be used. */
  isReserved?: true;
  /** The keys below which its parameters stand, where it is made of a part of them only. */
  source?: readonly string[];
  /** Behind a node: the output that leads here, `main` when absent. */
  from?: string;
}

/** A model, memory or tool that stands beside a node and serves it. */
export interface Service extends Step {
  output: "model" | "memory" | "tool";
  input: "model" | "fallback" | "memory" | "tools";
  /** One for all nodes that need an equal one. */
  shared?: true;
}

/** What a node of another builder becomes. */
export interface Made {
  /** The node itself; absent for one that goes into another's settings. */
  step?: Step;
  /** Nodes of the flow in front of it and behind it, each with its own title. */
  before?: readonly Step[];
  behind?: readonly Step[];
  services?: readonly Service[];
  outcome?: Outcome;
  /** What a person has to know. */
  note?: string;
  /** Needs a credential to be chosen, in the words of the report. */
  needs?: string;
  /** Credentials that were named or typed, which do not come along. */
  credentials?: readonly { type: string; note: string }[];
  /** Settings that have no counterpart, or another one. */
  settings?: readonly { name: string; outcome: Outcome; note: string }[];
  /**
   * The port for a handle, of the step with this number behind the node (0 for the node itself); the last one's `main`
   * when absent. Undefined where there is none.
   */
  output?: (handle: string) => string | readonly [port: string, behind: number] | undefined;
  /** The port for a handle; `main` when absent. */
  input?: (handle: string) => string | undefined;
}

/** A node that cannot be one here: it keeps its place and its settings, and fails when a run reaches it. */
export function placeholder(sourceType: string, settings: JsonObject, instead: string): Made {
  return {
    step: {
      type: "placeholder",
      config: { sourceType: sourceType.slice(0, 200), instead: instead.slice(0, 2_000), settings },
    },
    outcome: "placeholder",
    note: `Settings are kept. ${instead}`,
  };
}

/** The same for a tool. */
export function placeholderTool(sourceType: string, toolName: string, settings: JsonObject, instead: string): Made {
  const made = placeholder(sourceType, settings, instead);
  return {
    ...made,
    step: { type: "placeholder-tool", config: { ...made.step?.config, toolName } },
    output: () => "tool",
  };
}
