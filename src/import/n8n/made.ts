import type { JsonObject } from "../../engine/json.ts";
import type { Outcome } from "../report.ts";
import type { NodeWork } from "./node-work.ts";
import type { N8nNode } from "./read-n8n.ts";

/** A step that an import puts before a node. */
export interface Step {
  title: string;
  type: string;
  config: JsonObject;
}

/** What a node of n8n becomes. */
export interface Made {
  /** The node type here; absent for a node that goes into another's settings. */
  type?: string;
  config?: JsonObject;
  outcome?: Outcome;
  /** What a person has to know. */
  note?: string;
  /** The port of an output or input, where it is not the usual one. */
  output?: (kind: string, index: number) => string | undefined;
  input?: (kind: string, index: number) => string | undefined;
  /** Needs a credential to be chosen, in the words of the report. */
  needs?: string;
  /** Gets the list of its inputs, in their order, from a merge before it. */
  joins?: boolean;
  /** Steps that run before it, in their order; they get the input, and it gets what the last of them gives. */
  before?: readonly Step[];
  /** What its output looks like, for paths that have another name here. */
  shape?: Shape;
}

/** Outputs whose keys have other names here. */
export type Shape = "chat" | "agent" | "model-message" | "plain";

/** How a node is used, by the edges that leave it. */
export interface Use {
  /** Leaves by an `ai_tool` edge. */
  asTool: boolean;
  /** Kinds of the edges that leave it. */
  kinds: ReadonlySet<string>;
  /** What is wired to it to read documents. */
  loader?: N8nNode | undefined;
}

/** Reads a node's parameters. */
export type Mapper = (work: NodeWork) => Made;

/** Mappers by n8n's type, without its package. */
export type Mappers = Readonly<Record<string, Mapper>>;
