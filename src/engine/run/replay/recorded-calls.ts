import { canonicalJson } from "../../canonical-json.ts";
import type { AskedTool } from "../../agent/agent-replay.ts";
import { type ItemPlace, placeKey, type RecordedRun, type ToolRecord } from "./recorded-run.ts";

/** The tool calls of a recording by who made them and with what; each is handed out once, equal ones in their order. */
export class RecordedCalls {
  private readonly byKey = new Map<string, ToolRecord[]>();

  constructor({ tools }: RecordedRun) {
    for (const record of tools.values()) {
      if (!record.end) continue;
      const { nodeId, toolName, input } = record.start;
      const key = keyOf(nodeId, record.start, toolName, input);
      this.byKey.set(key, [...(this.byKey.get(key) ?? []), record]);
    }
  }

  /** The next call of an agent with this tool and these arguments. */
  take(nodeId: string, place: ItemPlace, { toolName, input }: Pick<AskedTool, "toolName" | "input">) {
    return this.byKey.get(keyOf(nodeId, place, toolName, input))?.shift();
  }
}

function keyOf(nodeId: string, place: ItemPlace, toolName: string, input: unknown): string {
  return `${placeKey(nodeId, place)}${canonicalJson([toolName, input])}`;
}
