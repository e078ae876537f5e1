import type { z } from "zod/mini";
import type { AgentReplay } from "../run/replay/agent-replay.ts";
import type { RunFiles } from "../file/run-files.ts";
import type { MemoryPlace } from "../memory/memory.ts";
import type { ScratchSessions } from "../memory/scratch-memory.ts";
import type { Host } from "../host.ts";
import type { Json, JsonObject, JsonSchema } from "../json.ts";
import type { ModelPrice, Usage } from "../model/chat-model.ts";
import type { Schedule } from "../publish/schedule.ts";
import type { Repeats, RunErrorData } from "../errors.ts";
import type { RunEventBody } from "../run/events.ts";
import type { Pauser } from "../run/pauser.ts";
import type { RunScope } from "../run/run-scope.ts";
import type { SpendingLimit } from "../spending/spending-limit.ts";
import type { CallerTerms } from "../trust/caller-terms.ts";
import type { Provenance } from "../trust/provenance/provenance.ts";
import type { Taint } from "../trust/taint.ts";
import type { NodeIcon } from "./node-icon.ts";
import type { Port, PortKind, Ports, PortValues } from "./ports.ts";
import type { Reach } from "./reach.ts";
import type { NodeRecord, PrivacySettings, WorkflowDocument } from "./workflow-document.ts";

/** A model, memory or tool set with the node and the edge that it comes from, so that events can name both. */
export interface Wired<Value> {
  value: Value;
  nodeId: string;
  edgeId: string;
  /** What it gives may hold untrusted content. */
  untrusted?: boolean;
  /** What a door's callers may fill in at its tools. */
  callers?: CallerTerms;
}

type Carried<Kind extends PortKind> = Kind extends "main" ? Json : Wired<PortValues[Kind]>;

type InputOf<P extends Port> = P["max"] extends null
  ? Carried<P["kind"]>[]
  : P["min"] extends 0
    ? Carried<P["kind"]> | undefined
    : Carried<P["kind"]>;

/** `one` → the value, `maybe` → the value or undefined, `many` → a list; unknown names do not compile. */
export type InputsOf<P extends Ports> = { [Name in keyof P]: InputOf<P[Name]> };

type IsUnion<Type, Copy = Type> = Type extends Copy ? ([Copy] extends [Type] ? false : true) : never;

/**
 * What `run` returns: the value of the only output, or a record of the outputs that fire. The branch of an output that
 * is left out is skipped.
 */
export type OutputsOf<P extends Ports> =
  IsUnion<keyof P> extends true ? { [Name in keyof P]?: PortValues[P[Name]["kind"]] } : PortValues[P[keyof P]["kind"]];

/** How another workflow is run inside a tool call. */
export interface NestedRunOptions {
  input: Json;
  /** Where untrusted content in the input came from. */
  untrusted: Taint;
  /** What the calling agent knows of where values came from. */
  caller?: Provenance | undefined;
  /** The tool call that it belongs to. */
  callId: string;
  signal: AbortSignal;
  /** Stops the caller's time limits while a person is asked inside the run. */
  pausedWhile?<Value>(wait: () => Promise<Value>): Promise<Value>;
  /** Called after each model call with its tokens and its cost in US dollars, or null if the price is unknown. */
  addUsage?(usage: Usage, costUsd: number | null): void;
  /** The budgets of the calling agents, the innermost first. */
  spending?: readonly SpendingLimit[];
}

/** How another workflow's run ended. */
export type NestedRunResult = ({ ok: true; output: Json } | { ok: false; error: RunErrorData }) & { untrusted: Taint };

/** What a resumed run had done of a branch. */
export interface TurnsBefore {
  /** Turns that began. */
  begun: number;
  /** Whether the node ended after the last of them, without a failure. */
  ended: boolean;
}

/** What a node sees while it runs. */
export interface RunContext<Config, Inputs> {
  /**
   * Templates resolved, then parsed. On a tool node, fields with `{{ai(…)}}` keep their text here; call `bind`.
   */
  config: Config;
  /** The model's part of a tool node's config: parameters as JSON Schema, and the config once they are filled. */
  ai: { parameters: JsonSchema; bind(values: JsonObject): Config };
  inputs: Inputs;
  /** This node's main input; for a service node, that of the node it serves. */
  json: Json;
  /** Where untrusted content in the main input came from; empty if there is none. */
  untrusted: Taint;
  /** The output that is requested, such as `main`, or `tool` when an agent is used as a tool. */
  wanted: string;
  node: { id: string; type: string; title: string; /** As stored, templates unresolved. */ config: JsonObject };
  workflow: { id: string; name: string; privacy?: PrivacySettings | undefined };
  run: {
    id: string;
    depth: number;
    /** What the agent that called this run knows of where values came from. */
    caller?: Provenance | undefined;
    /** What all nodes of the run share. */
    scope: RunScope;
    /** The gate before model and tool calls. */
    pauser: Pauser;
    /** Which items of the for-each nodes around this use of the node, the outermost first; empty outside of any. */
    items: readonly number[];
    /** Present in a run that is only a try: what it adds to conversations is kept here and never written. */
    scratch?: ScratchSessions | undefined;
    /** What an agent loop here, or inside the tool call `parentCallId`, is served from a recording. */
    replayOf(parentCallId?: string): AgentReplay | undefined;
  };
  host: Host;
  /** The files that this run received or made, and the way to make one. */
  files: RunFiles;
  signal: AbortSignal;
  /** Adds an event to the run; the engine adds run id, sequence number and time. Returns the sequence number. */
  emit(event: RunEventBody): number;
  /**
   * Runs what follows the output `port` (one of the definition's `branches`) with `value`, as item number `item`, and
   * resolves to that branch's output. Rejects with a RunError when a node of the branch fails.
   */
  runBranch(port: string, value: Json, item: number): Promise<Json>;
  /**
   * How far a resumed run had come with the turns of the branch at `port` here; undefined where it is not resumed. A node that decides
   * between turns decides the same again: what it asks, such as the time, may have another answer by now.
   */
  turnsBefore(port: string): TurnsBefore | undefined;
  /** Like `emit`, for what happens inside a tool call: the event gets `parentCallId`. */
  emitWithin(parentCallId: string, event: RunEventBody): number;
  /**
   * Runs another workflow, one level deeper. Its events join this run's as those of `callId`; the ids of its nodes and
   * edges get this node's id and a slash in front. Never rejects.
   */
  runNested(document: WorkflowDocument, options: NestedRunOptions): Promise<NestedRunResult>;
  /**
   * Says where the untrusted content came from that this node has read. Its output is marked with that and with what its input is marked with; a
   * node whose `reach` brings untrusted input and that says nothing counts as having read something.
   */
  addUntrusted(sources: Taint): void;
  /** Registers work for the end of the run, however it ends, such as closing a connection. Failures are ignored. */
  atEnd(work: () => Promise<void>): void;
  /**
   * The config with its templates resolved for another main input, such as the arguments of an agent that serves as a
   * tool. Of an agent that is wanted as a `tool`, a template of `config` whose path is missing stays as its text.
   * Throws a RunError of code `expression_error` or `invalid_config`.
   */
  configFor(json: Json): Config;
  log(level: "debug" | "info" | "warn" | "error", message: string, data?: Json): void;
}

/** An error or warning about a node's settings. */
export interface ConfigFinding {
  /** The field's name. */
  field: string;
  severity: "error" | "warning";
  message: string;
  hint: string;
  /** It is about the text itself, even if the field holds templates. */
  ofText?: true;
}

/** A model that costs money: the vendor's, or the price that the node's own `fields` say. */
export interface CalledModel {
  provider: string;
  model: string;
  price: ModelPrice | undefined;
  /** The fields of its price. */
  fields: readonly string[];
}

/** The group of a node in the catalogue, which also gives its icon's colour. */
export type NodeRole = "trigger" | "agent" | "model" | "memory" | "tool" | "flow";

/** Something that has several kinds, each a node type: the catalogue offers it as one entry that opens to them. */
export interface NodeFamily {
  title: string;
  summary: string;
  icon: NodeIcon;
}

/** What starts a run at a trigger: a person, a chat message, the clock, or a request to the workflow's address. */
export type TriggerStart = "hand" | "message" | "schedule" | "request";

type FieldOf<Config extends z.ZodMiniObject> = keyof Config["shape"] & string;

/** A node type: everything that Switchyard knows about it, in one file. */
export interface NodeDefinition<
  Config extends z.ZodMiniObject = z.ZodMiniObject,
  Inputs extends Ports = Ports,
  Outputs extends Ports = Ports,
> {
  type: string;
  version: number;
  role: NodeRole;
  title: string;
  /** One sentence for the catalogue, short enough for two lines there. */
  summary: string;
  /** What else people call it, for searches. */
  keywords?: readonly string[];
  /** The thing that it is one kind of, where the catalogue offers that as one entry. */
  family?: NodeFamily;
  /** The part of the catalogue that it stands in, where that does not follow from its role. */
  section?: "data";
  icon: NodeIcon;
  config: Config;
  inputs: Inputs;
  outputs: Outputs;
  /** Not offered in the catalogue: only imports and the studio create such nodes. */
  hidden?: boolean;
  /**
   * Everything outside the run that `run`, and the tools, the memory or the model that it gives, use. What an import has to
   * be reviewed for, what an agent is exposed to and whose texts count as untrusted follow from it.
   */
  reach: readonly Reach<NoInfer<FieldOf<Config>>>[];
  /** Outputs whose followers run only through `context.runBranch`, once per item or turn (for-each, repeat). */
  branches?: readonly string[];
  /** A turn of the branch gets what the one before gave, and with it what that one read (repeat). */
  handsOn?: true;
  /**
   * The main output that gives `{ error }` if the node fails and its error setting lets the run continue; the first one
   * if absent.
   */
  errorOutput?: keyof Outputs & string;
  /** The main output that a run takes only once a person has agreed to what is sent there. */
  agreedOutput?: keyof Outputs & string;
  /** When a node with several main edges starts: once all have settled (the default), or at the first value. */
  startsWhen?(config: JsonObject): "all" | "first";
  /** For triggers: what starts a run there. */
  startedBy?: TriggerStart;
  /** For triggers: the input that their settings keep for a run that is started by hand. */
  ownInput?(config: JsonObject): Json;
  /** For memories: where they keep conversations, for those who show and edit them; null while that is not set up. */
  keepsAt?(config: JsonObject): MemoryPlace | null;
  /** The outputs that a node with this config has of those of its type, with their labels; absent or undefined: all, as they are. */
  shownOutputs?(config: JsonObject): Readonly<Record<string, string>> | undefined;
  /** It decides how a run goes on: which branch is taken, or what may pass. */
  decides?: "branch" | "passage";
  /** What it is on the canvas, where it is no card: a note, or a frame around other nodes. */
  drawnAs?: "note" | "frame";
  /** For triggers: whether this run input is meant for it; asked when a workflow has several triggers. */
  accepts?(input: Json): boolean;
  /** For triggers: what a program may start it with; any JSON where this is absent. */
  inputSchema?(config: JsonObject): JsonSchema;
  /** For triggers that start a published workflow by themselves: the schedule; undefined while the config has none. */
  schedule?(config: JsonObject): Schedule | undefined;
  /** One muted line on the card: what it will do, from the raw config. */
  describe?(config: JsonObject): string;
  /** The name of the tool(s) that a tool node will offer, for duplicate checks before a run. */
  toolName?(node: NodeRecord): string | undefined;
  /** The names of all its tools instead, where a tool node always offers the same ones. */
  fixedToolNames?: readonly string[];
  /** For agents: names of the tools that they bring along themselves with this config. */
  ownTools?(config: JsonObject): readonly string[];
  /** The keys that the main output can have with this config, where it is always an object; undefined where that is not known. */
  outputKeys?(config: JsonObject): readonly string[];
  /**
   * What is wrong with a config beyond its single fields, or does not go with the workflow's settings; about fields that hold
   * templates only what it says `ofText`.
   */
  check?(config: JsonObject, workflow: Pick<WorkflowDocument, "privacy">): ConfigFinding[];
  /** The models that it calls with this config, where the config names them; those of the browser and the demo cost nothing. */
  calls?(config: JsonObject): readonly CalledModel[];
  /**
   * Fields that record a person's consent, such as the approved tools of a server. They are cleared on import and
   * paste, since nobody here has consented.
   */
  agreed?: readonly string[];
  /** Inputs that must be connected with this config, although their ports do not require it. */
  needs?(config: JsonObject): readonly string[];
  /**
   * How often the node's work may be retried, and how many milliseconds to wait before the first retry; asked with the
   * stored config. Only for work that does no harm when it is done twice.
   */
  repeats?(config: JsonObject): Repeats | undefined;
  /** Brings a config of an older version up to date. */
  migrate?(config: JsonObject, fromVersion: number): JsonObject;
  run: RunNode<Config, Inputs, Outputs>;
}

type RunNode<Config extends z.ZodMiniObject, Inputs extends Ports, Outputs extends Ports> = (
  context: RunContext<z.infer<Config>, InputsOf<Inputs>>,
) => Promise<OutputsOf<Outputs>> | OutputsOf<Outputs>;

/** What nodes of some roles must declare in addition, so that nobody has to compare types. */
type RoleDuties =
  | (Required<Pick<NodeDefinition, "startedBy">> & { role: "trigger" })
  | (Required<Pick<NodeDefinition, "keepsAt">> & { role: "memory" })
  | { role: Exclude<NodeRole, "trigger" | "memory"> };

/** Ties a definition's types together: config, inputs and outputs of `run` follow from `config` and the ports. */
export function defineNode<Config extends z.ZodMiniObject, Inputs extends Ports, Outputs extends Ports>(
  definition: Omit<NodeDefinition<Config, Inputs, Outputs>, "run"> &
    RoleDuties & { run: RunNode<NoInfer<Config>, NoInfer<Inputs>, NoInfer<Outputs>> },
): NodeDefinition<Config, Inputs, Outputs> {
  return definition;
}

/** The context of a node of any type, for the scheduler. */
export type AnyRunContext = RunContext<Record<string, unknown>, Record<string, unknown>>;

/** Any node type, for code that treats all alike: the registry, the canvas, the scheduler. */
export interface AnyNodeDefinition extends Omit<NodeDefinition, "run"> {
  run(context: AnyRunContext): unknown;
}

/** All node types by name. */
export type NodeRegistry = Readonly<Record<string, AnyNodeDefinition>>;

/** The types that a person may add; the others come from imports and from the studio itself. */
export function offeredTypes(registry: NodeRegistry): AnyNodeDefinition[] {
  return Object.values(registry).filter(({ hidden }) => hidden !== true);
}
