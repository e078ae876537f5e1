import { z } from "zod/mini";
import { type DoorCall, sha256, takeDoorLimit } from "../../_shared/door.ts";
import { DoorProblem, type Problem, problems, refusals } from "../../_shared/door-problem.ts";
import { apiKeyIn } from "../../_shared/door-paths.ts";
import type { FunctionContext } from "../../_shared/endpoint.ts";

const limit = z.catch(z.optional(z.number().check(z.positive())), undefined);

const keySchema = z.object({
  id: z.string(),
  owner: z.string(),
  scopes: z.array(z.string()),
  limits: z.object({ origins: z.optional(z.array(z.string())), perMinute: limit, concurrent: limit }),
  expired: z.boolean(),
});

/** The key that a call came with. */
export interface ApiKey {
  id: string;
  owner: string;
  /** Whether it may start and use this publication. */
  mayRun(slug: string): boolean;
  /** Whether it may read all runs of its owner. */
  mayReadRuns: boolean;
  mayApprove: boolean;
  /** Whether it may add, list and delete documents of its owner's collections. */
  mayWriteKnowledge: boolean;
}

const usualPerMinute = 600;

/**
 * The key of a call, from `Authorization: Bearer sy_…`. It has counted against the key's limit by the minute, and a page that
 * makes the call may read the answer if the key is for its origin. Throws DoorProblem: 401, 403, 429.
 */
export async function openWithKey(call: DoorCall, { supabase }: FunctionContext): Promise<ApiKey> {
  const secret = apiKeyIn(call.request.headers);
  if (secret === undefined) throw new DoorProblem(refusals.noKey);
  const found = await supabase.callAsService("studio_find_api_key", { p_hash: await sha256(secret) });
  const key = z.nullable(keySchema).parse(found);
  if (key === null) throw new DoorProblem(refusals.unknownKey);
  if (key.expired) throw new DoorProblem(refusals.expiredKey);
  const { origins, perMinute = usualPerMinute } = key.limits;
  if (call.origin !== null) {
    if (origins === undefined || !origins.includes(call.origin)) throw new DoorProblem(foreignOrigin);
    call.allowOrigin();
  }
  const { wait, remaining, reset } = await takeDoorLimit(supabase, `key ${key.id}`, perMinute);
  call.setHeader("ratelimit-policy", `"key";q=${perMinute};w=60`);
  call.setHeader("ratelimit", `"key";r=${remaining};t=${reset}`);
  if (wait > 0) throw new DoorProblem(problems.tooMany("This API key has made as many requests as it may.", wait));
  const { id, owner, scopes } = key;
  return {
    id,
    owner,
    mayRun: (slug) => scopes.includes("run:*") || scopes.includes(`run:${slug}`),
    mayReadRuns: scopes.includes("runs:read"),
    mayApprove: scopes.includes("approve"),
    mayWriteKnowledge: scopes.includes("knowledge"),
  };
}

const foreignOrigin: Problem = {
  status: 403,
  code: "origin_not_allowed",
  title: "Origin not allowed",
  detail: "Pages of this origin may not use this API key. Its owner can allow the origin in the studio's settings.",
};
