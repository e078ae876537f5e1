import { isJsonObject } from "../../json.ts";
import type { Repeats } from "../../run/errors.ts";
import { retryDelay } from "../../time/backoff.ts";
import { joinTaint } from "../../trust/taint.ts";
import { type Execution, hold } from "../execution.ts";
import { type MakeCall, refusedCall, type ToolCall, type ToolInterceptor, type ToolUse } from "./tool-call.ts";
import { taintOf } from "./tool-table.ts";

/** Pauses the call at a breakpoint, where a person may edit its arguments. */
export function holdCall(execution: Execution): ToolInterceptor {
  return (call, next) => {
    const { entry, callId, input, clock } = call;
    const { tool, nodeId: atNodeId } = entry;
    const held = hold(execution, { kind: "tool-call", atNodeId, callId, toolName: tool.name, input: () => input });
    if (!held) return next(call);
    return clock.during(() => held).then((edited) => next(isJsonObject(edited) ? { ...call, input: edited } : call));
  };
}

/** Refuses arguments that a person edited into something that does not fit the tool. */
export const checkEdited: ToolInterceptor = (call, next) => {
  const { entry, input, written } = call;
  if (input === written) return next(call);
  return entry.check(input).then((checked) => {
    if (checked.ok) return next(call);
    return { input, result: refusedCall(`Invalid arguments after editing. ${checked.reason}`) };
  });
};

/** Waits until the log is stored, so that a resumed run knows of the call whatever happens now. */
export function storeFirst({ run: { host }, deadline }: Execution): ToolInterceptor | undefined {
  if (!host.checkpoint) return undefined;
  return async (call, next) => {
    await host.checkpoint?.();
    deadline.signal.throwIfAborted();
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
  async function retry(call: ToolCall, next: MakeCall, { retries, delayMs: firstMs }: Repeats): Promise<ToolUse> {
    for (let attempt = 1; ; attempt += 1) {
      const use = await next(call);
      const { result } = use;
      if (result.ok || !result.error.retryable || attempt > retries || signal.aborted) return use;
      const { message, hint = "", code = "tool_error", retryAfterMs } = result.error;
      const error = { message, hint, code, retryable: true };
      const delayMs = retryDelay(run.host, attempt, { retryAfterMs }, firstMs);
      run.emit({ type: "retry", nodeId: call.entry.nodeId, attempt, maxAttempts: retries, delayMs, error });
      await run.host.sleep(delayMs, signal);
    }
  }
  return (call, next) => {
    const { repeats } = call.entry.tool;
    return repeats ? retry(call, next, repeats) : next(call);
  };
}
