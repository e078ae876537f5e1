import { z } from "zod/mini";
import { longestUri } from "./pin-limits.ts";

/** How a tool belongs to an interface, as its `_meta.ui` says (MCP Apps, specification of 2026-01-26). */
export interface AppLink {
  /** Whether models may call it, and whether interfaces of the same server may. */
  for: "model" | "app" | "both";
  /** The address of the interface that shows its results. */
  uri?: string;
}

const uiAddress = z.string().check(z.startsWith("ui://"), z.maxLength(longestUri));

const link = z.looseObject({
  for: z.catch(z.optional(z.enum(["model", "app", "both"])), undefined),
  uri: z.catch(z.optional(uiAddress), undefined),
  resourceUri: z.catch(z.optional(uiAddress), undefined),
  visibility: z.catch(z.optional(z.array(z.string())), undefined),
});

const meta = z.looseObject({
  ui: z.catch(z.optional(link), undefined),
  /** Where servers had it before. */
  "ui/resourceUri": z.catch(z.optional(uiAddress), undefined),
});

/**
 * What a tool's `_meta` says about interfaces, or an approved tool's own words for it; undefined where that is nothing. A list that
 * names neither models nor interfaces leaves the tool to nobody but interfaces, which is the narrower reading.
 */
export function appLink(value: unknown): AppLink | undefined {
  const parsed = meta.safeParse(value);
  if (!parsed.success) return undefined;
  const { ui } = parsed.data;
  const uri = ui?.uri ?? ui?.resourceUri ?? parsed.data["ui/resourceUri"];
  const visible = ui?.visibility;
  if (uri === undefined && visible === undefined && ui?.for === undefined) return undefined;
  const forModel = visible?.includes("model") ?? true;
  const forApp = visible?.includes("app") ?? true;
  const who = ui?.for ?? (forModel ? (forApp ? "both" : "model") : "app");
  return { for: who, ...(uri === undefined ? {} : { uri }) };
}

/** The type of an interface's document. */
export const appMediaType = "text/html;profile=mcp-app";

/** What the server is told at the beginning: interfaces can be shown. */
export const appExtension = { "io.modelcontextprotocol/ui": { mimeTypes: [appMediaType] } };
