/** A component as Langflow exports it. */
export const langflowNode = (id: string, values: object = {}, name = id) => ({
  id,
  type: "genericNode",
  position: { x: 0, y: 0 },
  data: {
    id,
    type: id.replace(/-\w+$/, ""),
    node: {
      display_name: name,
      template: Object.fromEntries([
        ["_type", "Component"],
        ...Object.entries(values).map(([key, value]) => [key, { value }]),
      ]),
    },
  },
});

/** An edge whose handles are texts, as older versions have them. */
export const langflowEdge = (from: string, output: string, to: string, field: string) => ({
  source: from,
  target: to,
  sourceHandle: `{œdataTypeœ: œXœ, œidœ: œ${from}œ, œnameœ: œ${output}œ}`,
  targetHandle: `{œfieldNameœ: œ${field}œ, œidœ: œ${to}œ, œtypeœ: œstrœ}`,
});

/** A prompt, a condition, an agent with a tool, and two answers. */
export const langflow = {
  name: "Desk",
  data: {
    nodes: [
      langflowNode("ChatInput-a", {}, "Input"),
      langflowNode("Prompt-b", { template: "You help with {topic}. {{plain}}", topic: "sums" }, "Prompt"),
      langflowNode(
        "Agent-c",
        { agent_llm: "Anthropic", model_name: "claude-sonnet-4-6", temperature: 0.1, max_iterations: 5 },
        "Helper",
      ),
      langflowNode("CalculatorComponent-d", {}, "Calculator"),
      langflowNode("ConditionalRouter-e", { operator: "contains", match_text: "sum" }, "Which"),
      langflowNode("ChatOutput-f", {}, "Yes"),
      langflowNode("ChatOutput-g", {}, "No"),
      langflowNode("PythonFunction-h", { code: "def f(): pass" }, "Own"),
      {
        id: "note-1",
        type: "noteNode",
        position: { x: 0, y: 0 },
        data: { id: "note-1", node: { description: "A note" } },
      },
    ],
    edges: [
      langflowEdge("ChatInput-a", "message", "ConditionalRouter-e", "input_text"),
      langflowEdge("ConditionalRouter-e", "true_result", "Agent-c", "input_value"),
      langflowEdge("Prompt-b", "prompt", "Agent-c", "system_prompt"),
      langflowEdge("CalculatorComponent-d", "component_as_tool", "Agent-c", "tools"),
      langflowEdge("Agent-c", "response", "ChatOutput-f", "input_value"),
      langflowEdge("ConditionalRouter-e", "false_result", "ChatOutput-g", "input_value"),
    ],
  },
};
