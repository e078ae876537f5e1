import type { PublishedInterface } from "../../../../src/doors/published-interface.ts";
import { DoorProblem, problems } from "../../_shared/door-problem.ts";
import { type Door, findDoor } from "../../_shared/door-runs.ts";
import { interfaceOf } from "../../_shared/published-version.ts";
import type { SupabaseClient } from "../../_shared/supabase-client.ts";
import type { ApiKey } from "./api-key.ts";

/** A published version that a key may run. */
export interface RunnableVersion {
  door: Door;
  version: number;
  interface: PublishedInterface;
}

/** The version that `slug`, `slug@staging` or `slug@7` means; only what the key may run is there for it. Throws DoorProblem. */
export async function findRunnable(name: string, key: ApiKey, supabase: SupabaseClient): Promise<RunnableVersion> {
  const [slug = "", target = "live", ...more] = name.split("@");
  const door = more.length === 0 && key.mayRun(slug) ? await findDoor(supabase, slug, "api") : null;
  if (door === null || door.owner !== key.owner || door.slug !== slug || door.enabled === false) {
    throw new DoorProblem(problems.notFound("workflow"));
  }
  const version =
    target === "live"
      ? door.live
      : target === "staging"
        ? door.staging
        : /^\d{1,9}$/.test(target)
          ? Number(target)
          : null;
  if (version === null) throw new DoorProblem(problems.notFound("published version"));
  return { door, version, interface: await interfaceOf(supabase, door.workflowId, version) };
}
