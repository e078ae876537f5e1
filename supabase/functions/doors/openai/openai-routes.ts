import { z } from "zod/mini";
import type { DoorRoute } from "../../_shared/door.ts";
import { DoorProblem, problems } from "../../_shared/door-problem.ts";
import { respondJson } from "../../_shared/respond.ts";
import type { SupabaseClient } from "../../_shared/supabase-client.ts";
import { type ApiKey, openWithKey } from "../run/api-key.ts";
import { chatCompletionsRoute } from "./chat-completions.ts";
import { responsesRoute } from "./responses.ts";

const publicationsSchema = z.array(z.object({ slug: z.string(), publishedAt: z.number() }));

/** The live workflows that a key may run, as models. */
async function modelsOf(key: ApiKey, supabase: SupabaseClient): Promise<{ id: string }[]> {
  const found = await supabase.callAsService("studio_door_publications", { p_owner: key.owner }, "reads");
  return publicationsSchema
    .parse(found)
    .filter(({ slug }) => key.mayRun(slug))
    .map(({ slug, publishedAt }) => ({ id: slug, object: "model", created: publishedAt, owned_by: "switchyard" }));
}

const modelsRoute: DoorRoute = {
  method: "GET",
  path: "/v1/models",
  async handle(call, context) {
    const key = await openWithKey(call, context);
    return respondJson({ object: "list", data: await modelsOf(key, context.supabase) });
  },
};

const modelRoute: DoorRoute = {
  method: "GET",
  path: "/v1/models/:model",
  async handle(call, context) {
    const key = await openWithKey(call, context);
    const model = (await modelsOf(key, context.supabase)).find(({ id }) => id === call.params["model"]);
    if (model === undefined) throw new DoorProblem(problems.notFound("model"));
    return respondJson(model);
  },
};

/** What OpenAI has and workflows have not, such as embeddings, audio and pictures to order. */
const absentRoutes: readonly DoorRoute[] = (["/v1/:other", "/v1/:other/:kind"] as const).map((path) => ({
  method: "POST",
  path,
  async handle(call, context) {
    await openWithKey(call, context);
    throw new DoorProblem({
      ...problems.notFound("address"),
      detail: `A workflow has no /v1/${Object.values(call.params).join("/")}. It answers /v1/chat/completions and /v1/responses.`,
    });
  },
}));

/** What OpenAI's clients use, with published workflows in the place of models. */
export const openAiRoutes: readonly DoorRoute[] = [
  modelsRoute,
  modelRoute,
  chatCompletionsRoute,
  responsesRoute,
  ...absentRoutes,
];
