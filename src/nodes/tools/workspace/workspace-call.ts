import { RunError } from "../../../engine/errors.ts";
import type { Json, JsonObject, JsonSchema } from "../../../engine/json.ts";
import type { Tool, ToolCallContext, ToolResult } from "../../../engine/tool/tool.ts";
import { joinTaint } from "../../../engine/trust/taint.ts";
import type { WorkspaceFile } from "../../../engine/workspace/workspaces.ts";
import type { Workspace } from "./workspace.ts";

/** Characters of a file, of rows or of found lines that one result holds. */
export const maxChars = 16_000;

/** As many rows as one result holds besides what else is in it, at least one where there are any. */
export function fittingRows<Row>(rows: readonly Row[], charsBeside = 0): Row[] {
  let chars = charsBeside;
  const end = rows.findIndex((row, index) => (chars += JSON.stringify(row).length) > maxChars && index > 0);
  return end === -1 ? [...rows] : rows.slice(0, end);
}

export const pathParameter = {
  type: "string",
  minLength: 1,
  maxLength: 400,
  description: "Such as report.md or notes/plan.md.",
};

export const folderParameter = {
  type: "string",
  maxLength: 400,
  description: "A folder or a file. Everything when left out.",
};

export function parametersOf(properties: JsonObject, required: string[] = []): JsonSchema {
  return { type: "object", properties, required, additionalProperties: false };
}

/** A result that the model reads as a text. */
export class ShownResult {
  readonly output: Json;
  readonly text: string;
  constructor(output: Json, text: string) {
    this.output = output;
    this.text = text;
  }
}

/** What a tool does with its arguments, which match its parameters; it adds to `read` the files whose content is in its result. */
type Work = (input: JsonObject, call: ToolCallContext, read: WorkspaceFile[]) => Promise<Json | ShownResult>;

/** A tool of a workspace. What is in its result came from where the files came from that it shows. */
export function workspaceCall(workspace: Workspace, definition: Omit<Tool, "execute">, work: Work): Tool {
  return {
    ...definition,
    async execute(input, call): Promise<ToolResult> {
      const read: WorkspaceFile[] = [];
      try {
        const done = await work(input, call, read);
        const untrusted = joinTaint(...read.map((file) => file.untrusted));
        return done instanceof ShownResult
          ? { ok: true, output: done.output, text: done.text, untrusted }
          : { ok: true, output: done, untrusted };
      } catch (error) {
        if (!(error instanceof RunError)) throw error;
        const { message, hint, code } = error.data;
        // A failure may name any of the files.
        return { ok: false, error: { message, hint, code }, untrusted: workspace.taint() };
      }
    },
  };
}
