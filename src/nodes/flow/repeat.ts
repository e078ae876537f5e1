import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import { RunError } from "../../engine/errors.ts";
import { onErrorField } from "./error-field.ts";
import { truthOf } from "./truth-of.ts";

export const repeat = defineNode({
  type: "repeat",
  version: 1,
  role: "flow",
  title: "Repeat until",
  summary: "Runs the next steps again until a condition holds.",
  keywords: ["loop", "while", "retry", "iterate", "again", "until", "for loop", "try again"],
  icon: "repeat",
  config: z.object({
    until: field(z._default(z.union([z.boolean(), z.string()], { error: "Until must give true or false." }), ""), {
      label: "Until",
      help: "Ends when this is true of the last result, such as {{json.score > 0.8}}.",
      control: "text",
      template: "value",
      required: true,
      placeholder: "{{json.score > 0.8}}",
    }),
    asked: field(z._default(z.enum(["after", "before"]), "after"), {
      label: "Check the condition",
      help: "After each turn: the next steps run at least once. Before each turn: they may not run at all.",
      optionTitles: { after: "After each turn", before: "Before each turn" },
    }),
    mostTurns: field(z._default(z.int().check(z.minimum(1), z.maximum(1_000)), 10), {
      label: "Maximum turns",
      help: "Stops after this many turns, even if the condition never holds.",
    }),
    atLimit: field(z._default(z.enum(["continue", "fail"]), "continue"), {
      label: "When the maximum is reached",
      help: "Continue: use the last result. Fail: the node fails.",
    }),
    onError: onErrorField,
  }),
  inputs: { main: one("main", { label: "Input" }) },
  outputs: { main: out("main", { label: "Each turn" }), done: out("main", { label: "Done" }) },
  reach: nowhere,
  branches: ["main"],
  handsOn: true,
  errorOutput: "done",
  describe: ({ until }) => (typeof until === "string" ? until : ""),
  /** Runs the branch until the condition holds. The settings are not read for the input, to which it need not apply. */
  async run(context) {
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
  },
});
