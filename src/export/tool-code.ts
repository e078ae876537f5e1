import { definitionOf } from "../engine/document/can-connect.ts";
import type { NodeRecord } from "../engine/document/workflow-document.ts";
import { isJsonObject, type JsonObject, type JsonSchema } from "../engine/json.ts";
import { aiParameters } from "../engine/template/ai-parameters.ts";
import { compileConfig } from "../engine/template/config-templates.ts";
import { commentText } from "./code-file.ts";
import { configOf, type ExportWork, placeOf } from "./exported-node.ts";
import type { McpCode, ToolCode } from "./export-target.ts";
import { requestCode } from "./request-code.ts";
import { textCode, valueCode } from "./template-code.ts";
import { typedJavaScript } from "./typed-javascript.ts";

const anything: JsonSchema = { type: "object", properties: {}, additionalProperties: true };
const oneText = (name: string, description: string): JsonSchema => ({
  type: "object",
  properties: { [name]: { type: "string", description } },
  required: [name],
  additionalProperties: false,
});

/** A tool node, or an agent that serves as a tool, as a tool of the program. */
export function toolCode(work: ExportWork, node: NodeRecord): ToolCode {
  const { file, registry } = work;
  const config = configOf(work, node);
  const name = definitionOf(registry, node.type)?.toolName?.(node) ?? node.id;
  const description = textCode(
    typeof config.toolDescription === "string" ? config.toolDescription : "",
    placeOf(work, node),
  );
  const { parameters, call } = workOf(work, node, config);
  const longest = typeof config.maxResultChars === "number" ? config.maxResultChars : 20_000;
  return {
    name,
    description,
    parameters,
    call: `${file.helper("toolResult")}(${longest}, () => ${guarded(work, node, config, name, call)})`,
  };
}

/** A call that a person agrees to first, where the node asks for it. */
function guarded({ file }: ExportWork, node: NodeRecord, config: JsonObject, name: string, call: string): string {
  const { approval } = config;
  if (approval === undefined || approval === "never") return call;
  if (approval === "once") file.note("Every call asks `options.approve` first, not only the first one.", node.title);
  if (approval === "ask-after-untrusted") {
    file.note(
      "Every call asks `options.approve` first: the program does not follow what came from outside.",
      node.title,
    );
  }
  return `${file.helper("askedFirst")}(${JSON.stringify(name)}, args, scope.options, async () => ${call})`;
}

function workOf(work: ExportWork, node: NodeRecord, config: JsonObject): Pick<ToolCode, "parameters" | "call"> {
  const { file, functions } = work;
  switch (node.type) {
    case "ai-agent":
      return {
        parameters: oneText("message", "The question or task, complete in itself."),
        call: `${functions.get(node.id) ?? "agent"}({ message: args.message }, scope).then((output) => output.response)`,
      };
    case "calculator-tool":
      return {
        parameters: oneText("expression", "The expression to calculate, such as (12.5 + 3) * 2^4 or sqrt(2) / 3."),
        call: `${file.helper("calculate")}(String(args.expression))`,
      };
    case "code-tool":
      return codeTool(work, node, config);
    case "http-request-tool":
      return httpTool(work, node, config);
    default: {
      const what = commentText(`The tool “${node.title}” (${node.type})`);
      file.note("This tool needs the studio. A call of it fails; put a function of your own in its place.", node.title);
      return { parameters: anything, call: `${file.helper("notCarried")}(${JSON.stringify(what)})` };
    }
  }
}

/** The code of a tool as a function of its own, whose variables are the arguments and inputs. */
function codeTool(work: ExportWork, node: NodeRecord, config: JsonObject): Pick<ToolCode, "parameters" | "call"> {
  const parameters = isJsonObject(config.parameters) ? config.parameters : anything;
  const declared = isJsonObject(parameters.properties) ? parameters.properties : {};
  const defaults = Object.fromEntries(
    Object.entries(declared).flatMap(([name, schema]) =>
      isJsonObject(schema) && schema.default !== undefined ? [[name, schema.default]] : [],
    ),
  );
  const inputs = isJsonObject(config.inputs) ? config.inputs : {};
  const names = Object.keys(declared).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name));
  const code = typeof config.code === "string" ? config.code : "return null;";
  work.file.note("Its code runs in the program itself, not in a sandbox.", node.title);
  const given = Object.keys(defaults).length > 0 ? `{ ...${JSON.stringify(defaults)}, ...args }` : "args";
  const params = [`{ ${names.join(", ")} }: Json`, `{ ${Object.keys(inputs).join(", ")} }: Json`, "args: Json"];
  return {
    parameters,
    call: `(async (${params.join(", ")}) => {\n${typedJavaScript(code)}\n})(${given}, ${valueCode(inputs, placeOf(work, node))}, args)`,
  };
}

function httpTool(work: ExportWork, node: NodeRecord, config: JsonObject): Pick<ToolCode, "parameters" | "call"> {
  const definition = definitionOf(work.registry, node.type);
  const isFixed = typeof config.url === "string" && config.url.trim() !== "";
  if (isFixed && definition) {
    return {
      parameters: aiParameters(compileConfig(definition, config)),
      call: requestCode(config, placeOf(work, node, "args")),
    };
  }
  const { timeoutMs, allowedHosts, headers } = config;
  const hosts =
    Array.isArray(allowedHosts) && allowedHosts.length > 0 ? `, allowedHosts: ${JSON.stringify(allowedHosts)}` : "";
  const own = isJsonObject(headers) ? valueCode(headers, placeOf(work, node)) : "{}";
  const texts = { type: "object", additionalProperties: { type: "string" } };
  return {
    parameters: {
      type: "object",
      properties: {
        url: { type: "string", description: "The whole address, with https:// or http://." },
        method: {
          type: "string",
          enum: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"],
          description: "GET when absent.",
        },
        query: { ...texts, description: "Parameters to add to the URL." },
        headers: { ...texts, description: "Headers to send." },
        body: { description: "What to send: text, or JSON." },
      },
      required: ["url"],
      additionalProperties: false,
    },
    call: `${work.file.helper("sendRequest")}({ method: args.method ?? "GET", url: args.url, query: args.query, headers: { ...args.headers, ...${own} }, body: args.body, timeoutMs: ${Number(timeoutMs ?? 30_000)}${hosts} })`,
  };
}

/** An MCP server with the tools of it that were approved. */
export function mcpCode(work: ExportWork, node: NodeRecord): McpCode {
  const { file } = work;
  const config = configOf(work, node);
  const prefix = typeof config.serverName === "string" && config.serverName !== "" ? config.serverName : "mcp";
  if (typeof config.credential === "string" && config.credential !== "") {
    file.note("Its credential stays in the studio: add the header that signs its requests.", node.title);
  }
  if (config.approval !== "never") file.note("Calls of its tools are not asked about first.", node.title);
  let url = JSON.stringify(config.url ?? "");
  if (config.url === undefined || config.url === "") {
    const variable = `${prefix.toUpperCase().replaceAll("-", "_")}_MCP_URL`;
    file.environment.set(variable, `where “${node.title}” is reached`);
    url = `process.env.${variable} ?? ""`;
  }
  const tools = isJsonObject(config.pins) ? Object.keys(config.pins) : [];
  return { name: file.name(`${prefix} server`), url, tools, prefix };
}
