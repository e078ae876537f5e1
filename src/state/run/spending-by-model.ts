import { addCost } from "../../engine/model/usage.ts";
import type { EventOf, RunEvent } from "../../engine/run/events.ts";
import type { ModelSpending } from "../../services/run-history.ts";

/** Sums what the models of a run used, event by event. What was served from a recording cost nothing. */
export class SpendingByModel {
  private readonly models = new Map<string, ModelSpending>();
  private readonly open = new Map<string, { provider: string; model: string }>();

  add(event: RunEvent): void {
    if (event.replayed) return;
    if (event.type === "model-request") {
      this.open.set(event.callId, { provider: event.provider, model: event.model });
      return;
    }
    if (event.type === "embedding" || event.type === "transcription" || event.type === "rerank") {
      this.count({ provider: event.provider, model: event.model }, event);
      return;
    }
    if (event.type !== "model-response") return;
    const asked = this.open.get(event.callId);
    this.open.delete(event.callId);
    if (asked) this.count(asked, event);
  }

  private count(
    asked: { provider: string; model: string },
    { usage, costUsd }: Pick<EventOf<"model-response">, "usage" | "costUsd">,
  ): void {
    const key = JSON.stringify([asked.provider, asked.model]);
    const sum = this.models.get(key) ?? { ...asked, calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
    this.models.set(key, {
      ...sum,
      calls: sum.calls + 1,
      inputTokens: sum.inputTokens + (usage?.inputTokens ?? 0),
      outputTokens: sum.outputTokens + (usage?.outputTokens ?? 0),
      costUsd: addCost(sum.costUsd, costUsd),
    });
  }

  /** By model, in the order of their first answers. */
  list(): ModelSpending[] {
    return [...this.models.values()];
  }
}
