import type { EventOf, RunEvent } from "../events.ts";
import { placeKey } from "./recorded-run.ts";

/** What the events so far say has begun to change something outside and has not ended. */
export class OpenWrites {
  private readonly open = new Map<string, EventOf<"write-start">>();

  add(event: RunEvent): void {
    if (event.type === "write-start") this.open.set(event.callId ?? stepKey(event), event);
    else if (event.type === "tool-call-end") this.open.delete(event.callId);
    else if (event.type === "node-end" || event.type === "node-error") this.open.delete(stepKey(event));
  }

  get size(): number {
    return this.open.size;
  }

  /** The one that began last. */
  get last(): EventOf<"write-start"> | undefined {
    return [...this.open.values()].at(-1);
  }
}

function stepKey(event: RunEvent & { nodeId: string }): string {
  return placeKey(event.nodeId, event, event.parentCallId);
}
