import type { CodeFile } from "../code-file.ts";
import type { AgentCode, ChosenModel, McpCode, TargetCode, ToolCode } from "../export-target.ts";
import { isAnyJson, objectCode, settingLines } from "./target-code.ts";

const version = "0.13.3";

/** Where vendors that are not OpenAI answer in OpenAI's format. */
const addresses: Readonly<Record<string, string>> = {
  anthropic: "https://api.anthropic.com/v1/",
  gemini: "https://generativelanguage.googleapis.com/v1beta/openai/",
};

/** OpenAI's Agents SDK. */
export const openaiAgents: TargetCode = {
  title: "OpenAI's Agents SDK",
  countsTokens: false,
  model,
  agent,
};

function model({ vendor, model: name, baseUrl, key }: ChosenModel, file: CodeFile): string {
  // The SDK's own way: it reads the key by itself.
  if (vendor === "openai") return JSON.stringify(name);
  file.import("@openai/agents", version, "OpenAIChatCompletionsModel");
  file.import("openai", "6.49.0", "OpenAI");
  const address = addresses[vendor] === undefined ? (baseUrl ?? '""') : JSON.stringify(addresses[vendor]);
  return `new OpenAIChatCompletionsModel(new OpenAI({ apiKey: process.env.${key} ?? "none", baseURL: ${address} }), ${JSON.stringify(name)})`;
}

function agent(agent: AgentCode, file: CodeFile): string {
  const { name, title, instructions, message, tools, servers, memory, outputSchema, model: made } = agent;
  file.import("@openai/agents", version, "Agent", "run as runAgent");
  file.import("zod", "4.6.7");
  if (tools.length > 0) file.import("@openai/agents", version, "tool");
  if (memory) file.import("@openai/agents", version, "type AgentInputItem");
  const { seed, stop, ...known } = made.settings;
  if (seed !== undefined || stop !== undefined) {
    file.note("Seed and stop sequences are sent as the provider's own settings.", title);
  }
  const own = { ...(seed === undefined ? {} : { seed }), ...(stop === undefined ? {} : { stop }) };
  const settings = [
    ...settingLines(known, {}),
    ...(agent.toolChoice === "auto" || tools.length + servers.length === 0
      ? []
      : [`toolChoice: "${agent.toolChoice}",`]),
    ...(Object.keys(own).length > 0 ? [`providerData: ${JSON.stringify(own)},`] : []),
  ];
  const isTyped = outputSchema !== null && !isAnyJson(outputSchema);
  const lines = [
    `    name: ${JSON.stringify(title)},`,
    `    instructions: ${instructions},`,
    `    model: ${agent.fallbacks.length > 0 ? "model" : made.code},`,
    settings.length > 0 ? `    modelSettings: { ${settings.join(" ").replace(/,$/, "")} },` : "",
    tools.length > 0 ? `    tools: [\n${tools.map(toolCode).join("\n")}\n    ],` : "",
    servers.length > 0 ? `    mcpServers: [${servers.map((server) => server.name).join(", ")}],` : "",
    isTyped
      ? `    outputType: { type: "json_schema", name: "answer", strict: false, schema: ${objectCode(outputSchema, 4)} as Json },`
      : "",
  ].filter((line) => line !== "");
  const answer =
    outputSchema !== null && !isTyped
      ? 'JSON.parse(String(result.finalOutput ?? "null")) as Json'
      : "result.finalOutput";
  const asked = memory ? '[...history, { role: "user", content: question }]' : message;
  const limits = `{ maxTurns: ${agent.maxIterations}, signal: AbortSignal.timeout(${agent.timeoutMs}) }`;
  return `${memory ? `const ${name}Conversations = new Map<string, AgentInputItem[]>();\n\n` : ""}/** ${title} */
async function ${name}(json: Json, scope: Scope): Promise<Json> {
${memory ? `  const session = ${memory.session};\n  const history = ${name}Conversations.get(session) ?? [];\n  const question = ${message};\n` : ""}${fallbackLines(agent, file)}${servers.map((server) => serverCode(server, file)).join("")}  const made = new Agent({
${lines.join("\n")}
  });
  const result = await runAgent(made, ${asked}, ${limits})${closing(servers)};
${memory ? `  const said: AgentInputItem[] = [\n    ...history,\n    { role: "user", content: question },\n    { role: "assistant", status: "completed", content: [{ type: "output_text", text: text(result.finalOutput) }] },\n  ];\n  ${name}Conversations.set(session, said.slice(-${memory.messages}));\n` : ""}  return { response: ${answer} };
}`;
}

/** A model that asks the next one where one has failed; nothing where there is no other. */
function fallbackLines({ model: made, fallbacks }: AgentCode, file: CodeFile): string {
  if (fallbacks.length === 0) return "";
  file.import("@openai/agents", version, "type Model", "OpenAIProvider");
  return `  // Asked in this order where the model before has failed.
  const models: (string | Model)[] = [${[made, ...fallbacks].map(({ code }) => code).join(", ")}];
  const opened = (one: string | Model) => (typeof one === "string" ? new OpenAIProvider().getModel(one) : one);
  const model: Model = {
    async getResponse(request) {
      let failure: unknown;
      for (const one of models) {
        try {
          return await (await opened(one)).getResponse(request);
        } catch (error) {
          failure = error;
        }
      }
      throw failure;
    },
    async *getStreamedResponse(request) {
      yield* (await opened(models[0] ?? "")).getStreamedResponse(request);
    },
  };
`;
}

function toolCode({ name, description, parameters, call }: ToolCode): string {
  return `      tool({
        name: ${JSON.stringify(name)},
        description: ${description},
        parameters: ${objectCode(parameters, 8)} as Json,
        strict: false,
        execute: async (args: Json) => ${call},
      }),`;
}

function serverCode({ name, url, tools, prefix }: McpCode, file: CodeFile): string {
  file.import("@openai/agents", version, "MCPServerStreamableHttp");
  file.note(`The tools of this MCP server have no prefix (“${prefix}__”) in the program.`, name);
  return `  const ${name} = new MCPServerStreamableHttp({
    name: ${JSON.stringify(name)},
    url: ${url},
    toolFilter: { allowedToolNames: ${JSON.stringify(tools)} },
  });
  await ${name}.connect();
`;
}

function closing(servers: readonly McpCode[]): string {
  if (servers.length === 0) return "";
  return `.finally(() => Promise.all([${servers.map(({ name }) => `${name}.close()`).join(", ")}]))`;
}
