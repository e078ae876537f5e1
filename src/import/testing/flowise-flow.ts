/** A node as Flowise exports it. */
export const flowiseNode = (
  id: string,
  category: string,
  inputs: object = {},
  more: { name?: string; label?: string; parentNode?: string } = {},
) => {
  const { name = id.replace(/_\d+$/, ""), label = id, ...rest } = more;
  return {
    id,
    position: { x: 0, y: 0 },
    type: "customNode",
    data: { id, name, label, category, baseClasses: [name], inputAnchors: [], inputs },
    ...rest,
  };
};

/** An edge with the handles that Flowise gives it. */
export const flowiseEdge = (from: string, to: string, input = "", output = "") => ({
  source: from,
  sourceHandle: output === "" ? `${from}-output-${from.replace(/_\d+$/, "")}-Thing` : `${from}-output-${output}`,
  target: to,
  targetHandle: input === "" ? to : `${to}-input-${input}-Thing`,
});

const mention = (name: string) => `<p><span class="variable">{{ ${name} }}</span></p>`;

/** An agentflow with state, a condition, a loop over a list and a reply. */
export const flowiseAgentflow = {
  nodes: [
    flowiseNode(
      "startAgentflow_0",
      "Agent Flows",
      { startInputType: "chatInput", startState: [{ key: "mood", value: "calm" }] },
      { label: "Start" },
    ),
    flowiseNode(
      "llmAgentflow_0",
      "Agent Flows",
      {
        llmModel: "chatAnthropic",
        llmModelConfig: { modelName: "claude-sonnet-4-6", temperature: 0.2 },
        llmMessages: [{ role: "system", content: `<p>Be {{ $flow.state.mood }}</p>` }],
        llmUserMessage: mention("question"),
        llmEnableMemory: true,
        llmMemoryType: "windowSize",
        llmMemoryWindowSize: "3",
        llmUpdateState: [{ key: "mood", value: mention("output") }],
      },
      { label: "Think" },
    ),
    flowiseNode(
      "conditionAgentflow_0",
      "Agent Flows",
      { conditions: [{ type: "string", value1: mention("question"), operation: "contains", value2: "<p>list</p>" }] },
      { label: "Which way" },
    ),
    flowiseNode(
      "customFunctionAgentflow_0",
      "Agent Flows",
      {
        customFunctionInputVariables: [{ variableName: "words", variableValue: mention("question") }],
        customFunctionJavascriptFunction:
          "return $words.split(' ').map((word) => ({ word, mood: $flow.state.mood.length > 0 }));",
      },
      { label: "Cut" },
    ),
    flowiseNode(
      "iterationAgentflow_0",
      "Agent Flows",
      { iterationInput: mention("customFunctionAgentflow_0") },
      { label: "Each" },
    ),
    flowiseNode(
      "directReplyAgentflow_1",
      "Agent Flows",
      { directReplyMessage: `<p>&lt;{{ $iteration.word }}&gt;</p>` },
      { name: "directReplyAgentflow", label: "Say", parentNode: "iterationAgentflow_0" },
    ),
    flowiseNode(
      "directReplyAgentflow_0",
      "Agent Flows",
      { directReplyMessage: mention("iterationAgentflow_0") },
      { label: "All" },
    ),
    flowiseNode(
      "directReplyAgentflow_2",
      "Agent Flows",
      { directReplyMessage: `<p>It was: {{ $flow.state.mood }}</p>` },
      { name: "directReplyAgentflow", label: "Other" },
    ),
    flowiseNode("stickyNoteAgentflow_0", "Agent Flows", { note: "Remember" }, { label: "Sticky Note" }),
  ],
  edges: [
    flowiseEdge("startAgentflow_0", "llmAgentflow_0"),
    flowiseEdge("llmAgentflow_0", "conditionAgentflow_0"),
    flowiseEdge("conditionAgentflow_0", "customFunctionAgentflow_0", "", "0"),
    flowiseEdge("conditionAgentflow_0", "directReplyAgentflow_2", "", "1"),
    flowiseEdge("customFunctionAgentflow_0", "iterationAgentflow_0"),
    flowiseEdge("iterationAgentflow_0", "directReplyAgentflow_0"),
  ],
};

/** A chatflow: an agent with a model, a memory, tools and a store. */
export const flowiseChatflow = {
  nodes: [
    flowiseNode("toolAgent_0", "Agents", { systemMessage: "Help.", maxIterations: "4" }, { label: "Helper" }),
    flowiseNode(
      "chatOpenAI_0",
      "Chat Models",
      { modelName: "gpt-4o-mini", temperature: 0.9, maxTokens: "" },
      { label: "Model" },
    ),
    flowiseNode("bufferWindowMemory_0", "Memory", { k: "4" }, { label: "Memory" }),
    flowiseNode("calculator_0", "Tools", {}, { label: "Calculator" }),
    flowiseNode("serpAPI_0", "Tools", {}, { label: "Search" }),
    flowiseNode("customTool_0", "Tools", { selectedTool: "some-id" }, { label: "Own tool" }),
    flowiseNode(
      "retrieverTool_0",
      "Tools",
      { name: "search_docs", description: "Finds documents" },
      { label: "Retriever" },
    ),
    flowiseNode("pinecone_0", "Vector Stores", { topK: "3" }, { label: "Store" }),
    flowiseNode("openAIEmbeddings_0", "Embeddings", {}, { label: "Embeddings" }),
    flowiseNode("stickyNote_0", "Utilities", { note: "A note" }, { label: "Sticky Note" }),
  ],
  edges: [
    flowiseEdge("chatOpenAI_0", "toolAgent_0", "model"),
    flowiseEdge("bufferWindowMemory_0", "toolAgent_0", "memory"),
    flowiseEdge("calculator_0", "toolAgent_0", "tools"),
    flowiseEdge("serpAPI_0", "toolAgent_0", "tools"),
    flowiseEdge("customTool_0", "toolAgent_0", "tools"),
    flowiseEdge("retrieverTool_0", "toolAgent_0", "tools"),
    flowiseEdge("pinecone_0", "retrieverTool_0", "retriever"),
    flowiseEdge("openAIEmbeddings_0", "pinecone_0", "embeddings"),
  ],
};
