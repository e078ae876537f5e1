import type { RunContext } from "../../engine/document/define-node.ts";
import type { Json } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";
import { truthOf } from "./truth-of.ts";

/** Runs the branch until the condition holds. The settings are not read for the input, to which it need not apply. */
export async function run(context: RunContext<{ until: boolean | string }, unknown>): Promise<{ done: Json }> {
  const { node, json, configFor, runBranch, turnsBefore, signal } = context;
  const { asked = "after", mostTurns = 10, atLimit = "continue" } = node.config;
  const before = turnsBefore("main");
  const ends = (turns: number) => {
    // A resumed run takes the way that it took: after a turn that was followed by another one the condition did not hold.
    if (before && turns < before.begun) return false;
    return (before?.ended === true && turns === before.begun) || truthOf(configFor(value).until);
  };
  let value = json;
  if (asked === "before" && ends(0)) return { done: value };
  for (let turn = 0; turn < Number(mostTurns); turn += 1) {
    signal.throwIfAborted();
    value = await runBranch("main", value, turn);
    if (ends(turn + 1)) return { done: value };
  }
  if (atLimit !== "fail") return { done: value };
  throw new RunError({
    code: "budget",
    message: `The condition did not hold after ${Number(mostTurns)} turns.`,
    hint: "Check the condition, or raise “Maximum turns”.",
  });
}
