import type { RunErrorData } from "../../errors.ts";
import type { EventOf, RunEvent } from "../events.ts";
import { contentOf, requestAttributes, responseAttributes } from "./gen-ai.ts";
import { asText, attributes, type AttributeValue, nanoseconds, type OtlpSpan, spanIdOf, traceIdOf } from "./otlp.ts";
import { noteOf } from "./span-notes.ts";

/** How a run is exported. */
export interface OtelOptions {
  /** The title of a node; its id when absent. */
  titleOf?(nodeId: string): string | undefined;
  /** Also what was said: messages, arguments, results. Off by default, as the conventions ask. */
  content?: boolean;
}

interface OpenSpan extends OtlpSpan {
  open: boolean;
}

/** Makes the spans of a run from its events, in their order; the ids follow from the run's id. */
export class TraceBuilder {
  private readonly events: readonly RunEvent[];
  private readonly options: OtelOptions;
  private readonly spans: OpenSpan[] = [];
  private root: OpenSpan | undefined;
  /** The latest span of a node, by node, item and call around it. */
  private readonly nodes = new Map<string, OpenSpan>();
  private readonly calls = new Map<string, OpenSpan>();
  private readonly requests = new Map<string, EventOf<"model-request">>();
  /** The conversation of an agent, by its node. */
  private readonly sessions = new Map<string, string>();

  constructor(events: readonly RunEvent[], options: OtelOptions) {
    this.events = events;
    this.options = options;
  }

  build(): OtlpSpan[] {
    for (const event of this.events) this.read(event);
    const end = nanoseconds(this.events.at(-1)?.at ?? 0);
    return this.spans.map(({ open, ...span }) =>
      open
        ? {
            ...span,
            endTimeUnixNano: end,
            attributes: [...span.attributes, ...attributes({ "switchyard.interrupted": true })],
          }
        : span,
    );
  }

  private read(event: RunEvent): void {
    switch (event.type) {
      case "run-start":
        this.root = this.start(event, `run ${event.workflowName}`, undefined, {
          "switchyard.run.id": event.runId,
          "switchyard.workflow.id": event.workflowId,
          "switchyard.workflow.name": event.workflowName,
          ...this.content({ "switchyard.input": asText(event.input) }),
        });
        if (event.forkedFrom) {
          const { runId, callId } = event.forkedFrom;
          const why = attributes({ "switchyard.link": "forked_from", "gen_ai.tool.call.id": callId });
          this.root.links.push({ traceId: traceIdOf(runId), spanId: spanIdOf(runId, 0), attributes: why });
        }
        return;
      case "run-end":
        this.end(this.root, event.at, event.error, {
          "switchyard.outcome": event.outcome,
          "gen_ai.usage.input_tokens": event.usage.inputTokens,
          "gen_ai.usage.output_tokens": event.usage.outputTokens,
          "switchyard.cost_usd": event.costUsd,
          ...this.content({ "switchyard.output": asText(event.output) }),
        });
        return;
      case "node-start":
        this.nodes.set(keyOf(event, event.nodeId), this.startNode(event));
        return;
      case "node-end":
        return this.end(this.nodeOf(event, event.nodeId), event.at, undefined, {});
      case "node-error":
        if (!this.nodeOf(event, event.nodeId)) this.nodes.set(keyOf(event, event.nodeId), this.startNode(event));
        return this.end(this.nodeOf(event, event.nodeId), event.at, event.error, {
          "switchyard.handled": event.handled,
        });
      case "memory-load":
        this.sessions.set(event.nodeId, event.session);
        return this.note(event);
      case "iteration-start":
        this.markAgent(event, event.nodeId);
        return;
      case "model-request":
        return this.startModel(event);
      case "model-response":
        return this.endModel(event);
      case "tool-call-start":
        return this.startTool(event);
      case "tool-call-end":
        return this.endTool(event);
      default:
        this.note(event);
    }
  }

  private startNode(event: EventOf<"node-start"> | EventOf<"node-error">): OpenSpan {
    const title = this.title(event.nodeId);
    const input = "input" in event ? this.content({ "switchyard.input": asText(event.input) }) : {};
    return this.start(event, `node ${title}`, this.around(event), {
      "switchyard.node.id": event.nodeId,
      "switchyard.node.title": title,
      "switchyard.item": event.item,
      ...input,
    });
  }

  private startModel(event: EventOf<"model-request">): void {
    this.markAgent(event, event.nodeId);
    this.requests.set(event.callId, event);
    const parent = this.nodeOf(event, event.nodeId) ?? this.around(event);
    const attributesOf = requestAttributes(event, this.sessions.get(event.nodeId));
    const span = this.start(event, `chat ${event.model}`, parent, {
      ...attributesOf,
      "switchyard.node.id": event.modelNodeId,
    });
    span.kind = 3;
    this.calls.set(event.callId, span);
  }

  private endModel(event: EventOf<"model-response">): void {
    const request = this.requests.get(event.callId);
    const said = request && this.options.content === true ? contentOf(request, event) : {};
    this.end(this.calls.get(event.callId), event.at, event.error, { ...responseAttributes(event), ...said });
  }

  private startTool(event: EventOf<"tool-call-start">): void {
    const parent = this.nodeOf(event, event.nodeId) ?? this.around(event);
    const span = this.start(event, `execute_tool ${event.toolName}`, parent, {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": event.toolName,
      "gen_ai.tool.call.id": event.callId,
      "gen_ai.tool.type": "function",
      "switchyard.node.id": event.toolNodeId,
      ...this.content({ "gen_ai.tool.call.arguments": asText(event.input) }),
    });
    this.calls.set(event.callId, span);
  }

  private endTool(event: EventOf<"tool-call-end">): void {
    const failure = event.ok ? {} : { "error.type": event.rejected ? "rejected" : "tool_error" };
    const span = this.calls.get(event.callId);
    this.end(span, event.at, undefined, {
      "switchyard.result.characters": event.size,
      "switchyard.result.truncated": event.truncated,
      ...failure,
      ...this.content({ "gen_ai.tool.call.result": event.text }),
    });
    if (span && !event.ok) span.status = { code: 2 };
  }

  /** A node that runs the loop is an agent in the words of the conventions. */
  private markAgent(event: RunEvent, nodeId: string): void {
    const span = this.nodeOf(event, nodeId);
    const title = this.title(nodeId);
    if (!span || span.name === `invoke_agent ${title}`) return;
    span.name = `invoke_agent ${title}`;
    span.attributes.push(
      ...attributes({
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.id": nodeId,
        "gen_ai.agent.name": title,
        "gen_ai.conversation.id": this.sessions.get(nodeId),
      }),
    );
  }

  private note(event: RunEvent): void {
    const note = noteOf(event, this.options.content === true);
    if (!note) return;
    const call = "callId" in event && event.callId !== undefined ? this.calls.get(event.callId) : undefined;
    const node = "nodeId" in event && event.nodeId !== undefined ? this.nodeOf(event, event.nodeId) : undefined;
    // How long a person thinks is not the tool's time.
    if (call && (event.type === "approval-end" || event.type === "pause-end"))
      call.startTimeUnixNano = nanoseconds(event.at);
    const span = call ?? node ?? this.around(event);
    span?.events.push({
      timeUnixNano: nanoseconds(event.at),
      name: note.name,
      attributes: attributes(note.attributes),
    });
  }

  /** The span that an event belongs in besides its node's: the tool call around it, or the run. */
  private around(event: RunEvent): OpenSpan | undefined {
    return (event.parentCallId === undefined ? undefined : this.calls.get(event.parentCallId)) ?? this.root;
  }

  private nodeOf(event: RunEvent, nodeId: string): OpenSpan | undefined {
    return this.nodes.get(keyOf(event, nodeId));
  }

  private start(
    event: RunEvent,
    name: string,
    parent: OpenSpan | undefined,
    values: Record<string, AttributeValue>,
  ): OpenSpan {
    const span: OpenSpan = {
      traceId: traceIdOf(event.runId),
      spanId: spanIdOf(event.runId, event.seq),
      ...(parent ? { parentSpanId: parent.spanId } : {}),
      name,
      kind: 1,
      startTimeUnixNano: nanoseconds(event.at),
      endTimeUnixNano: nanoseconds(event.at),
      attributes: attributes({ ...values, "switchyard.replayed": event.replayed }),
      events: [],
      links: [],
      status: { code: 0 },
      open: true,
    };
    this.spans.push(span);
    return span;
  }

  private end(
    span: OpenSpan | undefined,
    at: number,
    error: RunErrorData | undefined,
    values: Record<string, AttributeValue>,
  ): void {
    if (!span) return;
    span.open = false;
    span.endTimeUnixNano = nanoseconds(at);
    span.attributes.push(...attributes({ "error.type": error?.code, ...values }));
    if (error) span.status = { code: 2, message: error.message };
  }

  private title(nodeId: string): string {
    return this.options.titleOf?.(nodeId) ?? nodeId;
  }

  private content(values: Record<string, AttributeValue>): Record<string, AttributeValue> {
    return this.options.content === true ? values : {};
  }
}

function keyOf({ item, outerItems = [], parentCallId }: RunEvent, nodeId: string): string {
  return JSON.stringify([nodeId, item ?? null, parentCallId ?? null, ...outerItems]);
}
