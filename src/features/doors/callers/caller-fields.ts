import type { NodeRecord } from "../../../engine/document/workflow-document.ts";
import { visibleName } from "../../../engine/text/visible-name.ts";
import type { Tool } from "../../../engine/tool/tool.ts";
import { leadsSomewhere } from "../../../engine/trust/provenance/destinations.ts";
import { argumentsOf, callerArguments } from "../../../engine/trust/caller-terms.ts";

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

/** What was chosen for one tool, as the end of a sentence: "email and day of book". `isOutdated`: its tool is not what it was then. */
interface FilledTool {
  text: string;
  isOutdated: boolean;
}

/** What callers may fill in at a node's tools. `tools`: as they are now; without them nothing counts as outdated. */
export function filledTools({ callers = {} }: Pick<NodeRecord, "callers">, tools?: readonly Tool[]): FilledTool[] {
  return Object.entries(callers).map(([name, { arguments: names }]) => {
    const tool = tools?.find((each) => each.name === name);
    const holds = tool !== undefined && callerArguments(tool, callers).length > 0;
    return { text: `${listed(names)} of ${visibleName(name)}`, isOutdated: tools !== undefined && !holds };
  });
}

const list = new Intl.ListFormat("en", { type: "conjunction" });

/** Names as a sentence has them. */
export function listed(names: readonly string[]): string {
  return list.format(names.map(visibleName));
}
