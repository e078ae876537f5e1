import { z } from "zod/mini";
import { isJsonObject, type Json } from "../../engine/json.ts";
import { compileExpression } from "../../engine/template/expression.ts";
import { recordScope } from "../../engine/template/scope.ts";
import { type AssertionKind, defineAssertion, type Verdict } from "./assertion-kind.ts";
import { shortened } from "./shortened.ts";
import { trialVariables } from "./trial-view.ts";

const expression = z.string("expected an expression").check(
  z.superRefine((source, context) => {
    try {
      compileExpression(source);
    } catch (error) {
      context.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
    }
  }),
);

const codeLimits = { timeoutMs: 5_000, memoryBytes: 32_000_000 };

/** Assertions that a person writes as code. Both see `output`, `expected`, `input`, `metadata` and `run`. */
export const codeKinds: Readonly<Record<string, AssertionKind>> = {
  cel: defineAssertion({
    value: expression,
    isTemplated: false,
    check({ value, threshold }, trial, { host }) {
      const scope = recordScope(trialVariables(trial), () => host.now());
      try {
        return verdictOf(compileExpression(value).evaluate(scope), threshold, shortened(value));
      } catch (error) {
        return {
          pass: false,
          reason: `The expression failed: ${error instanceof Error ? error.message : String(error)}`,
        };
      }
    },
  }),
  javascript: defineAssertion({
    value: z.string("expected code").check(z.minLength(1)),
    isTemplated: false,
    async check({ value, threshold }, trial, { host, signal }) {
      const variables = trialVariables(trial);
      const { output = null, ...context } = variables;
      // promptfoo's users write an expression, or the body of a function.
      const code = /(?:^|[\s;{])return\b/.test(value) ? value : `return (${value}\n);`;
      const args = { ...variables, context: { ...context, vars: trial.metadata } };
      const ran = await host.runCode({ code, args: { ...args, output }, ...codeLimits }, signal);
      return ran.ok
        ? verdictOf(ran.output, threshold, shortened(value))
        : { pass: false, reason: `The code failed: ${shortened(ran.error)}` };
    },
  }),
};

/** What code gives: true or false, a score from 0 to 1, or `{ pass, score, reason }`. */
function verdictOf(given: Json, threshold: number | undefined, source: string): Verdict {
  if (typeof given === "boolean") return { pass: given, reason: `${source} is ${given}.` };
  if (typeof given === "number") {
    const pass = threshold === undefined ? given > 0 : given >= threshold;
    return { pass, score: given, reason: `${source} is ${given}.` };
  }
  if (isJsonObject(given) && typeof given.pass === "boolean") {
    const { pass, score, reason } = given;
    return {
      pass,
      ...(typeof score === "number" ? { score } : {}),
      reason: typeof reason === "string" ? shortened(reason) : `${source} says ${pass ? "yes" : "no"}.`,
    };
  }
  return { pass: false, reason: `${source} gave neither true or false, nor a number, nor { pass, score, reason }.` };
}
