import { z } from "zod/mini";
import type { JsonObject } from "../json.ts";
import { visibleName } from "../text/visible-name.ts";
import { callerTermsSchema } from "../trust/caller-terms.ts";
import { keptReport } from "./import-report.ts";

/** The schema version that this build writes. Older documents are migrated when they are read. */
export const schemaVersion = 1;

const id = z.string().check(z.minLength(1), z.maxLength(200));
const endpoint = z.object({ node: id, port: z.string().check(z.minLength(1), z.maxLength(64)) });

/** A node as stored: raw config (templates unresolved) and a position on the canvas, nothing about runs. */
export const nodeRecord = z.object({
  id,
  type: z.string().check(z.minLength(1), z.maxLength(64)),
  /** Version of the node type's config. */
  version: z._default(z.int().check(z.minimum(1)), 1),
  title: z.string().check(z.maxLength(200), z.overwrite(visibleName)),
  /** How expressions call it, as in `nodes["…"]`, where the title alone does not say. See `nodeSlugs`. */
  reference: z.optional(z.string().check(z.minLength(1), z.maxLength(400))),
  position: z.object({ x: z.number(), y: z.number() }),
  config: z.custom<JsonObject>((value) => typeof value === "object" && value !== null && !Array.isArray(value)),
  /** Disabled: a service is not offered, and a node of the main flow passes its input on unchanged. */
  disabled: z.optional(z.boolean()),
  /** With `disabled`: passes nothing on, so that what follows is skipped. */
  stops: z.optional(z.boolean()),
  notes: z.optional(z.string().check(z.maxLength(10_000))),
  /** A pinned output, which test runs use instead of running the node; part of exports. `untrusted`: strangers may have written in it. */
  pin: z.optional(z.object({ output: z.json(), untrusted: z.optional(z.literal(true)) })),
  /** What callers of a published version may fill in at the tools of this node; nothing when absent. */
  callers: z.optional(callerTermsSchema),
  /** Imported, and contacts something or runs code: it does not run before a person has reviewed it. */
  unreviewed: z.optional(z.boolean()),
});

/** One edge: from an output port to an input port. */
export const edgeRecord = z.object({ id, from: endpoint, to: endpoint });

const variableName = z
  .string()
  .check(z.regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, "Use letters, digits and _, not a digit first"));

/** What is masked in this workflow's stored runs (kinds of data, and own regular expressions), and how memories keep it. */
export const privacySettings = z.object({
  mask: z.array(z.enum(["keys", "emails", "cards", "ibans", "phones"])).check(z.maxLength(5)),
  patterns: z.array(z.string().check(z.minLength(1), z.maxLength(500))).check(z.maxLength(20)),
  /** Agents' memories store masked messages too, and so read them back masked. */
  memory: z.optional(z.boolean()),
  /** What memories write to the database is stored encrypted. */
  encryptConversations: z.optional(z.boolean()),
});

/** A workflow: what is saved, exported, imported and run. */
export const workflowDocument = z.object({
  schemaVersion: z.literal(schemaVersion),
  id,
  name: z.string().check(z.minLength(1), z.maxLength(200), z.overwrite(visibleName)),
  /** The author's description. */
  description: z.optional(z.string().check(z.maxLength(4_000))),
  nodes: z.record(id, nodeRecord),
  edges: z.record(id, edgeRecord),
  /** What templates read as `vars`, the same in every run. No place for secrets. */
  vars: z.optional(z.record(variableName, z.json())),
  /** Nothing is masked or encrypted when absent. */
  privacy: z.optional(privacySettings),
  /** What an import made of another builder's workflow; for people, no run reads it. */
  importReport: z.optional(keptReport),
});

/** A node as it is stored; its config is raw, templates unresolved. */
export type NodeRecord = z.infer<typeof nodeRecord>;

/** An edge as it is stored. */
export type EdgeRecord = z.infer<typeof edgeRecord>;

/** One end of an edge: a node's id and the name of its port. */
export type Endpoint = z.infer<typeof endpoint>;

/** What is masked in stored runs of a workflow, and how its memories keep conversations. */
export type PrivacySettings = z.infer<typeof privacySettings>;

/** A workflow as it is stored, exported and run. */
export type WorkflowDocument = z.infer<typeof workflowDocument>;
