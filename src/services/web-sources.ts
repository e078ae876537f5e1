/** What leads to the pages of a source: their address, a sitemap, links from a first page, or a feed. */
export const sourceKinds = ["page", "sitemap", "site", "feed"] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** What a person sets of a source. */
export interface SourceDraft {
  kind: SourceKind;
  url: string;
  /** Links between the first page of a site and another one. */
  depth: number;
  /** Patterns of paths, in which `*` stands for anything; none: all. */
  include: readonly string[];
  exclude: readonly string[];
  /** Hours between two reloads; null: only when somebody asks. */
  everyHours: number | null;
  maxPages: number;
  /** Tokens that one reload may embed. */
  maxTokens: number;
}

/** The least and the most of each, as the database takes them. */
export const sourceBounds = {
  depth: { min: 0, max: 10 },
  maxPages: { min: 1, max: 5_000 },
  maxTokens: { min: 1_000, max: 1_000_000_000 },
};

/** How a new source begins. */
export const newSource: SourceDraft = {
  kind: "page",
  url: "",
  depth: 3,
  include: [],
  exclude: [],
  everyHours: 24,
  maxPages: 200,
  maxTokens: 1_000_000,
};

/** What a reload has done so far, or did. */
export interface ReloadReport {
  added: number;
  changed: number;
  unchanged: number;
  failed: number;
  /** Pages that the host says are not there. */
  gone: number;
  removed: number;
  /** Embedded; what would have been, where `counted`. */
  tokens: number;
  /** US dollars; null where the price is not known. */
  costUsd: number | null;
  /** There were more pages than the source may have. */
  cut: boolean;
}

/** A reload that has ended. */
export interface EndedReload extends ReloadReport {
  /** It only counted. */
  counted: boolean;
  /** Why it ended before it was complete. */
  error: { message: string; hint: string } | null;
  /** ISO 8601. */
  endedAt: string;
}

/** Pages of the web that become documents of a collection and are kept as they are there. */
export interface SourceSummary extends SourceDraft {
  id: string;
  /** `asking`: it has counted, and waits until somebody accepts the cost. */
  state: "idle" | "running" | "asking";
  /** The reload under way only counts. */
  counts: boolean;
  /** Of the reload under way. */
  report: ReloadReport;
  last: EndedReload | null;
  /** When a worker is to look at it; null: not by itself. ISO 8601. */
  dueAt: string | null;
  documents: number;
  /** The first pages that failed in the latest reload. */
  failures: readonly { url: string; message: string; hint: string }[];
}

/** The sources of collections. Every method rejects with a ServiceError. */
export interface WebSources {
  /** In the order in which they were added. */
  list(collectionId: string): Promise<SourceSummary[]>;
  /** Adds one, or changes the one of this id. It is loaded at once where it is to find other pages than before. */
  save(collectionId: string, draft: SourceDraft, id?: string): Promise<void>;
  /** `accept`: what embedding its pages costs is accepted, from now on. */
  reload(id: string, options: { accept: boolean }): Promise<void>;
  /** Gives how many documents went with it; those of other sources stay. */
  remove(id: string, options: { withDocuments: boolean }): Promise<number>;
}
