import { isJsonObject } from "../../json.ts";
import { retryDelay } from "../../time/backoff.ts";
import { joinTaint } from "../../trust/taint.ts";
import { type Execution, heldInput } from "../execution.ts";
import { refusedCall, type ToolInterceptor } from "./tool-call.ts";
import { taintOf } from "./tool-table.ts";

/** Pauses the call at a breakpoint, where a person may edit its arguments. */
export function holdCall(execution: Execution): ToolInterceptor {
  return async (call, next) => {
    const { entry, callId, input, clock } = call;
    const { tool, nodeId: atNodeId } = entry;
    if (!execution.run.pauser) return next(call);
    const place = { kind: "tool-call", atNodeId, callId, toolName: tool.name, input: () => input } as const;
    const edited = await clock.during(() => heldInput(execution, place));
    return next(isJsonObject(edited) ? { ...call, input: edited } : call);
  };
}

/** Refuses arguments that a person edited into something that does not fit the tool. */
export const checkEdited: ToolInterceptor = async (call, next) => {
  const { entry, input, written } = call;
  const checked = input === written ? { ok: true as const } : await entry.check(input);
  return checked.ok ? next(call) : { input, result: refusedCall(`Invalid arguments after editing. ${checked.reason}`) };
};

/** Waits until the log is stored, so that a resumed run knows of the call whatever happens now. */
export function storeFirst({ run, deadline }: Execution): ToolInterceptor {
  return async (call, next) => {
    if (run.host.checkpoint) {
      await run.host.checkpoint();
      deadline.signal.throwIfAborted();
    }
    return next(call);
  };
}

/** Notes that the tool was used, and where untrusted content in its result came from. */
export function recordUse({ progress }: Execution): ToolInterceptor {
  return async (call, next) => {
    progress.toolsUsed.add(call.entry.tool.name);
    const { result, ...use } = await next(call);
    // A failed result may quote the server, too.
    const untrusted = result.untrusted ?? taintOf(call.entry);
    progress.untrusted = joinTaint(progress.untrusted, untrusted);
    return { ...use, result: { ...result, untrusted } };
  };
}

/** Retries calls that may be retried, after temporary failures. Each attempt has the tool's full time limit. */
export function retryCall({ run, deadline: { signal } }: Execution): ToolInterceptor {
  return async (call, next) => {
    const { tool, nodeId } = call.entry;
    const { repeats } = tool;
    for (let attempt = 1; ; attempt += 1) {
      const use = await next(call);
      const { result } = use;
      if (result.ok || !result.error.retryable || attempt > (repeats?.retries ?? 0) || signal.aborted) return use;
      const { message, hint = "", code = "tool_error", retryAfterMs } = result.error;
      const error = { message, hint, code, retryable: true };
      const delayMs = retryDelay(run.host, attempt, { retryAfterMs }, repeats?.delayMs);
      run.emit({ type: "retry", nodeId, attempt, maxAttempts: repeats?.retries ?? 0, delayMs, error });
      await run.host.sleep(delayMs, signal);
    }
  };
}
