import type { NodeRecord } from "../../../engine/document/workflow-document.ts";
import { visibleName } from "../../../engine/text/visible-name.ts";
import type { Tool } from "../../../engine/tool/tool.ts";
import { leadsSomewhere } from "../../../engine/trust/provenance/destinations.ts";
import { argumentsOf } from "../../../engine/trust/caller-terms.ts";

/** An argument that callers may be allowed to fill in. `decidesByAddress`: only a link or an address in it asks. */
export interface CallerField {
  name: string;
  decidesByAddress: boolean;
}

/** The arguments of a tool for which it asks after a stranger's text; none where it does not ask for such a reason. */
export function callerFields(tool: Tool): CallerField[] {
  if (tool.approval !== "ask-after-untrusted") return [];
  const names = argumentsOf(tool);
  if (tool.readOnly === true)
    return names.filter((name) => leadsSomewhere(name, "")).map((name) => ({ name, decidesByAddress: false }));
  return names.map((name) => ({ name, decidesByAddress: tool.content?.includes(name) === true }));
}

/** What callers may fill in at a node's tools, a sentence's end for each tool: "email and day of book". */
export function filledText({ callers = {} }: Pick<NodeRecord, "callers">): string[] {
  return Object.entries(callers).map(([tool, { arguments: names }]) => `${listed(names)} of ${visibleName(tool)}`);
}

const list = new Intl.ListFormat("en", { type: "conjunction" });

/** Names as a sentence has them. */
export function listed(names: readonly string[]): string {
  return list.format(names.map(visibleName));
}
