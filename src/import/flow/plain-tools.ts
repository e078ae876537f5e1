import type { JsonObject } from "../../engine/json.ts";
import { toolName } from "../tool-name.ts";
import type { Made, Service, Step } from "./made.ts";
import { byModel, webService } from "./web-services.ts";

/** A tool that several builders have, as a tool node here; undefined for one that is not known. */
export function knownTool(
  name: string,
  shown: string,
  description = "",
): { step: Step; needs?: string; outcome?: Made["outcome"]; note?: string } | undefined {
  const words = (usual: string): JsonObject => ({
    toolName: toolName(shown),
    toolDescription: (description || usual).slice(0, 4_000),
  });
  if (/calculator|(^|[/_])maths?($|_)|eval_expression/i.test(name))
    return { step: { type: "calculator-tool", config: { toolName: toolName(shown) } } };
  if (/current.?(date)?.?time|(^|[/_])time($|[/_])|currentDateTime|localtime/i.test(name)) {
    const code = "return new Date().toISOString();";
    return { step: { type: "code-tool", config: { ...words("Tells the current date and time."), code } } };
  }
  const web = webService(name, byModel);
  if (!web) return undefined;
  return {
    step: { type: "http-request-tool", config: { ...words(web.says), ...web.config } },
    ...(web.needs === undefined ? {} : { needs: web.needs }),
    outcome: "approximated",
    note: "Calls the service's API directly.",
  };
}

/** A tool node, wired to its agent. */
export const asService = (step: Step): Service => ({ ...step, output: "tool", input: "tools" });

/** A collection that has to be filled again, as a tool. */
export function knowledgeStep(shown: string, description: string, topK: number | undefined): Step {
  return {
    type: "knowledge-base-tool",
    config: {
      toolName: toolName(shown),
      toolDescription:
        description.slice(0, 4_000) || "Searches the knowledge base and returns passages of its documents, best first.",
      ...(topK === undefined ? {} : { topK: Math.min(50, Math.max(1, Math.round(topK))) }),
      minScore: 0.5,
    },
  };
}

/** The same as a step of the flow. */
export function searchStep(title: string, query: string, topK: number | undefined): Step {
  return {
    type: "search-documents",
    title: title.slice(0, 150),
    config: {
      query,
      ...(topK === undefined ? {} : { topK: Math.min(50, Math.max(1, Math.round(topK))) }),
      minScore: 0.5,
    },
  };
}
