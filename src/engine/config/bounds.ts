import { z } from "zod/mini";

export interface Bounds {
  min?: number;
  max?: number;
  /** Whole numbers only. */
  integer: boolean;
}

/** The bounds of a number, or of a text's length, as the checks of its zod type give them. */
export function boundsOf(type: z.core.$ZodType): Bounds {
  const found: Bounds = { integer: false };
  if (!(type instanceof z.core.$ZodNumber) && !(type instanceof z.core.$ZodString)) return found;
  for (const check of checksOf(type)) {
    if (check instanceof z.core.$ZodCheckGreaterThan) raise(found, check._zod.def.value);
    else if (check instanceof z.core.$ZodCheckMinLength) raise(found, check._zod.def.minimum);
    else if (check instanceof z.core.$ZodCheckLessThan) lower(found, check._zod.def.value);
    else if (check instanceof z.core.$ZodCheckMaxLength) lower(found, check._zod.def.maximum);
    else if (check instanceof z.core.$ZodCheckNumberFormat) found.integer ||= check._zod.def.format.includes("int");
    else if (check instanceof z.core.$ZodCheckMultipleOf) found.integer ||= Number.isSafeInteger(check._zod.def.value);
  }
  return found;
}

/** A format such as `z.int()` is a type and its own first check. */
function checksOf(type: z.core.$ZodType): z.core.$ZodCheck<never>[] {
  const checks = type._zod.def.checks ?? [];
  return type instanceof z.core.$ZodCheck ? [type, ...checks] : checks;
}

function raise(bounds: Bounds, min: unknown): void {
  if (typeof min === "number") bounds.min = Math.max(min, bounds.min ?? min);
}

function lower(bounds: Bounds, max: unknown): void {
  if (typeof max === "number") bounds.max = Math.min(max, bounds.max ?? max);
}
