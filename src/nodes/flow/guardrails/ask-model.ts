import type { RunContext, Wired } from "../../../engine/document/define-node.ts";
import type { JsonSchema } from "../../../engine/json.ts";
import type { ChatModel } from "../../../engine/model/chat-model.ts";
import { type Message, messageText } from "../../../engine/model/message.ts";
import type { ModelPurpose } from "../../../engine/run/events.ts";
import { createModelCaller } from "../../../engine/agent/model-call/call-model.ts";
import { startDeadline } from "../../../engine/time/deadline.ts";
import { type AgentRun, createExecution, newProgress } from "../../../engine/agent/execution.ts";
import { agentSettings } from "../../../engine/agent/agent-settings.ts";

/** One question to a model, answered as JSON. */
interface ModelQuestion {
  purpose: ModelPurpose;
  messages: Message[];
  /** What the answer has to look like; models that can keep to a schema are held to it. */
  schema: JsonSchema;
  timeoutMs: number;
}

/** Gives the text of the answer. Rejects with a RunError: the model's failure, `timeout`, `cancelled`. */
export type AskModel = (question: ModelQuestion) => Promise<string>;

type Asking = Pick<RunContext<unknown, unknown>, "node" | "host" | "signal" | "run" | "emit" | "emitWithin">;

const settings = agentSettings.parse({});

/**
 * Lets a node that is no agent ask a model: retries, breakpoints, costs, events and replays are those of an agent's calls. One for
 * all questions of one use of the node.
 */
export function createAskModel(context: Asking, model: Wired<ChatModel>): AskModel {
  const { node, host, signal, run } = context;
  const asking: AgentRun = {
    settings,
    nodeId: node.id,
    model,
    tools: [],
    host,
    signal,
    scope: run.scope,
    depth: run.depth,
    pauser: run.pauser,
    replay: run.replayOf(),
    emit: (event) => void context.emit(event),
    emitWithin: context.emitWithin,
  };
  const progress = { ...newProgress(host.now()), iteration: 1 };
  return async ({ purpose, messages, schema, timeoutMs }) => {
    const deadline = startDeadline(host, signal, timeoutMs, `"${node.title}"`);
    try {
      const ask = createModelCaller(createExecution(asking, deadline, progress));
      const responseFormat = { type: "json" as const, schema };
      const answer = await ask({ purpose, messages, fromMemory: 0, tools: [], toolChoice: "auto", responseFormat });
      return messageText(answer.message);
    } finally {
      deadline.stop();
    }
  };
}
