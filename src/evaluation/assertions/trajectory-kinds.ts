import { z } from "zod/mini";
import { canonicalJson } from "../../engine/canonical-json.ts";
import { type AssertionKind, defineAssertion, nothingToCheck } from "./assertion-kind.ts";
import { isPartOf } from "./is-part-of.ts";
import { shortened } from "./shortened.ts";
import type { TrialView } from "./trial-view.ts";

const name = z.string("expected the name of a tool").check(z.minLength(1));
const names = z.union(
  [
    z.array(name).check(z.minLength(1)),
    z.pipe(
      name,
      z.transform((one) => [one]),
    ),
  ],
  "expected names of tools",
);
const count = z.int().check(z.minimum(0));

const used = z.union(
  [
    z.pipe(
      names,
      z.transform((list) => ({ list, min: 1, max: Infinity })),
    ),
    z.pipe(
      z.strictObject({ name, min: z._default(count, 1), max: z._default(count, Number.MAX_SAFE_INTEGER) }),
      z.transform(({ name: one, min, max }) => ({ list: [one], min, max })),
    ),
  ],
  "expected the name of a tool, a list of names, or { name, min, max }",
);

const argumentsOfTool = z.strictObject({
  name,
  args: z.json(),
  /** `partial`: further arguments do not matter. */
  mode: z._default(z.enum(["partial", "exact"]), "partial"),
});

const modes = ["strict", "unordered", "subset", "superset", "in-order"] as const;

const sequence = z.union(
  [
    z.pipe(
      names,
      z.transform((steps) => ({ steps, mode: "strict" as const })),
    ),
    z.strictObject({
      steps: z.array(name),
      // promptfoo's own words stand for two of them.
      mode: z.pipe(
        z._default(z.enum([...modes, "exact", "in_order"]), "strict"),
        z.transform((mode) => (mode === "exact" ? "strict" : mode === "in_order" ? "in-order" : mode)),
      ),
    }),
  ],
  "expected a list of names, or { steps, mode }",
);

const steps = z.optional(
  z.strictObject({
    min: z._default(count, 0),
    max: z._default(count, Number.MAX_SAFE_INTEGER),
    /** Which steps count. */
    type: z._default(z.enum(["all", "tool", "model"]), "all"),
  }),
);

/** The tools that were called, in order; calls that a person refused were not. */
function called({ tools }: TrialView) {
  return tools.filter(({ rejected }) => !rejected);
}

function calledWords(trial: TrialView): string {
  const all = called(trial).map((tool) => tool.name);
  return all.length === 0 ? "No tool was called" : `Called: ${shortened(all.join(", "))}`;
}

const withoutBounds = nothingToCheck("Any number is allowed, so nothing was checked.");

/** Assertions about the way to the answer. */
export const trajectoryKinds: Readonly<Record<string, AssertionKind>> = {
  "tool-used": defineAssertion({
    value: used,
    isTemplated: true,
    check({ value: { list, min, max } }, trial) {
      if (min === 0 && max >= Number.MAX_SAFE_INTEGER) return withoutBounds;
      const wrong = list.find((one) => {
        const times = called(trial).filter((tool) => tool.name === one).length;
        return times < min || times > max;
      });
      if (wrong === undefined) return { pass: true, reason: `${list.join(", ")}: called as expected.` };
      const times = called(trial).filter((tool) => tool.name === wrong).length;
      return {
        pass: false,
        reason: `${wrong} was called ${times === 1 ? "once" : `${times} times`}. ${calledWords(trial)}.`,
      };
    },
  }),
  "tool-args-match": defineAssertion({
    value: argumentsOfTool,
    isTemplated: true,
    check({ value: { name: tool, args, mode } }, trial) {
      const calls = called(trial).filter((one) => one.name === tool);
      const fits = calls.some(({ input }) =>
        mode === "exact" ? canonicalJson(input) === canonicalJson(args) : isPartOf(args, input),
      );
      if (fits) return { pass: true, reason: `${tool} was called with these arguments.` };
      const had = calls.map(({ input }) => shortened(JSON.stringify(input))).join("; ");
      return {
        pass: false,
        reason:
          calls.length === 0 ? `${tool} was not called. ${calledWords(trial)}.` : `${tool} was called with ${had}.`,
      };
    },
  }),
  "tool-sequence": defineAssertion({
    value: sequence,
    isTemplated: true,
    check({ value: { steps: wanted, mode } }, trial) {
      if (wanted.length === 0 && (mode === "superset" || mode === "in-order"))
        return nothingToCheck("It names no tool, so nothing was checked.");
      const made = called(trial).map((tool) => tool.name);
      const pass = followsSequence(made, wanted, mode);
      return { pass, reason: `Expected (${mode}): ${wanted.join(", ")}. ${calledWords(trial)}.` };
    },
  }),
  "step-count": defineAssertion({
    value: steps,
    isTemplated: true,
    needsThreshold: true,
    check({ value = { min: 0, max: Number.MAX_SAFE_INTEGER, type: "all" }, threshold }, trial) {
      const { min, type } = value;
      const max = Math.min(value.max, threshold ?? Infinity);
      if (min === 0 && max >= Number.MAX_SAFE_INTEGER) return withoutBounds;
      const [models, tools] = [trial.modelCalls, called(trial).length];
      const number = type === "model" ? models : type === "tool" ? tools : models + tools;
      const pass = number >= min && number <= max;
      return { pass, reason: `The run took ${models} model calls and ${tools} tool calls.` };
    },
  }),
  "finish-reason": defineAssertion({
    value: z.union(
      [
        z.array(z.string()).check(z.minLength(1)),
        z.pipe(
          z.string(),
          z.transform((one) => [one]),
        ),
      ],
      "expected a finish reason",
    ),
    isTemplated: true,
    check({ value }, { endings }) {
      return { pass: value.some((one) => endings.includes(one)), reason: `The run ended with: ${endings.join(", ")}.` };
    },
  }),
  "approval-asked": defineAssertion({
    value: z.optional(names),
    isTemplated: true,
    check({ value }, { tools }) {
      const asked = tools.filter((tool) => tool.asked).map((tool) => tool.name);
      const pass = value === undefined ? asked.length > 0 : value.every((one) => asked.includes(one));
      const words = asked.length === 0 ? "Nobody was asked." : `A person was asked about ${asked.join(", ")}.`;
      return { pass, reason: words };
    },
  }),
  "memory-contains": defineAssertion({
    value: z.union(
      [
        z.array(z.string()).check(z.minLength(1)),
        z.pipe(
          z.string(),
          z.transform((one) => [one]),
        ),
      ],
      "expected a text",
    ),
    isTemplated: true,
    check({ value: given }, { remembered }) {
      const value = given.filter((one) => one.trim() !== "");
      if (value.length === 0) return nothingToCheck("The text to look for is empty, so nothing was checked.");
      if (!remembered) return { pass: false, reason: "Nothing was written to a memory." };
      const missing = value.filter((one) => !remembered.some((text) => text.includes(one)));
      return missing.length === 0
        ? { pass: true, reason: "The memory holds it." }
        : {
            pass: false,
            reason: `The memory does not hold ${missing.map((one) => `"${shortened(one)}"`).join(" and ")}.`,
          };
    },
  }),
};

function followsSequence(made: readonly string[], wanted: readonly string[], mode: (typeof modes)[number]): boolean {
  switch (mode) {
    case "strict":
      return made.length === wanted.length && made.every((tool, at) => tool === wanted[at]);
    case "unordered":
      return made.length === wanted.length && holdsAll(made, wanted);
    case "subset":
      return holdsAll(wanted, made);
    case "superset":
      return holdsAll(made, wanted);
    case "in-order": {
      let next = 0;
      for (const tool of made) if (tool === wanted[next]) next += 1;
      return next === wanted.length;
    }
    default:
      return mode satisfies never;
  }
}

/** Whether a list has every entry of another, each as often. */
function holdsAll(list: readonly string[], part: readonly string[]): boolean {
  const left = [...list];
  return part.every((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}
