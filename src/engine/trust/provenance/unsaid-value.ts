import { z } from "zod/mini";
import { askers } from "../run-sources.ts";

/** Characters of the value, of a title and of a sentence that a question shows, and for how many values it says where they were read. */
export const unsaidLimits = { value: 200, title: 100, sentence: 300, placed: 20 };

/**
 * A value of a call that neither the person nor the workflow gave and no trusted result holds. `path`: names and places from the
 * arguments on; empty where nothing shows that the call itself is wanted. `from`: where it was read, if it was.
 */
export const unsaidValueSchema = z.object({
  path: z.array(z.union([z.string(), z.number()])),
  value: z.string(),
  origin: z.enum(["caller", "outside", "unknown"]),
  /** Whose words were looked at; the owner's where absent. */
  asker: z.optional(z.enum(askers)),
  from: z.optional(
    z.object({
      /** The call that brought it; absent where it was in the conversation before. */
      callId: z.optional(z.string()),
      /** The tool's name, or an earlier part of the conversation. */
      title: z.string(),
      /** The text around it. */
      sentence: z.string(),
    }),
  ),
});

/** One of the values that a question is about. */
export type UnsaidValue = z.infer<typeof unsaidValueSchema>;

/** The field of an event or a question; left out where there is none. */
export function unsaidField(unsaid: readonly UnsaidValue[] | undefined): { unsaid?: readonly UnsaidValue[] } {
  return unsaid === undefined || unsaid.length === 0 ? {} : { unsaid };
}
