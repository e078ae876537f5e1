/** A workflow as the Agent Builder exports it: agents, a guardrail, state, conditions and an approval. */
export const agentBuilderCode = `import { hostedMcpTool, fileSearchTool, webSearchTool, tool, Agent, AgentInputItem, Runner, withTrace } from "@openai/agents";
import { z } from "zod";

// Tool definitions
const mcp = hostedMcpTool({
  serverLabel: "shop",
  allowedTools: ["find_order", "cancel_order"],
  authorization: "test-key-aaaaaaaaaaaaaaaaaaaa",
  requireApproval: "always",
  serverUrl: "https://mcp.example.com/sse"
});
const fileSearch = fileSearchTool(["vs_1234"], { maxNumResults: 4 });
const rates: Record<string, number> = { EUR: 1, USD: 2 };
function rateOf(currency: string): number {
  return rates[currency] ?? 0;
}
const convert = tool({
  name: "convert",
  description: "Converts an amount.",
  parameters: z.object({ amount: z.number().describe("How much"), currency: z.enum(["EUR", "USD"]).optional() }),
  needsApproval: true,
  execute: async ({ amount, currency = "USD" }: { amount: number; currency?: string }) => {
    return amount * (rateOf(currency as string)!);
  },
});
const lookup = tool({ name: "lookup", parameters: z.object({}), execute: async () => (await fetch("https://example.com")).text() });

const ClassifySchema = z.object({ kind: z.enum(["order", "other"]), tags: z.array(z.string()), note: z.string().nullable() });
const classify = new Agent({
  name: "Classify",
  instructions: \`Say what the message is about. {{plain}}\`,
  model: "gpt-4.1-mini",
  outputType: ClassifySchema,
  modelSettings: { temperature: 0.5, topP: 0.9, maxTokens: 2048, store: true }
});
const faq = new Agent({ name: "FAQ", handoffDescription: "Knows the answers.", instructions: "Answer.", tools: [fileSearch] });
interface OrdersContext { mood: string; workflowInputAsText: string; }
const ordersInstructions = (runContext: RunContext<OrdersContext>, _agent: Agent<OrdersContext>) => {
  const { mood, workflowInputAsText } = runContext.context;
  return \`Be \${mood}. The request: \${workflowInputAsText}\`;
};
const orders = new Agent({
  name: "Orders",
  instructions: ordersInstructions,
  model: "gpt-5",
  tools: [mcp, convert, lookup, webSearchTool({ searchContextSize: "low" })],
  handoffs: [faq],
  modelSettings: { reasoning: { effort: "low", summary: "auto" } }
});

const approvalRequest = (message: string) => {
  // TODO: Implement
  return true;
}

type WorkflowInput = { input_as_text: string };

// Main code entrypoint
export const runWorkflow = async (workflow: WorkflowInput) => {
  return await withTrace("Shop desk", async () => {
    const state = { count: 1, mood: null };
    const conversationHistory: AgentInputItem[] = [
      { role: "user", content: [{ type: "input_text", text: workflow.input_as_text }] }
    ];
    const runner = new Runner({ traceMetadata: { __trace_source__: "agent-builder" } });
    const classifyResultTemp = await runner.run(classify, [
      ...conversationHistory,
      { role: "user", content: [{ type: "input_text", text: \`Message: \${workflow.input_as_text}\` }] }
    ]);
    conversationHistory.push(...classifyResultTemp.newItems.map((item) => item.rawItem));
    if (!classifyResultTemp.finalOutput) {
      throw new Error("Agent result is undefined");
    }
    const classifyResult = {
      output_text: JSON.stringify(classifyResultTemp.finalOutput),
      output_parsed: classifyResultTemp.finalOutput
    };
    state.mood = "calm";
    state.count = state.count + 1;
    if (workflow.input_as_text.includes("order") && state.count == 2) {
      const ordersResultTemp = await runner.run(orders, [...conversationHistory], { context: { mood: state.mood, workflowInputAsText: workflow.input_as_text } });
      const ordersResult = { output_text: ordersResultTemp.finalOutput ?? "" };
      return ordersResult;
    } else if (classifyResult.output_parsed.kind == "refund") {
      const approvalMessage = "Refund it?";
      if (approvalRequest(approvalMessage)) {
        return { message: "refunded" };
      } else {
        return { message: "kept" };
      }
    } else {
      const endResult = { message: \`Nothing to do (\${state.count}, \${state.mood})\` };
      return endResult;
    }
  });
}
`;
