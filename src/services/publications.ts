import type { Bundle } from "../engine/publish/bundle.ts";
import type { Schedule } from "../engine/publish/schedule.ts";
import type { WorkflowDocument } from "../engine/document/workflow-document.ts";
import type { RememberedSuite } from "./evaluations.ts";
import type { Page, PageRequest } from "./pages.ts";
import type { LastRun } from "./run-history.ts";

/** The two names under which a version can be called. */
export const publishTargets = ["live", "staging"] as const;
export type PublishTarget = (typeof publishTargets)[number];

/** What runs of a publication may take; absent means no limit, or the usual one. */
export interface PublicationLimits {
  /** Runs at the same time. */
  concurrent?: number;
  /** Starts in a minute. */
  perMinute?: number;
  timeoutSeconds?: number;
  /** US dollars of one run, of a day and of a month (UTC). */
  runUsd?: number;
  dayUsd?: number;
  monthUsd?: number;
  /** Megabytes of one input, without attached files. Absent: 1. */
  inputMb?: number;
  /** Starts a day (UTC) by one API key or one network of a webhook, and megabytes of their inputs. Absent: 10,000 and 200. */
  senderPerDay?: number;
  senderMbPerDay?: number;
}

/** A workflow that has been published: its address, and which versions run. */
export interface Publication {
  workflowId: string;
  /** What programs and addresses call it. */
  slug: string;
  /** The numbers of the versions; null where none runs. */
  live: number | null;
  staging: number | null;
  limits: PublicationLimits;
  /** Models without a known price, which the limits in dollars do not count: a version from before they had to be known. */
  uncounted: readonly string[];
  /** What was said last about a share of a day, or a limit, that is nearly used up; `at` is in milliseconds. */
  notice: { text: string; at: number } | null;
}

/** Whether limits are in dollars: then every model needs a known price. */
export function limitsMoney(limits: Pick<PublicationLimits, "runUsd" | "dayUsd" | "monthUsd">): boolean {
  return limits.runUsd !== undefined || limits.dayUsd !== undefined || limits.monthUsd !== undefined;
}

/** The ways in to what is live, in the order in which they are named. */
export const liveWays = ["chat", "api", "hook", "schedule", "mcp"] as const;
export type LiveWay = (typeof liveWays)[number];

/** Who is told of failures; null for nobody. */
export interface FailureTarget {
  /** Another workflow of the account. */
  workflowId: string | null;
  /** The address of a webhook, which gets signed requests. */
  url: string | null;
}

/** One version as a list shows it. Versions never change. */
export interface PublishedVersion {
  version: number;
  /** Of its content; two versions in a row never have the same. */
  hash: string;
  note: string;
  /** Of the workflow that was published; null where it came from a file. */
  revision: number | null;
  /** ISO 8601. */
  publishedAt: string;
  /** Whether it tells callers from the owner. Versions from before that was possible do so only on the chat page. */
  marksCallers: boolean;
  /** The workflow's suites, as they were then. */
  suites: RememberedSuite[];
}

/** What `publish` stores. */
export interface PublishRequest {
  bundle: Bundle;
  slug: string;
  note: string;
  /** The revision of the stored workflow; null where it came from elsewhere. */
  revision: number | null;
  /** Which name points to the version afterwards; `none` leaves both as they are. */
  target: PublishTarget | "none";
}

/** `unchanged`: the version published last is the same, and no new one was made. */
export interface PublishResult {
  version: number;
  slug: string;
  unchanged: boolean;
}

/** A schedule of the live version. */
export interface ScheduledTrigger extends Schedule {
  id: string;
  nodeId: string;
  enabled: boolean;
  /** ISO 8601; null until a worker has worked it out. */
  nextAt: string | null;
  /** Null when it has never started a run. */
  lastAt: string | null;
  /** The time whose run was skipped last, since no worker was there; null when there was none. */
  skippedAt: string | null;
  /** Why it cannot run, in words; null when it can. */
  problem: string | null;
  /** Why the latest run could not be started, and the time that it was for; null when it could. The schedule goes on. */
  refused: { at: string; reason: string } | null;
  /** Null when it has never started a run, and when that run is not stored any more. `error` says why it failed. */
  lastRun: (LastRun & { error: string | null }) | null;
}

export interface PublicationRepository {
  /** Undefined when the workflow has never been published. */
  find(workflowId: string): Promise<Publication | undefined>;
  /** How each of these workflows that is live is reached; those that are not are left out. */
  liveWays(workflowIds: readonly string[]): Promise<Readonly<Record<string, readonly LiveWay[]>>>;
  /** The latest first. */
  versions(workflowId: string, request: PageRequest): Promise<Page<PublishedVersion>>;
  document(workflowId: string, version: number): Promise<WorkflowDocument>;
  /** What the live versions of these addresses run (null: of all), with the workflows that belong to them. */
  liveDocuments(slugs: readonly string[] | null): Promise<{ slug: string; documents: WorkflowDocument[] }[]>;
  /** The address itself when no workflow of the studio has it, else one like it that is free. */
  freeSlug(slug: string): Promise<string>;
  /** Rejects with `conflict` when the slug belongs to another workflow. */
  publish(request: PublishRequest): Promise<PublishResult>;
  /** Lets a name point to another version; null takes the workflow out of service there. */
  point(workflowId: string, target: PublishTarget, version: number | null): Promise<void>;
  /** The live versions that do not tell callers from the owner yet. */
  unmarkedLive(): Promise<{ workflowId: string; slug: string; version: number }[]>;
  /** From now on a version tells callers from the owner. */
  markCallers(workflowId: string, version: number): Promise<void>;
  setLimits(workflowId: string, limits: PublicationLimits): Promise<void>;
  /** With why nobody could be told the last time, in words; null when somebody could. */
  failureTarget(workflowId: string): Promise<FailureTarget & { problem: string | null }>;
  setFailureTarget(workflowId: string, target: FailureTarget): Promise<void>;
  /** Sets the secret that signs what the webhook for failures gets. */
  setFailureSecret(workflowId: string, secret: string): Promise<void>;
  /** The schedules of the live version. */
  schedules(workflowId: string): Promise<ScheduledTrigger[]>;
  switchSchedule(id: string, enabled: boolean): Promise<void>;
}
