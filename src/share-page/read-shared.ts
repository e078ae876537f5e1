import { z } from "zod/mini";
import { readSharedRun, type SharedRun } from "../engine/run/share/shared-run.ts";

/** What the page was given to show. */
export type Fetched = { status: "found"; run: SharedRun } | { status: "gone" } | { status: "failed"; message: string };

const answer = z.object({ snapshot: z.unknown() });
const oldPage: Fetched = { status: "failed", message: "It is in a form that this page cannot read." };

/** The run that a file holds; null on a page that has to ask for it. */
export function readEmbedded(page: Document): Fetched | null {
  const text = page.getElementById("shared-run")?.textContent ?? "";
  if (text.trim() === "") return null;
  const run = readSharedRun(JSON.parse(text));
  return run === null ? oldPage : { status: "found", run };
}

/** Asks for the run of the page's address. Never rejects. */
export async function fetchShared({ pathname, origin }: Pick<Location, "pathname" | "origin">): Promise<Fetched> {
  const [, slug] = /^\/s\/([0-9a-f]{32})\/?$/.exec(pathname) ?? [];
  if (slug === undefined) return { status: "gone" };
  const backend = import.meta.env.VITE_SUPABASE_URL;
  const base = backend ? `${new URL(backend).origin}/functions/v1/doors` : origin;
  try {
    const response = await fetch(`${base}/s-api/${slug}`, { credentials: "omit", referrerPolicy: "no-referrer" });
    if (response.status === 404) return { status: "gone" };
    if (!response.ok) return { status: "failed", message: failureWords(response.status) };
    const run = readSharedRun(answer.parse(await response.json()).snapshot);
    return run === null ? oldPage : { status: "found", run };
  } catch {
    return { status: "failed", message: "The studio cannot be reached." };
  }
}

function failureWords(status: number): string {
  return status === 429 ? "Too many people asked for it at once. Wait a minute." : "The studio is busy or restarting.";
}
