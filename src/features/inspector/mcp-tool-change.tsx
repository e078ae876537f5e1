import { showHidden } from "../../nodes/tools/mcp/hidden-text.ts";
import { type McpTool, visibleSchema } from "../../nodes/tools/mcp/tool-pin.ts";
import { jsonChanges } from "../../ui/data/json-view/json-changes.ts";
import { JsonDiff } from "../../ui/data/json-view/json-diff.tsx";
import { changedPart } from "./changed-part.ts";

function appOf({ app }: McpTool) {
  return app === undefined
    ? {}
    : { interface: { for: app.for, ...(app.uri !== undefined && { address: showHidden(app.uri) }) } };
}

/** What a server changed in a tool since a person agreed to it; `agreed` is absent where only the fact is known. */
export function McpToolChange({ tool, agreed }: { tool: McpTool; agreed: McpTool | undefined }) {
  if (agreed === undefined) {
    return (
      <p className="text-xs text-muted">
        What changed cannot be shown: the text that was approved is not known here. Read all of it before you approve.
      </p>
    );
  }
  const description = changedPart(showHidden(agreed.description), showHidden(tool.description));
  const before = {
    description: description.before,
    arguments: visibleSchema(agreed.inputSchema, showHidden),
    ...appOf(agreed),
  };
  const after = {
    description: description.after,
    arguments: visibleSchema(tool.inputSchema, showHidden),
    ...appOf(tool),
  };
  return (
    <section className="flex flex-col gap-1">
      <h4 className="text-xs font-medium">Changed since you approved it</h4>
      {jsonChanges(before, after).length > 0 ? (
        <JsonDiff label={`What changed in ${showHidden(tool.name)}`} before={before} after={after} />
      ) : (
        <p className="text-xs text-warning">Only characters that nobody sees differ.</p>
      )}
      <h4 className="mt-1 text-xs font-medium">As it is now</h4>
    </section>
  );
}
