import { z } from "zod/mini";
import { jsonValue } from "../../engine/config/json-value.ts";
import { assertionKindOf, assertionNames } from "./kinds.ts";
import { holdsTemplates } from "./assertion-value.ts";

/** An expectation, named as promptfoo names it; `not-` before the type turns it round. */
export const assertionSchema = z
  .strictObject({
    type: z.string(),
    /** Templates in it see `input`, `expected` and `metadata`. */
    value: z.optional(jsonValue()),
    threshold: z.optional(z.number()),
    /** How much it counts in the score; one of weight 0 is shown and decides nothing. */
    weight: z._default(z.number().check(z.minimum(0)), 1),
    /** What results call it. */
    metric: z.optional(z.string().check(z.minLength(1))),
  })
  .check(
    z.superRefine((assertion, context) => {
      const found = assertionKindOf(assertion.type);
      const add = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
      if (!found)
        return add("type", `there is no assertion "${assertion.type}". Those known are ${assertionNames.join(", ")}`);
      const { kind } = found;
      if (kind.needsThreshold && assertion.threshold === undefined && assertion.value === undefined)
        return add("threshold", `${assertion.type} needs a threshold`);
      // What templates give is known only with a case.
      if (kind.isTemplated && assertion.value !== undefined && holdsTemplates(assertion.value)) return;
      const value = kind.value.safeParse(assertion.value);
      if (value.success) return;
      const [first] = value.error.issues;
      if (first) context.addIssue({ code: "custom", path: ["value", ...first.path], message: first.message });
    }),
  );

/** One expectation of a suite or a case. */
export type Assertion = z.infer<typeof assertionSchema>;
