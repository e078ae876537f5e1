import { sourceKind } from "../../src/documents/source-kind.ts";
import { isInScope } from "../../src/documents/web/crawl-scope.ts";
import { pageLinks } from "../../src/documents/web/page-links.ts";
import { addressesOf, readFeed, readSitemap } from "../../src/documents/web/read-list.ts";
import { RunError } from "../../src/engine/errors.ts";
import type { Host } from "../../src/engine/host.ts";
import type { KnowledgeCollection } from "../../src/engine/knowledge/knowledge.ts";
import { estimateTokens } from "../../src/engine/model/estimate-tokens.ts";
import type { SourceDocument } from "../../src/engine/knowledge/source-document.ts";
import { storableDocument } from "../../src/engine/knowledge/storable-document.ts";
import { addCost } from "../../src/engine/model/usage.ts";
import { sourceOfUrl } from "../../src/engine/trust/taint.ts";
import { documentHash } from "../../src/nodes/knowledge/chunk-hash.ts";
import { storeDocument } from "../../src/nodes/knowledge/store-document.ts";
import { createHash } from "node:crypto";
import type { AskWeb } from "./ask-web.ts";
import { freeProviders, type NextPage, type PageNote, type SourceTurn } from "./source-turn.ts";
import type { WebAnswer, WebFailure } from "./web-answer.ts";

/** Addresses of one page that are followed. */
const maxLinks = 2_000;
/** Sitemaps below each other. */
const deepestList = 3;

/** Ends a reload before its end; `isTold`: the owner is told, besides what stands at the source. */
export class StopReload extends Error {
  readonly failure: WebFailure;
  readonly isTold: boolean;

  constructor(failure: WebFailure, isTold = false) {
    super(failure.message);
    this.failure = failure;
    this.isTold = isTold;
  }
}

interface ReaderOptions {
  turn: SourceTurn;
  host: Host;
  collection: KnowledgeCollection;
  askWeb: AskWeb;
  signal: AbortSignal;
}

type WebPage = Extract<WebAnswer, { type: "page" }>;

/**
 * Reads a page of a reload and brings its document up to date; `tokens`: what the reload has embedded so far. Gives what became of it;
 * null where another turn has begun. Rejects with StopReload where going on is of no use, and with what may pass.
 */
export function createPageReader({ turn, host, collection, askWeb, signal }: ReaderOptions) {
  const { source } = turn;
  const nothing = { tokens: 0, bytes: 0, costUsd: 0 };
  const isCharged = collection.embedding !== null && !freeProviders.includes(collection.embedding.provider);

  const inScope = (urls: readonly string[]) => urls.filter((url) => isInScope(url, source)).slice(0, maxLinks);
  const followed = (links: readonly string[], { depth }: NextPage) =>
    depth < source.depth ? links.map((url) => ({ url, role: "page" as const, depth: depth + 1 })) : [];

  function readList(page: NextPage, answer: WebPage): PageNote {
    const list = source.kind === "feed" ? readFeed(answer.body, answer.url) : readSitemap(answer.body, answer.url);
    const { bytes } = answer;
    if (list === null) {
      const what = source.kind === "feed" ? "RSS or Atom feed" : "sitemap";
      const error = { message: `This is no ${what}.`, hint: "Check the address." };
      return { outcome: "failed", error, incomplete: true, ...nothing, bytes };
    }
    const depth = page.depth + 1;
    const lists = list.lists.filter((url) => isInScope(url, { ...source, include: [], exclude: [] }));
    const isDeep = depth > deepestList;
    return {
      outcome: "listed",
      next: [
        ...inScope(list.pages).map((url) => ({ url, role: "page" as const, depth })),
        ...(isDeep ? [] : lists.map((url) => ({ url, role: "list" as const, depth }))),
      ].filter(({ url }) => url !== page.url),
      incomplete: isDeep && lists.length > 0,
      ...nothing,
      bytes,
    };
  }

  /** Where a page of a site leads is a page of its own, at the same distance. */
  function moved({ url, depth }: NextPage, to: string): PageNote {
    const next = addressesOf([to], url).filter((address) =>
      isInScope(address, depth === 0 ? { ...source, include: [], exclude: [] } : source),
    );
    if (depth > 0 || next.length > 0) {
      return { outcome: "listed", next: next.map((address) => ({ url: address, role: "page", depth })), ...nothing };
    }
    const error = {
      message: "The address redirects to another site.",
      hint: "Use the address that it redirects to in the end.",
    };
    return { outcome: "failed", error, ...nothing };
  }

  async function documentOf(answer: WebPage, url: string): Promise<SourceDocument> {
    const kind = sourceKind(new URL(answer.url).pathname, answer.contentType, answer.body) ?? "text";
    const bytes = new TextEncoder().encode(answer.body);
    const file = { name: url, mediaType: "text/plain;charset=utf-8", bytes };
    const read = await host.documents?.({ do: "read", file, kind }, signal);
    if (!read) throw new Error("This host reads no documents.");
    if (!read.ok) throw new RunError({ code: "tool_error", message: read.message, hint: read.hint });
    const storable = storableDocument({
      name: read.document?.title?.trim() || url,
      kind,
      source: url,
      sections: read.document?.sections ?? [],
      size: answer.bytes,
      untrusted: [sourceOfUrl(url)],
    });
    if (!storable.ok) throw new RunError({ code: "tool_error", message: storable.message, hint: storable.hint });
    return storable.document;
  }

  async function storePage(page: NextPage, answer: WebPage, soFar: number): Promise<PageNote | null> {
    const links = source.kind === "site" ? inScope(pageLinks(answer.body, answer.url)) : [];
    const next = followed(links, page);
    const { bytes } = answer;
    const hash = createHash("sha256").update(answer.body).digest("hex");
    const known = { etag: answer.etag, lastModified: answer.lastModified, hash, links };
    const isStored = page.document === null ? page.hash !== null : page.document.status === "ready";
    if (isStored && page.hash === hash && !source.counts) {
      const kept = { ...known, document: page.document?.id ?? null };
      return { outcome: "unchanged", next, kept, ...nothing, bytes };
    }
    let costUsd: number | null = 0;
    let embedded = 0;
    try {
      const document = await documentOf(answer, page.url);
      const isSame = page.document?.status === "ready" && page.document.hash === documentHash(document);
      const outcome = isSame ? "unchanged" : page.document ? "changed" : "added";
      const tokens = isSame ? 0 : document.sections.reduce((sum, { text }) => sum + estimateTokens(text), 0);
      if (source.counts) return { outcome, next, ...nothing, tokens, bytes };
      if (isCharged && soFar + tokens > source.maxTokens) throw new StopReload(overCap(source.maxTokens));
      const name = await turn.nameOf(page, document.name);
      if (name === null) return null;
      const stored = await storeDocument({ ...document, name }, collection, {
        writer: host.knowledge,
        host,
        signal,
        spend: (use) => {
          costUsd = addCost(costUsd, use.costUsd);
          embedded += use.usage.inputTokens;
          return Promise.resolve();
        },
      });
      return { outcome, next, kept: { ...known, document: stored.id }, tokens: embedded, bytes, costUsd };
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      const { message, hint, code, retryable, cause } = error.data;
      if (retryable) throw error;
      if (cause === "full") throw new StopReload({ message, hint }, true);
      if (code === "invalid_credentials") throw new StopReload({ message, hint });
      const kept = { etag: null, lastModified: null, hash: null, links, document: page.document?.id ?? null };
      return { outcome: "failed", error: { message, hint }, next, kept, tokens: embedded, bytes, costUsd };
    }
  }

  return async (page: NextPage, soFar: number): Promise<PageNote | null> => {
    const isList = page.role === "list";
    // One that is not stored yet, or not well, is read anew.
    const isKnown = !isList && !source.counts && page.hash !== null && page.document?.status === "ready";
    const { etag, lastModified } = page;
    const answer = await askWeb({
      url: page.url,
      ...(isKnown ? { etag, lastModified } : {}),
      followsRedirects: source.kind !== "site",
    });
    switch (answer.type) {
      case "page":
        return isList ? readList(page, answer) : await storePage(page, answer, soFar);
      case "same":
        return { outcome: "unchanged", next: followed(page.links, page), ...nothing };
      case "moved":
        return moved(page, answer.url);
      case "gone":
        return { outcome: "gone", error: answer.error, incomplete: isList, ...nothing };
      case "failed":
        return {
          outcome: "failed",
          error: answer.error,
          next: followed(page.links, page),
          incomplete: isList,
          ...nothing,
        };
      default:
        return answer satisfies never;
    }
  };
}

function overCap(tokens: number): WebFailure {
  const most = new Intl.NumberFormat("en").format(tokens);
  return {
    message: `The reload would embed more than ${most} tokens, the limit of this source, and was stopped.`,
    hint: "Raise the limit, lower the maximum number of pages, or exclude some of them. What is already stored is kept.",
  };
}
