import type { RunContext } from "../../engine/document/define-node.ts";
import { answerHeaderProblem } from "../../doors/http-answer.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";

/** The settings of the node, once parsed. */
interface RespondConfig {
  status: number;
  headers: Record<string, string>;
  bodyType: "input" | "json" | "text" | "none";
  json: Json;
  text: string;
}

/** The answer; what the caller gets is sent by the door that the request came by. */
export function run({ config, json }: RunContext<RespondConfig, unknown>): JsonObject {
  for (const [name, value] of Object.entries(config.headers)) {
    const problem = answerHeaderProblem(name, value);
    if (problem !== undefined)
      throw new RunError({ code: "invalid_config", message: problem, hint: "Correct the headers of this node." });
  }
  const bodies: Record<RespondConfig["bodyType"], Json> = {
    input: json,
    json: config.json,
    text: config.text,
    none: null,
  };
  return { status: config.status, headers: config.headers, body: bodies[config.bodyType] };
}
