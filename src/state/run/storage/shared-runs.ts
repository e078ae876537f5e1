import { z } from "zod/mini";
import { mostSharedCharacters, sharedParts } from "../../../engine/run/share/shared-run.ts";
import { firstChars } from "../../../engine/well-formed.ts";
import { type RunShare, ServiceError, type SharedRunService } from "../../../services/services.ts";
import { execute, query } from "../../shared/storage/query.ts";
import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";

const shareRow = z.object({ id: z.string(), parts: sharedParts, created_at: z.string(), expires_at: z.string() });
const made = z.object({ id: z.string(), slug: z.string(), expiresAt: z.string() });

const place = /<script type="application\/json" id="shared-run"><\/script>/;

/** Copies of runs in `studio_shared_runs`. `readPage` gets the empty page of a shared run as one file. */
export function createSharedRuns(
  { database }: Pick<SupabaseClient, "database">,
  readPage: () => Promise<string> = readPageOfSite,
): SharedRunService {
  return {
    async list(runId) {
      const rows = database
        .from("studio_shared_runs")
        .select("id,parts,created_at,expires_at")
        .eq("run_id", runId)
        .gt("expires_at", new Date().toISOString())
        .order("created_at", { ascending: false });
      const found = await query("list the links to this run", z.array(shareRow), rows);
      return found.map(({ id, parts, created_at, expires_at }): RunShare => ({
        id,
        parts,
        createdAt: created_at,
        expiresAt: expires_at,
      }));
    },

    async share(runId, shared) {
      refuseLarge(JSON.stringify(shared));
      const answer = await database.rpc("studio_share_run", {
        p_run_id: runId,
        p_title: firstChars(shared.title, 200) || "Run",
        p_parts: shared.parts,
        p_snapshot: shared,
      });
      if (answer.error?.message.includes("too_many_shares") === true) {
        throw new ServiceError(
          "full",
          "There are 200 links to runs already.",
          "Revoke links that are not needed any more.",
        );
      }
      return query("share the run", made, Promise.resolve(answer));
    },

    revoke: (id) => execute("revoke the link", database.from("studio_shared_runs").delete().eq("id", id)),

    async asFile(shared) {
      const json = JSON.stringify(shared);
      refuseLarge(json);
      const page = await readPage();
      if (!place.test(page)) {
        throw new ServiceError("server", "The file could not be made.", "Build the site, then try again.");
      }
      // As data in the page: nothing in it can end the element that holds it.
      const data = json.replaceAll("<", String.raw`\u003c`);
      return page
        .replace(place, () => `<script type="application/json" id="shared-run">${data}</script>`)
        .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(shared.title)}</title>`);
    },
  };
}

function refuseLarge(json: string): void {
  if (json.length <= mostSharedCharacters) return;
  throw new ServiceError("invalid", "The run is too large to be shared like this.", "Leave out files or data.");
}

async function readPageOfSite(): Promise<string> {
  const response = await fetch("/share-file.html").catch(() => null);
  if (response === null) throw new ServiceError("offline", "The studio cannot be reached.", "Try again in a moment.");
  return response.ok ? response.text() : "";
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
