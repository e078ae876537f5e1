import type { FunctionResult, Host } from "../../../engine/host.ts";
import type { JsonObject } from "../../../engine/json.ts";
import { RunError } from "../../../engine/errors.ts";
import type { TurnQueue, TurnWrite } from "./unsaved-turns.ts";

/** The turn that a request to the function `redis-memory` writes; undefined when it does anything else. */
function turnOf(name: string, request: JsonObject): TurnWrite | undefined {
  const { action, writeId, sessionId } = request;
  if (name !== "redis-memory" || action !== "append" || typeof writeId !== "string") return undefined;
  return { kind: "redis", id: writeId, key: sessionOf(request, String(sessionId)), request };
}

function sessionOf({ workflowId }: JsonObject, sessionId: string) {
  return { workflowId: typeof workflowId === "string" ? workflowId : null, sessionId };
}

/** Turns for Redis that cannot be saved wait in this browser, and come before what is read or written later. */
export function keepingRedisTurns(callFunction: Host["callFunction"], queue: TurnQueue): Host["callFunction"] {
  return async (name, request, options) => {
    const turn = turnOf(name, request);
    if (turn === undefined) {
      const { action, sessionId } = request;
      if (name === "redis-memory" && action === "load" && typeof sessionId === "string") {
        await queue.settle(sessionOf(request, sessionId));
      }
      return callFunction(name, request, options);
    }
    let refused: FunctionResult | undefined;
    try {
      return await queue.through(turn, async () => {
        const answer = await callFunction(name, request, options);
        if (answer.ok) return answer;
        refused = answer;
        throw new RunError(answer.error);
      });
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      const status = refused?.ok === false ? refused.status : 0;
      return { ok: false, status, error: error.data };
    }
  };
}
