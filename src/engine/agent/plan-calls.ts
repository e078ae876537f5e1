import type { ToolCallPart } from "../model/message.ts";
import type { ModelAnswer } from "./call-model.ts";
import type { AgentSettings } from "./settings.ts";

/** More calls than this in one turn are not run; the model is told. */
const maxCallsPerTurn = 100;

/** One call that a model asked for. */
export interface PlannedCall {
  part: ToolCallPart;
  /** Why it is not run, in words for the model. */
  refusal: string | undefined;
  /** What the model is told besides the result. */
  note: string | undefined;
}

/**
 * Which calls of one turn are run, in call order. `repeatedIds` are those whose id the model used twice: their new id →
 * the id that it gave.
 */
export function planCalls(
  parts: readonly ToolCallPart[],
  repeatedIds: ModelAnswer["repeatedIds"],
  toolChoice: AgentSettings["toolChoice"],
): PlannedCall[] {
  const seen = new Set<string>();
  return parts.map((part, index) => {
    const body = `${part.toolName}\n${part.arguments}`;
    const oldId = repeatedIds.get(part.callId);
    const double = oldId !== undefined && seen.has(body);
    seen.add(body);
    const refusal =
      toolChoice === "none"
        ? "Tools are turned off for this agent. Answer without calling any."
        : index >= maxCallsPerTurn
          ? `Only ${maxCallsPerTurn} calls are run per turn; this one was not. Make fewer calls at once.`
          : double
            ? `The call id "${oldId}" was used twice for the same call, which was run only once.`
            : undefined;
    const note =
      oldId !== undefined && !double ? `[The call id "${oldId}" was used twice; each call was run.]` : undefined;
    return { part, refusal, note };
  });
}
