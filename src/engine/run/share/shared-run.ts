import { z } from "zod/mini";
import type { NodeDefinition } from "../../document/define-node.ts";
import { edgeRecord } from "../../document/workflow-document.ts";
import { visibleName } from "../../text/visible-name.ts";
import type { RunEvent } from "../events.ts";

/** What of a run strangers are shown only if its owner says so. */
export const sharedParts = z.object({
  /** System prompts, what was sent to models, their reasoning, and what nodes are set to. */
  prompts: z.boolean(),
  /** Arguments and results of tools, what passes between nodes, logs, and errors in full. */
  data: z.boolean(),
  /** Attached and generated pictures and files. */
  files: z.boolean(),
});

export type SharedParts = z.infer<typeof sharedParts>;

/** What is shared unless more is chosen. */
export const fewestParts: SharedParts = { prompts: false, data: false, files: false };

/** What a card needs to know of its node's type: the part of a definition that says nothing about settings. */
export type SharedType = Pick<NodeDefinition, "role" | "title" | "summary" | "icon" | "inputs" | "outputs">;

/** A name as documents have it: as long as those at most, and without signs that turn the text around it. */
const shownName = z.string().check(z.maxLength(200), z.overwrite(visibleName));

const sharedNode = z.object({
  id: z.string(),
  type: z.string(),
  title: shownName,
  position: z.object({ x: z.number(), y: z.number() }),
  disabled: z.optional(z.boolean()),
  /** The outputs that it has of those of its type, with their labels; absent: all, as they are. */
  outputs: z.optional(z.record(z.string(), z.string())),
  /** The muted line of its card; absent unless prompts and settings are shared. */
  line: z.optional(z.string()),
});

/** As `documentLimits`, which the page of shared runs would have to load with all that reads documents. */
export const shownLimits = { nodes: 2_000, edges: 10_000 } as const;

const ports = z.record(
  z.string(),
  z.object({
    kind: z.enum(["main", "model", "memory", "tool"]),
    label: z.string(),
    min: z.number(),
    max: z.nullable(z.number()),
    side: z.enum(["left", "right", "top", "bottom"]),
  }),
);
const look = z.object({
  role: z.string(),
  title: shownName,
  summary: z.string(),
  icon: z.string(),
  inputs: ports,
  outputs: ports,
});
const event = z.looseObject({ type: z.string(), runId: z.literal("shared"), seq: z.int(), at: z.number() });

const isLook = (value: unknown) => look.safeParse(value).success;
const isEvent = (value: unknown) => event.safeParse(value).success;

const sharedRun = z.object({
  version: z.literal(1),
  title: shownName,
  parts: sharedParts,
  types: z.record(z.string(), z.custom<SharedType>(isLook)),
  nodes: z.array(sharedNode).check(z.maxLength(shownLimits.nodes)),
  edges: z.array(edgeRecord).check(z.maxLength(shownLimits.edges)),
  /** Numbered without gaps; ids of the run and of the workflow are not theirs. */
  events: z.array(z.custom<RunEvent>(isEvent)),
});

/**
 * One run as strangers see it: a copy that holds what its owner chose and nothing else. It stands by itself, without ids of
 * the run, the workflow, credentials or conversations.
 */
export type SharedRun = z.infer<typeof sharedRun>;

/** Stands for the run's and the workflow's id. */
export const sharedId = "shared";

/** Characters of a shared run as JSON: what the database takes, with room for how it counts them. */
export const mostSharedCharacters = 4_000_000;

/** What a page was given; null for what is no shared run. */
export function readSharedRun(value: unknown): SharedRun | null {
  return sharedRun.safeParse(value).data ?? null;
}
