import { z } from "zod";
import { assertionSchema } from "../assertions/assertion.ts";
import { issueText } from "./issue-text.ts";

const rate = z.number().min(0).max(1);

/** What a result has to show. */
const gateSchema = z.strictObject({
  /** The lower bound of the suite's interval has to reach it. */
  passRate: rate.optional(),
  /** Of the intervals and tests. */
  confidence: z.number().min(0.5).max(0.999).default(0.95),
  /** US dollars that a trial may cost on average. */
  maxCostUsd: z.number().min(0).optional(),
  /** 95 of 100 trials take no longer than this. */
  p95LatencyMs: z.number().min(0).optional(),
  /** Nothing may be worse than in the baseline. */
  noWorse: z.boolean().default(false),
});

/** One of the versions of a workflow that are compared: another model, or other settings of it, at one node. */
const variantSchema = z
  .looseObject({
    /** How results name it; what it changes when absent. */
    name: z.string().min(1).max(100).optional(),
    /** The node that changes; may be absent where the workflow has one model. */
    nodeId: z.string().min(1).optional(),
    /** Another vendor's node takes its place. */
    provider: z.string().min(1).optional(),
    model: z.string().min(1).optional(),
  })
  .catchall(z.json());

/** A model besides the agent's: the judge, or the embeddings. */
const modelSchema = z.strictObject({
  provider: z.string().min(1),
  model: z.string().min(1),
  /** Id of a credential. */
  credential: z.string().default(""),
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
  name: z.string().min(1).max(200).optional(),
  /** Paths that start at the suite's file; ids in the studio. */
  workflow: z.string().min(1),
  dataset: z.string().min(1),
  trials: z.int().min(1).max(1_000).default(1),
  matrix: z.array(variantSchema).max(50).default([]),
  defaultAssert: z.array(assertionSchema).default([]),
  gate: gateSchema.optional(),
  publishing: z.enum(publishingModes).default("warn"),
  replay: z.enum(replayModes).default("none"),
  onMiss: z.enum(missModes).default("fail"),
  /** Names of tools, or titles of nodes, that change something outside and may be called all the same. */
  liveTools: z.array(z.string()).default([]),
  /** Folder of recorded runs, `<case id>.jsonl`, for cases that name none; its path starts at the suite's file. */
  cassettes: z.string().min(1).optional(),
  /** Folder with the other workflows that the workflow runs; its path starts at the suite's file. */
  workflows: z.string().min(1).optional(),
  /** Whether tool calls that ask a person are agreed to; else they are refused. */
  approve: z.boolean().default(false),
  concurrency: z.int().min(1).max(100).default(4),
  /** No trial begins once this much is spent, in US dollars. */
  maxCostUsd: z.number().min(0).optional(),
  /** Of everything that is drawn at random. */
  seed: z.int().min(0).default(1),
  judge: modelSchema.optional(),
  /** Plays the user of cases that have one. */
  simulatedUser: modelSchema.optional(),
  embeddings: modelSchema.optional(),
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
  if (!read.success) return { ok: false, problems: read.error.issues.map((issue) => issueText(issue)) };
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
