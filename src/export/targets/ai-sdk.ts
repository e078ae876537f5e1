import type { CodeFile } from "../code-file.ts";
import type { AgentCode, ChosenModel, McpCode, TargetCode, ToolCode } from "../export-target.ts";
import { isAnyJson, objectCode, settingLines } from "./target-code.ts";

const version = "6.0.324";

/** The package that makes each vendor's models. */
const makers: Readonly<Record<string, readonly [module: string, version: string, maker: string]>> = {
  openai: ["@ai-sdk/openai", "3.0.141", "createOpenAI"],
  anthropic: ["@ai-sdk/anthropic", "3.0.140", "createAnthropic"],
  gemini: ["@ai-sdk/google", "3.0.141", "createGoogleGenerativeAI"],
};

/** Vercel's AI SDK. */
export const aiSdk: TargetCode = {
  title: "the AI SDK",
  countsTokens: true,
  model,
  agent,
};

function model({ vendor, model: name, baseUrl, key }: ChosenModel, file: CodeFile): string {
  const maker = makers[vendor];
  if (maker) {
    file.import(...maker);
    return `${maker[2]}({ apiKey: process.env.${key} ?? "" })(${JSON.stringify(name)})`;
  }
  file.import("@ai-sdk/openai-compatible", "2.0.91", "createOpenAICompatible");
  return `createOpenAICompatible({ name: "model-server", baseURL: ${baseUrl ?? '""'}, apiKey: process.env.${key} ?? "" })(${JSON.stringify(name)})`;
}

function agent(agent: AgentCode, file: CodeFile): string {
  const { name, title, instructions, message, tools, servers, memory, outputSchema } = agent;
  file.import("ai", version, "generateText", "stepCountIs");
  const settings = settingLines(agent.model.settings, { maxTokens: "maxOutputTokens", stop: "stopSequences" });
  if (tools.length > 0 || outputSchema) file.import("ai", version, "jsonSchema");
  if (tools.length > 0) file.import("ai", version, "tool");
  const isTyped = outputSchema !== null && !isAnyJson(outputSchema);
  if (isTyped) file.import("ai", version, "Output");
  if (memory) file.import("ai", version, "type ModelMessage");
  const opened = servers.map((server) => serverCode(server, file));
  const toolsCode = [...tools.map(toolCode), ...servers.map(({ name: server }) => `      ...${server}Tools,`)].join(
    "\n",
  );
  const lines = [
    "    model,",
    `    system: ${instructions},`,
    memory ? "    messages: [...history, question]," : `    prompt: ${message},`,
    toolsCode === "" ? "" : `    tools: {\n${toolsCode}\n    },`,
    toolsCode === "" || agent.toolChoice === "auto"
      ? ""
      : // Only the first call has to use a tool: else the model could never answer.
        agent.toolChoice === "required"
        ? '    prepareStep: ({ stepNumber }) => ({ toolChoice: stepNumber === 0 ? "required" : "auto" }),'
        : '    toolChoice: "none",',
    `    stopWhen: ${stopCode(agent)},`,
    `    abortSignal: AbortSignal.timeout(${agent.timeoutMs}),`,
    isTyped ? `    output: Output.object({ schema: jsonSchema<Json>(${objectCode(outputSchema, 4)}) }),` : "",
    ...settings.map((line) => `    ${line}`),
  ].filter((line) => line !== "");
  const answer = outputSchema === null ? "result.text" : isTyped ? "result.output" : "JSON.parse(result.text) as Json";
  return `${memory ? `const ${name}Conversations = new Map<string, ModelMessage[]>();\n\n` : ""}/** ${title} */
async function ${name}(json: Json, scope: Scope): Promise<Json> {
${modelLines(agent, file)}${memory ? `  const session = ${memory.session};\n  const history = ${name}Conversations.get(session) ?? [];\n  const question: ModelMessage = { role: "user", content: ${message} };\n` : ""}${opened.join("")}  const result = await generateText({
${lines.join("\n")}
  })${closing(servers)};
${memory ? `  const said: ModelMessage[] = [...history, question, { role: "assistant", content: result.text }];\n  ${name}Conversations.set(session, said.slice(-${memory.messages}));\n` : ""}  return { response: ${answer} };
}`;
}

/** The model, with those that are asked where it fails. */
function modelLines({ model: made, fallbacks }: AgentCode, file: CodeFile): string {
  if (fallbacks.length === 0) return `  const model = ${made.code};\n`;
  file.import("ai", version, "wrapLanguageModel");
  return `  // Asked in this order where the model before has failed.
  const others = [${fallbacks.map(({ code }) => code).join(", ")}];
  const model = wrapLanguageModel({
    model: ${made.code},
    middleware: {
      specificationVersion: "v3",
      wrapGenerate: async ({ doGenerate, params }) => {
        let failure: unknown;
        for (const ask of [doGenerate, ...others.map((other) => () => other.doGenerate(params))]) {
          try {
            return await ask();
          } catch (error) {
            failure = error;
          }
        }
        throw failure;
      },
    },
  });
`;
}

/** When the loop ends: after a number of calls of the model, or of tokens. */
function stopCode({ maxIterations, mostTokens }: AgentCode): string {
  const steps = `stepCountIs(${maxIterations})`;
  if (mostTokens === undefined) return steps;
  return `[${steps}, ({ steps }) => steps.reduce((sum, { usage }) => sum + (usage.totalTokens ?? 0), 0) >= ${mostTokens}]`;
}

function toolCode({ name, description, parameters, call }: ToolCode): string {
  return `      ${JSON.stringify(name)}: tool({
        description: ${description},
        inputSchema: jsonSchema<Json>(${objectCode(parameters, 8)}),
        execute: async (args) => ${call},
      }),`;
}

function serverCode({ name, url, tools, prefix }: McpCode, file: CodeFile): string {
  file.import("@ai-sdk/mcp", "1.0.102", "createMCPClient");
  file.import("ai", version, "type ToolSet");
  return `  const ${name} = await createMCPClient({ transport: { type: "http", url: ${url} } });
  const ${name}Approved: string[] = ${JSON.stringify(tools)};
  const ${name}Tools = Object.fromEntries(
    Object.entries(await ${name}.tools())
      .filter(([tool]) => ${name}Approved.includes(tool))
      .map(([tool, made]) => [\`${prefix}__\${tool}\`, made]),
  ) as ToolSet;
`;
}

function closing(servers: readonly McpCode[]): string {
  if (servers.length === 0) return "";
  return `.finally(() => Promise.all([${servers.map(({ name }) => `${name}.close()`).join(", ")}]))`;
}
