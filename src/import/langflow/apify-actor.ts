import { type JsonObject, parseJson } from "../../engine/json.ts";
import { placeholder, placeholderTool, type Made } from "../flow/made.ts";
import { toolName } from "../tool-name.ts";
import { textOf } from "./read-langflow.ts";
import type { LangflowWork } from "./work.ts";

/** Runs an actor and gives its results, at most five minutes (docs.apify.com/api/v2/act-run-sync-get-dataset-items-post). */
export function apifyActor(work: LangflowWork): Made {
  const { type, name, data } = work.node;
  const actor = textOf(data.actor_id).trim();
  if (!/^[\w.~/-]+$/.test(actor)) {
    const words = "It does not say which actor of Apify runs.";
    return work.isTool ? placeholderTool(type, toolName(name), data, words) : placeholder(type, data, words);
  }
  const fields = textOf(data.dataset_fields).trim();
  const request: JsonObject = {
    method: "POST",
    url: `https://api.apify.com/v2/acts/${actor.replace("/", "~")}/run-sync-get-dataset-items`,
    query: fields === "" ? {} : { fields },
    needsCredential: true,
  };
  const shared: Partial<Made> = {
    outcome: "approximated",
    note: "Calls Apify’s API, which waits for the results for at most five minutes.",
    needs: "an Apify token (HTTP bearer)",
  };
  if (!work.isTool)
    return {
      ...shared,
      step: { type: "http-request", config: { ...request, body: written(work.text("run_input")), result: "body" } },
    };
  const input = textOf(data.run_input).trim();
  const description = textOf(data.tool_description) || `Runs the actor ${actor} of Apify and gives its results.`;
  return {
    ...shared,
    ...(input === "" || input === "{}"
      ? {}
      : { settings: [{ name: "run_input", outcome: "approximated", note: `${input} (The model gives the input.)` }] }),
    step: {
      type: "http-request-tool",
      config: {
        ...request,
        toolName: toolName(name),
        toolDescription: description.slice(0, 4_000),
        body: `{{ai("run_input", "Input of the actor ${actor}, as JSON", "json")}}`,
      },
    },
    output: () => "tool",
    input: () => undefined,
  };
}

/** JSON that stands in a text, as JSON. */
const written = (text: string) => (text.includes("{{") ? text : (parseJson(text) ?? {}));
