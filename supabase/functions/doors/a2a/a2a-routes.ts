import { apiDoorConfig } from "../../../../src/doors/door-config.ts";
import { maxInputMb } from "../../../../src/doors/door-limits.ts";
import { isJsonObject } from "../../../../src/engine/json.ts";
import { doorBase } from "../../_shared/door-base.ts";
import type { DoorCall, DoorRoute } from "../../_shared/door.ts";
import { DoorProblem, problems } from "../../_shared/door-problem.ts";
import type { FunctionContext } from "../../_shared/endpoint.ts";
import { respondEvents, type StreamEvent } from "../../_shared/event-stream.ts";
import { respondJson } from "../../_shared/respond.ts";
import { openWithKey } from "../run/api-key.ts";
import { findRunnable } from "../run/publication.ts";
import { agentCardOf } from "./agent-card.ts";

/** What JSON-RPC adds to a message. */
const frameBytes = 64 * 1024;
/** What clients speak that name no version. */
const oldVersion = "0.3";

/** The workflow of a call's path, for a key that may run it, if it can be talked to and is offered to agents. Throws DoorProblem. */
async function openAgent(call: DoorCall, context: FunctionContext) {
  const key = await openWithKey(call, context);
  const runnable = await findRunnable(call.params["slug"] ?? "", key, context.supabase);
  const isOffered = apiDoorConfig.safeParse(runnable.door.config).data?.agents !== false;
  if (!runnable.interface.takesMessages || !isOffered) throw new DoorProblem(problems.notFound("agent"));
  const base = doorBase(call.request, context.environment);
  return { key, runnable, card: agentCardOf(runnable, `${base}/a2a/${call.params["slug"] ?? ""}`) };
}

/** `GET /a2a/<slug>/.well-known/agent-card.json`: what the agent is and how it is reached, for keys that may run it. */
const cardRoute: DoorRoute = {
  method: "GET",
  path: "/a2a/:slug/.well-known/agent-card.json",
  async handle(call, context) {
    const { card } = await openAgent(call, context);
    const { AgentCard } = await import("@a2a-js/sdk");
    return respondJson(AgentCard.toJSON(card));
  },
};

/** `POST /a2a/<slug>`: messages of other agents by JSON-RPC, in version 1.0 of the protocol or, unnamed, 0.3. A preview. */
const messageRoute: DoorRoute = {
  method: "POST",
  path: "/a2a/:slug",
  async handle(call, context) {
    const { key, runnable, card } = await openAgent(call, context);
    const { takesFiles } = runnable.interface;
    const body = await call.readJson(
      (takesFiles ? maxInputMb * 1024 * 1024 : runnable.door.limits.inputBytes) + frameBytes,
    );
    if (!isJsonObject(body)) throw new DoorProblem(problems.badRequest("Send one JSON-RPC request."));
    call.takeStream({ key: key.id });
    const [{ JsonRpcTransportHandler, ServerCallContext }, { LegacyJsonRpcTransportHandler }, { RunTasks }] =
      await Promise.all([
        import("@a2a-js/sdk/server"),
        import("@a2a-js/sdk/compat/v0_3/server"),
        import("./run-tasks.ts"),
      ]);
    const requestedVersion = call.request.headers.get("a2a-version") || oldVersion;
    if (!card.supportedInterfaces.some(({ protocolVersion }) => protocolVersion === requestedVersion)) {
      throw new DoorProblem(problems.badRequest("This agent speaks the versions 1.0 and 0.3 of the protocol."));
    }
    const tasks = new RunTasks(card, runnable, key, context, call);
    const handler =
      requestedVersion === oldVersion ? new LegacyJsonRpcTransportHandler(tasks) : new JsonRpcTransportHandler(tasks);
    const answer = await handler.handle(body, new ServerCallContext({ requestedVersion }));
    if (!(Symbol.asyncIterator in answer)) {
      call.share.giveBack();
      if (tasks.problem) throw tasks.problem;
      return respondJson(answer);
    }
    return respondEvents(await begun(answer, () => tasks.problem));
  },
};

export const a2aRoutes: readonly DoorRoute[] = [cardRoute, messageRoute];

/** The answers as events. What keeps the first one from coming is thrown here, while the status can still say so. */
async function begun(
  answers: AsyncGenerator<unknown, void, undefined>,
  problem: () => DoorProblem | undefined,
): Promise<AsyncGenerator<StreamEvent>> {
  const first = await answers.next().catch((error: unknown) => {
    throw problem() ?? (error instanceof Error ? new DoorProblem(problems.badRequest(error.message)) : error);
  });
  return (async function* () {
    if (first.done !== true) yield { data: first.value };
    for await (const data of answers) yield { data };
  })();
}
