import type { AnyRunContext, NestedRunOptions, NestedRunResult, TurnsBefore } from "../document/define-node.ts";
import type { WorkflowDocument } from "../document/workflow-document.ts";
import type { Host } from "../host.ts";
import type { Json, JsonObject, JsonSchema } from "../json.ts";
import { taintOfFiles } from "../model/attachments.ts";
import { aiParameters } from "../template/ai-parameters.ts";
import { configError, parseResolved, resolveConfig, type ResolveConfigOptions } from "../template/config-templates.ts";
import { parseConfig } from "../config/parse-config.ts";
import { RunFiles } from "../file/run-files.ts";
import type { RunEventBody } from "./events.ts";
import type { FlowView } from "./flow-view.ts";
import { runNested } from "./nested-run.ts";
import { NodeScope } from "./node-scope.ts";
import type { NodeRecord } from "./replay/recorded-run.ts";
import type { NodePlan } from "./run-plan.ts";
import type { Taint } from "../trust/taint.ts";

type Config = Record<string, unknown>;

/** One use of a node: which node runs, and for whom. */
export interface NodeUse {
  flow: FlowView;
  /** The node that runs. */
  plan: NodePlan;
  /** The node of the main flow that it runs for: itself, or the node that it serves. */
  main: NodePlan;
  /** The main input of that node. */
  json: Json;
  /** The output that is requested. */
  wanted: string;
  /** The recorded use that it follows in a replay. */
  recorded?: NodeRecord | undefined;
}

/** The context of a running node. Config and parameters are computed when they are first read. */
export class NodeContext implements AnyRunContext {
  readonly inputs: Record<string, unknown>;
  private readonly use: NodeUse;
  private cachedConfig: Config | undefined;
  private cachedFiles: RunFiles | undefined;
  private cachedParameters: JsonSchema | undefined;

  constructor(use: NodeUse, inputs: Record<string, unknown>) {
    this.use = use;
    this.inputs = inputs;
    this.configFor = this.configFor.bind(this);
    this.emit = this.emit.bind(this);
    this.emitWithin = this.emitWithin.bind(this);
    this.runBranch = this.runBranch.bind(this);
    this.turnsBefore = this.turnsBefore.bind(this);
    this.runNested = this.runNested.bind(this);
    this.addUntrusted = this.addUntrusted.bind(this);
    this.atEnd = this.atEnd.bind(this);
    this.log = this.log.bind(this);
  }

  get config(): Config {
    this.cachedConfig ??= this.resolve(this.use.json);
    return this.cachedConfig;
  }

  get ai(): AnyRunContext["ai"] {
    this.cachedParameters ??= aiParameters(this.use.plan.templates);
    return { parameters: this.cachedParameters, bind: (values: JsonObject) => this.bind(values) };
  }

  get json(): Json {
    return this.use.json;
  }

  get untrusted(): Taint {
    return this.use.flow.taint.inputOf(this.use.main);
  }

  get wanted(): string {
    return this.use.wanted;
  }

  get node(): AnyRunContext["node"] {
    return this.use.plan.node;
  }

  get workflow(): AnyRunContext["workflow"] {
    return this.use.flow.shared.document;
  }

  get run(): AnyRunContext["run"] {
    const { flow, plan, recorded } = this.use;
    const { runId, depth, caller, scope, pauser, replay, scratch } = flow.shared;
    const replayOf = (parentCallId?: string) => replay?.loop(flow, plan.id, recorded, parentCallId);
    const { outerItems = [], item } = flow.stamp;
    const items = item === undefined ? outerItems : [...outerItems, item];
    return { id: runId, depth, caller, scope, pauser, items, scratch, replayOf };
  }

  get host(): Host {
    return this.use.flow.shared.host;
  }

  get files(): RunFiles {
    const { flow, plan } = this.use;
    this.cachedFiles ??= new RunFiles({
      known: flow.shared.scope.files,
      store: flow.shared.host.files,
      signal: flow.signal,
      onAdd: (file) => void flow.emit({ type: "file-add", nodeId: plan.id, file }),
      onOpen: (file) => this.addUntrusted(taintOfFiles([file])),
    });
    return this.cachedFiles;
  }

  get signal(): AbortSignal {
    return this.use.flow.signal;
  }

  configFor(json: Json): Config {
    return this.resolve(json);
  }

  emit(event: RunEventBody): number {
    return this.use.flow.emit(event);
  }

  emitWithin(parentCallId: string, event: RunEventBody): number {
    return this.use.flow.emitWithin(parentCallId, event);
  }

  runBranch(port: string, value: Json, item: number): Promise<Json> {
    return this.use.flow.runBranch(this.use.plan, port, value, item);
  }

  turnsBefore(port: string): TurnsBefore | undefined {
    const { flow, plan, recorded } = this.use;
    const edgeIds = plan.mainOut.filter((link) => link.port === port).map((link) => link.edge.id);
    return flow.shared.replay?.turnsBefore(recorded, edgeIds, flow.stamp);
  }

  runNested(document: WorkflowDocument, options: NestedRunOptions): Promise<NestedRunResult> {
    return runNested(this.use.flow, this.use.plan.id, document, options);
  }

  addUntrusted(sources: Taint): void {
    this.use.flow.taint.add(this.use.plan, sources);
  }

  atEnd(work: () => Promise<void>): void {
    this.use.flow.shared.endWork.push(work);
  }

  log(level: "debug" | "info" | "warn" | "error", message: string, data?: Json): void {
    this.emit({ type: "log", nodeId: this.use.plan.id, level, message, ...(data === undefined ? {} : { data }) });
  }

  private resolve(json: Json): Config {
    const { plan } = this.use;
    if (plan.templates.templated.length === 0 && plan.templates.problems.length === 0) {
      plan.parsed ??= parseResolved(plan.node, plan.definition, plan.templates.raw);
      return plan.parsed;
    }
    // What an agent lacks as a tool comes with the call; a tool node's data is there from the start.
    const keepMissing = this.use.wanted === "tool" && plan.definition.role === "agent";
    const { resolved, unresolved } = this.resolveWith(json, { keepAi: true, keepMissing });
    return this.parseLeniently(resolved, unresolved);
  }

  private bind(values: JsonObject): Config {
    const { plan } = this.use;
    return parseResolved(plan.node, plan.definition, this.resolveWith(this.use.json, { values }).resolved);
  }

  private resolveWith(json: Json, options: ResolveConfigOptions): { resolved: JsonObject; unresolved: string[] } {
    const { plan, flow, main } = this.use;
    const unresolved: string[] = [];
    const scope = new NodeScope(flow, main, json);
    const resolved = resolveConfig(plan.node, plan.templates, scope, { ...options, unresolved });
    return { resolved, unresolved };
  }

  /** A field that still holds a template need not parse yet (a number that the model will give): it is left out. */
  private parseLeniently(resolved: JsonObject, unresolved: readonly string[]): Config {
    const { plan } = this.use;
    const parsed = parseConfig(plan.definition.config, resolved);
    if (parsed.ok) return parsed.config;
    if (!parsed.problems.every((problem) => unresolved.includes(problem.field))) {
      throw configError(plan.node, parsed.problems);
    }
    const rest = { ...resolved };
    for (const problem of parsed.problems) delete rest[problem.field];
    return parseResolved(plan.node, plan.definition, rest);
  }
}
