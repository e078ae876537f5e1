import { type DoorRoute, sha256 } from "../../_shared/door.ts";
import { DoorProblem, problems } from "../../_shared/door-problem.ts";
import { respondJson } from "../../_shared/respond.ts";

/**
 * What a link shows: the copy of one run that its owner made for strangers. It is read by the hash of the link's secret alone, so
 * that this function reaches no run by it. Only the page of shared runs, whose sandbox gives it the origin `null`, and programs
 * may read it. Throws DoorProblem: 404 for a link that never was, has expired or was revoked, which nobody can tell apart.
 */
const sharedRunRoute: DoorRoute = {
  method: "GET",
  path: "/s-api/:slug",
  async handle(call, { supabase }) {
    const slug = call.params["slug"] ?? "";
    const asked = { p_slug_hash: await sha256(slug) };
    const found = /^[0-9a-f]{32}$/.test(slug)
      ? await supabase.callAsService("studio_read_shared_run", asked, "reads")
      : null;
    if (found === null) throw new DoorProblem(problems.notFound("shared run"));
    if (call.origin === "null") call.allowOrigin();
    call.setHeader("x-robots-tag", "noindex, nofollow");
    return respondJson(found);
  },
};

export const shareRoutes: readonly DoorRoute[] = [sharedRunRoute];
