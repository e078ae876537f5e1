import { z } from "zod";
import { hookSchemes } from "./hook-scheme.ts";

/** What a caller gets. */
export const hookAnswers = ["immediately", "output", "respond", "stream"] as const;

/** One of `hookAnswers`. */
export type HookAnswer = (typeof hookAnswers)[number];

/** The settings of a publication's webhook. Its secrets are stored apart: `current`, `previous` and `verify`. */
export const hookDoorConfig = z.object({
  /** How callers prove who they are. */
  scheme: z.enum(hookSchemes).default("standard"),
  answer: z.enum(hookAnswers).default("immediately"),
  /** Whether GET requests start runs too. */
  allowGet: z.boolean().default(false),
  /** Whether the run gets the body as text as well, byte for byte. */
  keepRawBody: z.boolean().default(false),
});

/** The settings of a publication's webhook, parsed. */
export type HookDoorConfig = z.infer<typeof hookDoorConfig>;
