import type { JsonObject } from "../../engine/json.ts";
import type { Service, Step } from "../flow/made.ts";
import { asService, knowledgeStep, knownTool } from "../flow/plain-tools.ts";
import { missingIn } from "../n8n/code-shims.ts";
import { toolName } from "../tool-name.ts";
import { type Program, resolved, selfContained, sliceOf } from "./program.ts";
import { calleeOf, child, children, elementsOf, plainOf, propertiesOf, type Syntax, textOf } from "./syntax.ts";
import { jsonOf, schemaOf } from "./zod-schema.ts";
import { lookup } from "../lookup.ts";

/** The tools of an agent, and what has to be said about them. */
export interface MadeTools {
  services: Service[];
  needs: string[];
  notes: string[];
  credentials: { type: string; note: string }[];
}

/** A tool that cannot be one here. */
function placeholderStep(sourceType: string, name: string, source: string, instead: string): Step {
  return {
    type: "placeholder-tool",
    title: name,
    config: {
      sourceType: sourceType.slice(0, 200),
      instead,
      settings: { source: source.slice(0, 50_000) },
      toolName: toolName(name),
    },
  };
}

/** Makes the tool of one expression; agents are left to the caller. */
export function addTool(program: Program, given: Syntax, made: MadeTools): void {
  const node = resolved(program, given);
  const callee = calleeOf(node);
  const [first, second] = children(node, "arguments");
  const settings = propertiesOf(resolved(program, first));
  const add = (step: Step) => made.services.push(asService(step));
  switch (callee.split(".").at(-1)) {
    case "tool":
      return void add(functionTool(program, settings, node, made));
    case "hostedMcpTool":
      return void add(mcpTool(program, settings, made));
    case "webSearchTool":
    case "webSearch": {
      const known = knownTool("serpapi", "web_search");
      if (known) add({ ...known.step, title: "Web search" });
      made.needs.push(known?.needs ?? "");
      made.notes.push("Its web search asks a search API of your choice.");
      return;
    }
    case "fileSearchTool":
    case "fileSearch": {
      const most = plainOf(propertiesOf(second).get("maxNumResults"));
      add({ ...knowledgeStep("file_search", "", typeof most === "number" ? most : undefined), title: "File search" });
      made.notes.push("Make a collection of its files on the Knowledge page and choose it in the tool.");
      return;
    }
    case "MCPServerStreamableHttp":
    case "MCPServerSSE":
      return void add(mcpTool(program, settings, made));
    default: {
      const name = textOf(settings.get("name")) ?? (callee.split(".").at(-1) || "tool");
      const words: Readonly<Record<string, string>> = {
        codeInterpreterTool:
          "Nothing here runs code that a model writes: give it a calculator, or code tools of your own.",
        imageGenerationTool: "Call an API that draws pictures by an HTTP request tool.",
        computerTool: "Nothing here works a computer's screen.",
        MCPServerStdio: "Nothing here starts programs: use a server that speaks Streamable HTTP.",
      };
      const instead =
        lookup(words, name) ?? lookup(words, callee) ?? "Use an HTTP request tool or a code tool that does the same.";
      made.notes.push(`The tool “${name}” is a placeholder. ${instead}`);
      add(placeholderStep(callee || "tool", name, node ? sliceOf(program, node) : "", instead));
    }
  }
}

/** A function that the model calls: in the sandbox where it needs nothing else, as it was otherwise. */
function functionTool(
  program: Program,
  settings: ReadonlyMap<string, Syntax>,
  node: Syntax | undefined,
  made: MadeTools,
): Step {
  const name = textOf(settings.get("name")) ?? "tool";
  const run = resolved(program, settings.get("execute"));
  const schema = schemaOf(program, settings.get("parameters"));
  const approval: JsonObject = asksFirst(program, settings.get("needsApproval")) ? { approval: "ask" } : {};
  const source = node ? sliceOf(program, node) : "";
  const placeholder = (why: string) => {
    const instead = `${why} Write it as a code tool, or as an HTTP request tool. The source is kept.`;
    made.notes.push(`The tool “${name}” is a placeholder. ${instead}`);
    return placeholderStep("tool", name, source, instead);
  };
  if (!run || !/Function/.test(run.type)) return placeholder("Its function is not part of the file.");
  const contained = selfContained(program, run);
  if ("missing" in contained) return placeholder(`It needs “${contained.missing}”, which the sandbox does not have.`);
  const missing = missingIn(`${contained.helpers}\n${contained.code}`);
  if (missing.length > 0) return placeholder(`It needs ${missing.join(" and ")}, which the sandbox does not have.`);
  return {
    type: "code-tool",
    title: name,
    config: {
      toolName: toolName(name),
      toolDescription: (textOf(settings.get("description")) || `Runs ${name}.`).slice(0, 4_000),
      parameters: schema?.type === "object" ? schema : { type: "object", properties: {}, additionalProperties: true },
      code: `${contained.helpers}${contained.helpers === "" ? "" : "\n"}const execute = ${contained.code.trim()};\nreturn await execute(args, { context: {} });`,
      ...approval,
    },
  };
}

/** Whether a call has to be agreed to: always where a function decides. */
function asksFirst(program: Program, given: Syntax | undefined): boolean {
  const node = resolved(program, given);
  return node !== undefined && plainOf(node) !== false;
}

function mcpTool(program: Program, settings: ReadonlyMap<string, Syntax>, made: MadeTools): Step {
  const label = textOf(settings.get("serverLabel")) ?? textOf(settings.get("name")) ?? "mcp";
  const url = textOf(resolved(program, settings.get("serverUrl") ?? settings.get("url"))) ?? "";
  const allowed = jsonOf(program, settings.get("allowedTools"));
  const names = Array.isArray(allowed) ? allowed : [];
  const approval = jsonOf(program, settings.get("requireApproval"));
  const connector = textOf(settings.get("connectorId"));
  if (settings.has("authorization") || settings.has("headers")) {
    made.credentials.push({
      type: `authorization of ${label}`,
      note: "The token that was written here does not come along: keep it in a credential.",
    });
    made.needs.push(`a credential for ${label}`);
  }
  made.notes.push(
    connector === undefined
      ? `List the tools of ${label} in its settings and approve those that the agent may use.`
      : `${label} was the connector ${connector}: enter the address of a server that does the same.`,
  );
  return {
    type: "mcp-tool",
    title: label,
    config: {
      url: url.slice(0, 2_048),
      serverName: toolName(label).slice(0, 30),
      include: names.filter((one): one is string => typeof one === "string"),
      ...(approval === "always" || (typeof approval === "object" && approval !== null) ? { approval: "ask" } : {}),
    },
  };
}

/** The tools of an agent that are no agents. */
export function toolsOf(
  program: Program,
  settings: ReadonlyMap<string, Syntax>,
  isAgent: (node: Syntax) => boolean,
): MadeTools {
  const made: MadeTools = { services: [], needs: [], notes: [], credentials: [] };
  for (const key of ["tools", "mcpServers"]) {
    for (const one of elementsOf(resolved(program, settings.get(key)))) {
      const inner = one.type === "SpreadElement" ? elementsOf(resolved(program, child(one, "argument"))) : [one];
      for (const each of inner) if (!isAgent(each)) addTool(program, each, made);
    }
  }
  return made;
}
