import { z } from "zod/mini";
import { hookSchemes } from "./hook-scheme.ts";

/** What a caller gets. */
export const hookAnswers = ["immediately", "output", "respond", "stream"] as const;

/** One of `hookAnswers`. */
export type HookAnswer = (typeof hookAnswers)[number];

/** The settings of a publication's webhook. Its secrets are stored apart: `current`, `previous` and `verify`. */
export const hookDoorConfig = z.object({
  /** How callers prove who they are. */
  scheme: z._default(z.enum(hookSchemes), "standard"),
  answer: z._default(z.enum(hookAnswers), "immediately"),
  /** Whether GET requests start runs too. */
  allowGet: z._default(z.boolean(), false),
  /** Whether the run gets the body as text as well, byte for byte. */
  keepRawBody: z._default(z.boolean(), false),
  /** Whether the run gets what is no text as files. Webhooks of before there were files give it as base64. */
  keepFiles: z._default(z.boolean(), false),
  /** Whether two deliveries with the same body are two events, where a signature covers the body alone. */
  equalBodiesDiffer: z._default(z.boolean(), false),
  /** Whether what callers send counts as the owner's words. */
  callersTrusted: z._default(z.boolean(), false),
});

/** The settings of a publication's webhook, parsed. */
export type HookDoorConfig = z.infer<typeof hookDoorConfig>;
