import type { ToolCallPart } from "../../model/message.ts";
import type { ModelAnswer } from "../model-call/model-call.ts";
import type { AgentSettings } from "../settings.ts";

/** More calls than this in one turn are not run; the model is told. */
const maxCallsPerTurn = 100;

/** What planning needs to know of the answer that asks for the calls. */
export type AnswerWithCalls = Pick<ModelAnswer, "repeatedIds" | "finishReason" | "rawFinishReason">;

/** One call that a model asked for. */
export interface PlannedCall {
  part: ToolCallPart;
  /** Why it is not run, in words for the model. */
  refusal: string | undefined;
  /** What the model is told besides the result. */
  note: string | undefined;
}

/** Which calls of one turn are run, in call order. None of an answer that broke off, as its arguments may not be whole. */
export function planCalls(
  parts: readonly ToolCallPart[],
  answer: AnswerWithCalls,
  toolChoice: AgentSettings["toolChoice"],
): PlannedCall[] {
  const { repeatedIds, finishReason, rawFinishReason } = answer;
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
          : finishReason === "other"
            ? `Your answer broke off (${rawFinishReason ?? "no reason given"}), so this call was not made. Make it again.`
            : finishReason === "length" && index === parts.length - 1 && isCut(part.arguments)
              ? "Your answer reached its token limit before the arguments of this call were complete, so it was not made. Make it again with shorter arguments, or do it in smaller steps."
              : double
                ? `The call id "${oldId}" was used twice for the same call, which was run only once.`
                : undefined;
    const note =
      oldId !== undefined && !double ? `[The call id "${oldId}" was used twice; each call was run.]` : undefined;
    return { part, refusal, note };
  });
}

/** Whether arguments stop in the middle, or before they began. */
function isCut(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}
