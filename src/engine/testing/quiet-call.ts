import type { ToolCallContext } from "../tool/tool.ts";

/** What a tool gets in a test where nobody is asked and nobody listens; `more` replaces parts of it. */
export function quietCall(signal: AbortSignal, more: Partial<ToolCallContext> = {}): ToolCallContext {
  return {
    signal,
    callId: "call",
    depth: 1,
    untrusted: [],
    pausedWhile: (wait) => wait(),
    addUsage: () => {},
    spending: [],
    log: () => {},
    ask: () => Promise.resolve({ action: "decline" }),
    tellProgress: () => {},
    ...more,
  };
}
