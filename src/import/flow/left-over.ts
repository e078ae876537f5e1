import { definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import { mayWrite } from "../../engine/document/outreach.ts";
import { type Leaf, Parameters, pathOf, type Reason } from "../parameters.ts";
import { type ReportNotes, tellLeft } from "../report.ts";
import type { FlowGraph, FlowNode } from "./flow-graph.ts";
import { type Made, placeholder, type Step } from "./made.ts";
import { onlyReads } from "./web-services.ts";

/** What a format's node data hold, by their paths without places in lists. */
interface Rules {
  /** The key below which the parameters stand; absent where all of the data are parameters. */
  below?: string;
  /** What the editor keeps of the node itself: no parameters. */
  editor: RegExp;
  /** Parameters that make no difference here, or made none there. */
  idle: RegExp;
  /** Values that only repeat what is wired to the node; its edges account for them. */
  wire?: RegExp;
  /** Switches that make no difference while they are off. */
  off: RegExp;
  /** How something is sent or looked for, not what is sent, to whom or for which rows. */
  way: RegExp;
}

const rules: Readonly<Record<string, Rules>> = {
  dify: {
    editor:
      /^(?:type|title|selected|width|height|isIn(?:Iteration|Loop)|is(?:Iteration|Loop)Start|(?:iteration|loop)_id|_\w+|start_?[nN]ode\w*|parentId|author|theme|showAuthor|version)$/,
    idle: /(?:^|\.)(?:id|case_id|desc|label|\w*_label|schemas\..*|provider_\w+|plugin_\w+|tool_description|output_type|write_mode|model\.mode|value\.mode|agent_parameters\.\w+\.(?:type|value\.(?:type|model_type)))$/,
    off: /(?:^|\.)(?:required|hide|is_array_file|vision\.enabled|context\.enabled|memory\.window\.enabled|retry_enabled|structured_output_enabled|reranking_enable|is_parallel|flatten_output|single_output|is_team_authorization|allow_delete)$/,
    way: /^(?:timeout|retry_config|error_strategy|default_value|ssl_verify)\b|^body\.data\.type$/,
  },
  flowise: {
    below: "inputs",
    editor: /^$/,
    idle: /AnchorDisabled$|SelectedToolConfig\.\w*SelectedTool$|^FLOWISE_CREDENTIAL_ID$|^memoryKey$/,
    off: /(?:^|\.)(?:allowImageUploads|streaming|verbose|cache|returnSourceDocuments|\w*ReturnDirect|\w*EnableMemory|\w*ReturnSourceDocuments|\w*RequiresHumanInput|legacyBuild|strictToolCalling)$/,
    wire: /^\{\{\w+\.data\.instance\}\}$/,
    way: /(?:^|\.)(?:timeout|\w*ReturnDirect|maxOutputLength)$/,
  },
  langflow: {
    editor: /^(?:code|_\w+|description|isTool|tools_metadata\..*|tools_metadata|is_refresh)$/,
    idle: /^(?:clean_data|data_template|sender|sender_name|sender_type|should_store_message|session_id|background_color|chat_icon|text_color|autoset_encoding|use_async)$/,
    off: /^(?:stream|verbose|json_mode|markdown|use_double_brackets|check_response_status|include_\w+|advanced_mode|ignore_\w+|silent_errors|allow_\w+|chroma_server_ssl_enabled|flatten_dataset|use_cache|show_progress_bar|storage_location\.(?:chosen|selected)|enable_\w+|add_current_date_tool|\w*save_to_file|tool_mode)$/,
    way: /(?:^|_)(?:timeout|api_key|verify_ssl|tool|days|topic|time_range|search_depth|max_results|chunks_per_source|include_(?:answer|images|domains|raw_content)|exclude_domains)$/,
  },
};

const idleReason: Reason = { why: "It makes no difference here.", isWithoutEffect: true };

/** Whether a step may change something elsewhere. A memory only keeps its conversation. */
function writes({ type, config }: Step, registry: NodeRegistry): boolean {
  const definition = definitionOf(registry, type);
  if (definition === undefined || definition.role === "memory") return false;
  return mayWrite(definition, config) && !onlyReads(config.url);
}

/** The parameters of a graph's nodes, each of which remembers what was read of it. */
export class FlowParameters {
  private readonly byData = new Map<FlowNode["data"], Parameters>();
  private readonly byId = new Map<string, Parameters>();
  private readonly rules: Rules | undefined;

  constructor({ format }: Pick<FlowGraph, "format">) {
    this.rules = Object.hasOwn(rules, format) ? rules[format] : undefined;
  }

  /** The node with data that remember who read them. Nodes that share their data share that, too. */
  watched(node: FlowNode): FlowNode {
    const parameters = this.byData.get(node.data) ?? new Parameters(node.data);
    this.byData.set(node.data, parameters);
    this.byId.set(node.id, parameters);
    return { ...node, data: parameters.read };
  }

  /** A node that may change something elsewhere, which a search does not, does not run without one of its parameters; nor does a tool beside it. */
  guarded(node: FlowNode, made: Made, registry: NodeRegistry): Made {
    const missing = this.leftOf(node).flatMap(({ leaf, path, reason }) =>
      reason || this.rules?.way.test(path) ? [] : [leaf.keys],
    );
    if (missing.length === 0) return made;
    const services = made.services ?? [];
    const isBelow = (keys: readonly string[], source: readonly string[]) => source.every((key, at) => keys[at] === key);
    const ofNode = missing.filter((keys) => !services.some(({ source }) => source && isBelow(keys, source)));
    const steps = [...(made.before ?? []), ...(made.step ? [made.step] : []), ...(made.behind ?? [])];
    const lacks = (keys: readonly (readonly string[])[]) =>
      `It would do something else without these settings, which have no counterpart here: ${keys.slice(0, 5).map(pathOf).join(", ")}.`;
    const raw = this.byId.get(node.id)?.raw ?? node.data;
    if (made.step && ofNode.length > 0 && steps.some((step) => writes(step, registry))) {
      const kept = placeholder(node.type, raw, [lacks(ofNode), made.note ?? ""].join(" ").trim());
      const { toolName } = made.step.config;
      if (toolName === undefined || kept.step === undefined) return { ...kept, credentials: made.credentials ?? [] };
      return {
        ...made,
        ...kept,
        step: { type: "placeholder-tool", config: { ...kept.step.config, toolName } },
      };
    }
    const notes: string[] = [];
    const kept = services.map((service) => {
      const own = service.source ? missing.filter((keys) => isBelow(keys, service.source ?? [])) : ofNode;
      // A person approves the tools of a server one by one.
      if (own.length === 0 || service.type === "mcp-tool" || !writes(service, registry)) return service;
      const instead = lacks(own);
      notes.push(`The tool “${service.title ?? node.name}” is a placeholder. ${instead}`);
      const toolName = service.config.toolName ?? "tool";
      const config = { ...placeholder(node.type, raw, instead).step?.config, toolName };
      return { ...service, type: "placeholder-tool", config };
    });
    if (notes.length === 0) return made;
    return { ...made, services: kept, note: [made.note ?? "", ...notes].join(" ").trim() };
  }

  /** Tells what nobody read. */
  tell(node: FlowNode, made: Made, notes: ReportNotes): void {
    if (made.outcome === "placeholder") return;
    const left = this.leftOf(node);
    for (const { leaf, reason } of left) tellLeft(leaf, reason, node.name, notes);
    if (left.some(({ reason }) => !reason)) notes.approximate(node.name);
  }

  /** What nobody read, and why that makes no difference where it makes none. */
  private leftOf({ id }: FlowNode): { leaf: Leaf; path: string; reason: Reason | undefined }[] {
    const parameters = this.byId.get(id);
    const { rules: own } = this;
    if (!parameters || !own) return [];
    return parameters.leaves().flatMap((leaf) => {
      if (parameters.wasRead(leaf) || (own.below !== undefined && leaf.keys[0] !== own.below)) return [];
      const names = leaf.keys.slice(own.below === undefined ? 0 : 1).filter((key) => !/^\d+$/.test(key));
      const path = names.join(".");
      if (path === "" || own.editor.test(path) || own.wire?.test(String(leaf.value)) === true) return [];
      const isIdle = own.idle.test(path) || (leaf.value === false && own.off.test(path));
      return [{ leaf, path, reason: isIdle ? idleReason : undefined }];
    });
  }
}
