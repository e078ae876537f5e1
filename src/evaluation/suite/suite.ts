import { z } from "zod/mini";
import type { ModelPrice } from "../../engine/model/chat-model.ts";
import { assertionSchema } from "../assertions/assertion.ts";
import { issueTexts } from "./issue-text.ts";

const rate = z.number().check(z.minimum(0), z.maximum(1));

/** What a result has to show. */
const gateSchema = z.strictObject({
  /** The lower bound of the suite's interval has to reach it. */
  passRate: z.optional(rate),
  /** Of the intervals and tests. */
  confidence: z._default(z.number().check(z.minimum(0.5), z.maximum(0.999)), 0.95),
  /** US dollars that a trial may cost on average. */
  maxCostUsd: z.optional(z.number().check(z.minimum(0))),
  /** 95 of 100 trials take no longer than this. */
  p95LatencyMs: z.optional(z.number().check(z.minimum(0))),
  /** Nothing may be worse than in the baseline. */
  noWorse: z._default(z.boolean(), false),
});

/** One of the versions of a workflow that are compared: another model, or other settings of it, at one node. */
const variantSchema = z.catchall(
  z.looseObject({
    /** How results name it; what it changes when absent. */
    name: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
    /** The node that changes; may be absent where the workflow has one model. */
    nodeId: z.optional(z.string().check(z.minLength(1))),
    /** Another vendor's node takes its place. */
    provider: z.optional(z.string().check(z.minLength(1))),
    model: z.optional(z.string().check(z.minLength(1))),
  }),
  z.json(),
);

/** A model besides the agent's: the judge, or the embeddings. */
const modelSchema = z.strictObject({
  provider: z.string().check(z.minLength(1)),
  model: z.string().check(z.minLength(1)),
  /** Id of a credential. */
  credential: z._default(z.string(), ""),
  /** US dollars per million tokens, where the price list has no price; embeddings have no output. */
  inputPrice: z.optional(z.number().check(z.minimum(0))),
  outputPrice: z.optional(z.number().check(z.minimum(0))),
});

/** How runs are answered: live, tools from recordings, or all of it. */
export const replayModes = ["none", "tools", "all"] as const;
export type ReplayMode = (typeof replayModes)[number];

/** What becomes of a call that the recording does not have: the trial fails, the call is made, or a person is asked. */
export const missModes = ["fail", "live", "ask"] as const;
export type MissMode = (typeof missModes)[number];

/** What a suite does when its workflow is published in the studio: nothing, or it is run, and a failure warns or blocks. */
export const publishingModes = ["off", "warn", "block"] as const;
export type PublishingMode = (typeof publishingModes)[number];

const suiteSchema = z.strictObject({
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  /** Paths that start at the suite's file; ids in the studio. */
  workflow: z.string().check(z.minLength(1)),
  dataset: z.string().check(z.minLength(1)),
  trials: z._default(z.int().check(z.minimum(1), z.maximum(1_000)), 1),
  matrix: z._default(z.array(variantSchema).check(z.maxLength(50)), []),
  defaultAssert: z._default(z.array(assertionSchema), []),
  gate: z.optional(gateSchema),
  publishing: z._default(z.enum(publishingModes), "warn"),
  replay: z._default(z.enum(replayModes), "none"),
  onMiss: z._default(z.enum(missModes), "fail"),
  /** Names of tools, or titles of nodes, that change something outside and may be called all the same. */
  liveTools: z._default(z.array(z.string()), []),
  /** Folder of recorded runs, `<case id>.jsonl`, for cases that name none; its path starts at the suite's file. */
  cassettes: z.optional(z.string().check(z.minLength(1))),
  /** Folder with the other workflows that the workflow runs; its path starts at the suite's file. */
  workflows: z.optional(z.string().check(z.minLength(1))),
  /** Whether tool calls that ask a person are agreed to; else they are refused. */
  approve: z._default(z.boolean(), false),
  concurrency: z._default(z.int().check(z.minimum(1), z.maximum(100)), 4),
  /** No trial begins once this much is spent, in US dollars. */
  maxCostUsd: z.optional(z.number().check(z.minimum(0))),
  /** Of everything that is drawn at random. */
  seed: z._default(z.int().check(z.minimum(0)), 1),
  judge: z.optional(modelSchema),
  /** Plays the user of cases that have one. */
  simulatedUser: z.optional(modelSchema),
  embeddings: z.optional(modelSchema),
});

/** A suite: which workflow is tried on which cases, how often, and what has to come out. */
export type Suite = z.infer<typeof suiteSchema>;
export type Gate = z.infer<typeof gateSchema>;
export type Variant = z.infer<typeof variantSchema>;

/** A suite, or what is wrong with it, each problem with its field. */
export type ReadSuite = { ok: true; suite: Suite } | { ok: false; problems: string[] };

/** Reads what a `*.suite.json` holds. */
export function readSuite(value: unknown): ReadSuite {
  const read = suiteSchema.safeParse(value);
  if (!read.success) return { ok: false, problems: issueTexts(suiteSchema, value, read.error.issues) };
  const names = read.data.matrix.map(variantName);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    return { ok: false, problems: [`"matrix": two entries are called "${twice}". Give each a "name" of its own.`] };
  }
  return { ok: true, suite: read.data };
}

/** What results call a variant. */
export function variantName({ name, nodeId, provider, model, ...settings }: Variant): string {
  if (name !== undefined) return name;
  const told = Object.entries(settings).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  const words = [[provider, model].filter(Boolean).join(" "), ...told].filter(Boolean);
  return words.length > 0 ? words.join(", ") : (nodeId ?? "as saved");
}

/** The price that a suite names for one of its models; undefined where the price list applies. */
export function priceOfChosen({ inputPrice, outputPrice }: NonNullable<Suite["judge"]>): ModelPrice | undefined {
  return inputPrice === undefined || outputPrice === undefined ? undefined : { input: inputPrice, output: outputPrice };
}
