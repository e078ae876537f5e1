import type { Wired } from "../../document/define-node.ts";
import { editDistance } from "../../edit-distance.ts";
import { boundedCheck } from "../../json-schema/bounded-check.ts";
import type { SchemaCheck } from "../../json-schema/schema-verdict.ts";
import type { ToolDefinition } from "../../model/chat-model.ts";
import { noTaint, sourceNamed, type Taint } from "../../trust/taint.ts";
import type { Execution } from "../execution.ts";
import type { ApprovalPolicy, Tool, ToolSet } from "../tool.ts";

/** A callable tool with its provenance and the check of its arguments. */
export interface TableEntry {
  tool: Tool;
  nodeId: string;
  edgeId: string;
  /** Its results may hold untrusted content. */
  untrusted: boolean;
  check: SchemaCheck;
  /** Overrides the tool's own approval policy. */
  approval?: ApprovalPolicy;
}

/** Where a tool's results came from, as far as its node says. */
export function taintOf({ tool, untrusted }: Pick<TableEntry, "tool" | "untrusted">): Taint {
  return untrusted ? [sourceNamed(`the tool ${tool.name}`)] : noTaint;
}

/** The tools of one agent by name, and their definitions for the model. */
export interface ToolTable {
  entries: ReadonlyMap<string, TableEntry>;
  definitions: ToolDefinition[];
}

const validName = /^[A-Za-z0-9_-]{1,64}$/;

/** Collects all connected tools. A tool whose name is taken or not allowed is left out, with a warning. */
export function buildToolTable({ run, deadline, warn }: Execution, sets: readonly Wired<ToolSet>[]): ToolTable {
  const entries = new Map<string, TableEntry>();
  for (const { value, nodeId, edgeId, untrusted = false } of sets) {
    for (const tool of value.tools) {
      if (!validName.test(tool.name))
        warn(`The tool name "${tool.name}" is not allowed; the tool is left out.`, "Use 1–64 of A–Z a–z 0–9 _ -.");
      else if (entries.has(tool.name))
        warn(`Two tools are named "${tool.name}"; only the first is offered.`, "Give each tool its own name.");
      else {
        const check = boundedCheck(run.host, tool.parameters, () => deadline.signal);
        entries.set(tool.name, { tool, nodeId, edgeId, untrusted: untrusted || tool.untrusted === true, check });
      }
    }
  }
  const definitions = [...entries.values()].map(({ tool: { name, description, parameters } }) => ({
    name,
    description,
    parameters,
  }));
  return { entries, definitions };
}

/** The message for a model that called an unknown tool. */
export function unknownToolReason(table: ToolTable, name: string): string {
  const names = [...table.entries.keys()];
  const asked = name.slice(0, 64);
  if (names.length === 0) return `There is no tool "${asked}"; no tools are available. Answer without tools.`;
  const nearest = names.reduce((best, each) => (editDistance(each, asked) < editDistance(best, asked) ? each : best));
  const guess = editDistance(nearest, asked) <= 3 ? ` Did you mean "${nearest}"?` : "";
  return `There is no tool "${asked}".${guess} Available tools: ${names.join(", ")}.`;
}
