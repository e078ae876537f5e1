import { z } from "zod/mini";
import { documentStatuses } from "../../src/engine/knowledge/stored-documents.ts";
import { embeddingProviders } from "../../src/providers/embeddings/embedding-providers.ts";
import { costsNothing } from "../../src/providers/embeddings/embedding-cost.ts";
import type { SqlDoor } from "../sql-door.ts";
import type { WebFailure } from "./web-answer.ts";

const claimedSource = z.object({
  id: z.string(),
  turn: z.string(),
  collection: z.string(),
  kind: z.enum(["page", "sitemap", "site", "feed"]),
  url: z.string(),
  depth: z.number(),
  include: z.array(z.string()),
  exclude: z.array(z.string()),
  maxTokens: z.number(),
  /** It only counts what it would embed. */
  counts: z.boolean(),
  /** Since the reload began. */
  seconds: z.number(),
  /** Of the reload so far. */
  tokens: z.number(),
  bytes: z.number(),
});

export type ClaimedSource = z.infer<typeof claimedSource>;

const nextPage = z.object({
  id: z.string(),
  url: z.string(),
  role: z.enum(["page", "list"]),
  depth: z.number(),
  etag: z.nullable(z.string()),
  lastModified: z.nullable(z.string()),
  hash: z.nullable(z.string()),
  links: z.array(z.string()),
  document: z.nullable(
    z.object({ id: z.string(), name: z.string(), hash: z.string(), status: z.enum(documentStatuses) }),
  ),
});

/** A page that a reload has come to, with what is known of it. */
export type NextPage = z.infer<typeof nextPage>;

/** What became of a page. */
export interface PageNote {
  outcome: "added" | "changed" | "unchanged" | "gone" | "failed" | "listed";
  error?: WebFailure;
  /** What it leads to, each once. */
  next?: readonly { url: string; role: "page" | "list"; depth: number }[];
  /** More could not be found, so nothing that was not found is gone. */
  incomplete?: boolean;
  /** What is known of the page from now on; absent where it stays. */
  kept?: {
    etag: string | null;
    lastModified: string | null;
    hash: string | null;
    links: readonly string[];
    document: string | null;
  };
  /** What was embedded, or would be. */
  tokens: number;
  bytes: number;
  /** Null where the price is not known. */
  costUsd: number | null;
}

/** Providers of vectors that cost nothing. */
export const freeProviders = embeddingProviders.filter(costsNothing).map(({ id }) => id);

/** A turn of one worker at one source; once another one has begun, it gets and stores nothing more. */
export interface SourceTurn {
  source: ClaimedSource;
  next(): Promise<NextPage | null>;
  /** The name that the document of a page gets; null where another turn has begun. */
  nameOf(page: NextPage, title: string): Promise<string | null>;
  /** False where another turn has begun. */
  note(page: NextPage, note: PageNote): Promise<boolean>;
  /** The reload goes on after a while. */
  leave(ms: number): Promise<void>;
  /** The reload is over; `error`: before its end. */
  end(error: WebFailure | null): Promise<void>;
}

/** Takes the source of an owner that has been due longest; null where none is. */
export async function takeSource(
  owner: string,
  { door, worker }: { door: Pick<SqlDoor, "ask">; worker: string },
): Promise<SourceTurn | null> {
  const [row] = await door.ask("claimSource", [worker, owner, JSON.stringify(freeProviders)]);
  const source = z.nullable(claimedSource).parse(row?.["answer"] ?? null);
  if (source === null) return null;
  const own = [owner, source.id, source.turn] as const;
  const answer = async (asked: ReturnType<typeof door.ask>) => (await asked)[0]?.["answer"] ?? null;
  return {
    source,
    next: async () => z.nullable(nextPage).parse(await answer(door.ask("nextSourcePage", own))),
    nameOf: async ({ document, url }, title) => {
      const named = answer(door.ask("nameSourceDocument", [...own, document?.id ?? null, title, url]));
      return z.nullable(z.string()).parse(await named);
    },
    note: async ({ id }, note) =>
      (await answer(door.ask("noteSourcePage", [...own, id, JSON.stringify(note)]))) === true,
    leave: async (ms) => void (await door.ask("leaveSource", [...own, ms])),
    end: async (error) => void (await door.ask("endSource", [...own, error === null ? null : JSON.stringify(error)])),
  };
}
