import OpenAI from "openai";
import { z } from "zod/mini";
import { runWorkflow } from "../src/engine/run/run-workflow.ts";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import { nodeRegistry } from "../src/nodes/index.ts";
import { calculate } from "../src/nodes/tools/calculate.ts";
import { benchHost } from "./hosts.ts";

const tools: OpenAI.Chat.ChatCompletionTool[] = [
  {
    type: "function",
    function: {
      name: "calculator",
      description: "Computes.",
      parameters: { type: "object", properties: { expression: { type: "string" } }, required: ["expression"] },
    },
  },
];

const expressionInput = z.object({ expression: z.string() });

/** What someone would write by hand with the SDK: stream, collect the calls, run the tool, go on. */
async function bareLoop(client: OpenAI, model: string): Promise<string> {
  const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: "user", content: "go" }];
  for (;;) {
    const stream = await client.chat.completions.create({
      model,
      messages,
      tools,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = "";
    const calls: { id: string; name: string; arguments: string }[] = [];
    for await (const chunk of stream) {
      const delta = chunk.choices[0]?.delta;
      text += delta?.content ?? "";
      for (const part of delta?.tool_calls ?? []) {
        const call = (calls[part.index] ??= { id: "", name: "", arguments: "" });
        call.id += part.id ?? "";
        call.name += part.function?.name ?? "";
        call.arguments += part.function?.arguments ?? "";
      }
    }
    if (calls.length === 0) return text;
    messages.push({
      role: "assistant",
      tool_calls: calls.map((call) => ({
        id: call.id,
        type: "function",
        function: { name: call.name, arguments: call.arguments },
      })),
    });
    for (const call of calls) {
      const { expression } = expressionInput.parse(JSON.parse(call.arguments));
      const result = calculate(expression);
      messages.push({
        role: "tool",
        tool_call_id: call.id,
        content: result.ok ? String(result.value) : result.message,
      });
    }
  }
}

/** One agent run and one bare loop, ready to take turns: both ask the server at `url` for `calls` tool calls, then answer. */
export function agentTurns(url: string, calls: number): { ours(): Promise<void>; bare(): Promise<string> } {
  const model = `calls-${calls}`;
  const client = new OpenAI({ baseURL: url, apiKey: "test-key-bench", maxRetries: 0 });
  const host = benchHost(url);
  const document = buildWorkflow({
    nodes: {
      start: ["manual-trigger"],
      agent: ["ai-agent", { userMessage: "go", maxIterations: 20 }],
      model: ["openai-compatible-model", { model, credential: "bench" }],
      calculator: ["calculator-tool", { toolName: "calculator" }],
    },
    edges: ["start.main -> agent.main", "model.model -> agent.model", "calculator.tool -> agent.tools"],
  });
  // As the editor's store holds it: frozen, so that what does not change between runs is worked out once.
  Object.freeze(document);
  Object.freeze(document.nodes);
  const ours = async (): Promise<void> => {
    const signal = new AbortController().signal;
    let outcome = "";
    for await (const event of runWorkflow(document, { registry: nodeRegistry, host, input: {}, signal })) {
      if (event.type === "run-end") outcome = event.outcome;
    }
    if (outcome !== "completed") throw new Error(`The agent's run ended as ${outcome}.`);
  };
  return { ours, bare: () => bareLoop(client, model) };
}
