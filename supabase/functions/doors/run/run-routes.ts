import { z } from "zod";
import type { Json } from "../../../../src/engine/json.ts";
import type { DoorCall, DoorRoute } from "../../_shared/door.ts";
import { DoorProblem, problems } from "../../_shared/door-problem.ts";
import { type Door, type DoorRun, findDoor, followRun, startRun } from "../../_shared/door-runs.ts";
import { sha256 } from "../../_shared/door.ts";
import type { FunctionContext } from "../../_shared/endpoint.ts";
import { respondJson } from "../../_shared/respond.ts";
import { type ApiKey, openWithKey } from "./api-key.ts";

const MAX_INPUT_BYTES = 16 * 1024 * 1024;
/** How long a program waits for the end in one request. */
const LONGEST_WAIT_MS = 100_000;

const json = z.json() as z.ZodType<Json>;

/** `POST /api/run/<slug>[@version]`: starts a run with the body as its input, and waits for its end. */
const startRoute: DoorRoute = {
  method: "POST",
  path: "/api/run/:slug",
  async handle(call, context) {
    const key = await openWithKey(call, context);
    const { door, target } = await publicationOf(call.params["slug"] ?? "", key, context);
    const input = json.parse((await call.readJson(MAX_INPUT_BYTES)) ?? {});
    const { id } = await startRun(context.supabase, {
      publication: door,
      target,
      input,
      source: "api",
      keyId: key.id,
      idempotencyKey: await idempotencyKey(call, key),
    });
    call.setHeader("x-switchyard-run", id);
    const run = await untilEnd(id, call, context);
    if (run === null) return accepted(id);
    return respondJson(shownRun(run), run.status === "completed" ? 200 : 502);
  },
};

/** The publication that a key may use under this name, and which version is meant. */
async function publicationOf(
  name: string,
  key: ApiKey,
  { supabase }: FunctionContext,
): Promise<{ door: Door; target: string }> {
  const [slug = "", target = "live"] = name.split("@");
  const door = key.mayRun(slug) ? await findDoor(supabase, slug, "api") : null;
  if (door === null || door.owner !== key.owner || door.slug !== slug || door.enabled === false) {
    throw new DoorProblem(problems.notFound("workflow"));
  }
  return { door, target };
}

async function idempotencyKey(call: DoorCall, key: ApiKey): Promise<string | undefined> {
  const given = call.request.headers.get("idempotency-key");
  if (given === null) return undefined;
  if (given.length === 0 || given.length > 255) {
    throw new DoorProblem(problems.badRequest("Idempotency-Key takes 1 to 255 characters."));
  }
  return `api ${await sha256(`${key.id} ${given}`)}`;
}

async function untilEnd(id: string, call: DoorCall, { supabase }: FunctionContext): Promise<DoorRun | null> {
  const signal = AbortSignal.any([call.request.signal, AbortSignal.timeout(LONGEST_WAIT_MS)]);
  for await (const news of followRun(supabase, id, -1, signal)) {
    if (news.kind === "end") return news.run;
  }
  return null;
}

function accepted(id: string): Response {
  const location = `/api/runs/${id}`;
  return respondJson({ id, status: "running", url: location }, 202, { location, "retry-after": "2" });
}

/** What programs see of a run. */
function shownRun({
  id,
  slug,
  version,
  status,
  output,
  error,
  totalTokens,
  costUsd,
}: DoorRun): Record<string, unknown> {
  return {
    id,
    workflow: slug,
    version,
    status,
    output: output ?? null,
    ...(error ? { error: { code: error.code, message: error.message, hint: error.hint } } : {}),
    usage: { totalTokens: totalTokens ?? null, costUsd: costUsd ?? null },
  };
}

export const runRoutes: readonly DoorRoute[] = [startRoute];
