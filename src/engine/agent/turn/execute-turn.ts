import type { Json } from "../../json.ts";
import { userMessage } from "../../model/message.ts";
import type { AgentEnding } from "../ending.ts";
import { type AgentLoop, askModel } from "./agent-loop.ts";
import { planQuestion, planSection } from "./instructions.ts";
import { jsonAnswer } from "./json-answer.ts";
import { runRounds } from "./run-rounds.ts";

/** What a turn came to: the response, its text for the memory, and why it stopped early if it did. */
export interface TurnResult {
  value: Json;
  text: string;
  ending: AgentEnding | undefined;
}

/**
 * The turn itself: the plan, rounds of iterations, and the answer in the format that the settings ask for. Rejects with a
 * RunError when the model fails for good and when the deadline aborts.
 */
export async function executeTurn(loop: AgentLoop): Promise<TurnResult> {
  const { settings } = loop.run;
  if (settings.planning) await plan(loop);
  const result = await runRounds(loop);
  const { text, ending } = result;
  if (settings.outputFormat !== "json") return { value: text, text, ending };
  return { ...(await jsonAnswer(loop, result)), ending };
}

async function plan(loop: AgentLoop): Promise<void> {
  const { run, conversation, progress, offered } = loop;
  const messages = [...conversation.messages(), userMessage(planQuestion(offered))];
  const { text } = await askModel(loop, "plan", { messages, tools: [], toolChoice: "none" });
  if (text.trim() === "") {
    run.emit({
      type: "warning",
      nodeId: run.nodeId,
      message: "The model gave an empty plan, so the agent works without one.",
      hint: "Raise its maximum tokens, choose another model, or turn planning off.",
    });
    return;
  }
  progress.plan = text;
  run.emit({ type: "plan", nodeId: run.nodeId, text });
  conversation.addToSystem(planSection(text));
}
