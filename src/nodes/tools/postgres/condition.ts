import { z } from "zod/mini";

/** A condition as data: what a form, a template or a model can write without writing SQL. */

export const conditionOperators = [
  "=",
  "<>",
  "<",
  "<=",
  ">",
  ">=",
  "in",
  "not in",
  "like",
  "ilike",
  "is null",
  "is not null",
  "between",
] as const;

/** Bounds that hold for a whole condition; the function refuses what is beyond them. */
export const conditionLimits = { depth: 10, comparisons: 200, listValues: 1_000 } as const;

/** The name of a column: at most 63 bytes, which the database would otherwise cut in silence. */
export const columnNameSchema = z.string().check(z.minLength(1), z.maxLength(63));

/**
 * One comparison. `value` is a single value; for `in` and `not in` a list, an empty one holding nothing; for `between` a list of two, the
 * lower bound first; absent for `is null` and `is not null`. It is always bound, never written into the statement.
 */
const comparisonSchema = z.strictObject({
  column: columnNameSchema,
  operator: z.enum(conditionOperators),
  value: z.optional(z.json()),
});

export type Comparison = z.infer<typeof comparisonSchema>;

/** `all`: every part must hold. `any`: one of them is enough. */
type ConditionGroup = { all: Condition[] } | { any: Condition[] };

export type Condition = Comparison | ConditionGroup;

const conditionSchema: z.ZodMiniType<Condition> = z.lazy(() =>
  z.union([
    comparisonSchema,
    z.strictObject({ all: z.array(conditionSchema).check(z.maxLength(conditionLimits.comparisons)) }),
    z.strictObject({ any: z.array(conditionSchema).check(z.maxLength(conditionLimits.comparisons)) }),
  ]),
);

/** A condition as SQL, without the word WHERE; `$1` stands for the first of `parameters`. Parsed and bound, never pasted. */
const sqlFragmentSchema = z.strictObject({
  sql: z.string().check(z.maxLength(10_000)),
  parameters: z._default(z.array(z.json()).check(z.maxLength(1_000)), []),
});

export type SqlFragment = z.infer<typeof sqlFragmentSchema>;

/** What `where` takes: a list (every part must hold), a group, one comparison, or a fragment. */
export const whereSchema = z.union([
  sqlFragmentSchema,
  z.array(conditionSchema).check(z.maxLength(conditionLimits.comparisons)),
  conditionSchema,
]);

export type Where = z.infer<typeof whereSchema>;
