import OpenAI from "openai";
import { z } from "zod";
import { runWorkflow } from "../src/engine/run/run-workflow.ts";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import { nodeRegistry } from "../src/nodes/index.ts";
import { calculate } from "../src/nodes/tools/calculate.ts";
import { benchHost } from "./hosts.ts";
import { compare, ratioRow, type Bench, type Row } from "./measure.ts";
import { startVendorServer } from "./vendor-server.ts";

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

async function oneCount(url: string, calls: number): Promise<Row> {
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
  const measured = await compare(ours, () => bareLoop(client, model), { turns: 150, warmUp: 50 });
  return ratioRow(`agent run with ${calls} tool call${calls === 1 ? "" : "s"}`, measured, 1.3);
}

/** A whole agent run, events included, against a bare streaming loop on the same server. */
export const agentBench: Bench = {
  id: "agent",
  title: "Agent against a bare `openai` loop",
  async run() {
    const server = await startVendorServer();
    try {
      const rows: Row[] = [];
      for (const calls of [0, 1, 5, 10]) rows.push(await oneCount(server.url, calls));
      return rows;
    } finally {
      await server.close();
    }
  },
};
