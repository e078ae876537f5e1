import { isJsonObject, type JsonObject } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";
import type { SlotProps } from "../../forms/control-props.ts";
import { reviewTools } from "../../nodes/tools/mcp/review-tools.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { McpToolList } from "./mcp-tool-list.tsx";
import { textOf, useMcpListing } from "./use-mcp-listing.ts";
import { SlotGroup } from "./slot-group.tsx";

const listOf = (config: JsonObject, name: string) => (Array.isArray(config[name]) ? config[name].map(String) : []);

/** The pins that a config holds. */
function pinsOf(value: unknown): Record<string, string> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, pin]) => [name, String(pin)]));
}

/** "2 resources and 1 prompt", of those that there are. */
function counted(...counts: readonly [number, string][]): string {
  return counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}${count === 1 ? "" : "s"}`)
    .join(" and ");
}

/** Lists the tools of an MCP server and keeps which of them a person has approved, and as what. */
export function McpToolsSlot({ field, value, onChange, control, config }: SlotProps) {
  const { listed, isListing, error, isNamed, list } = useMcpListing(config);
  const pins = pinsOf(value);
  const reviewed = reviewTools(listed?.tools ?? [], {
    serverName: textOf(config, "serverName") || "mcp",
    include: listOf(config, "include"),
    exclude: listOf(config, "exclude"),
    pins,
  });
  const gone = listed ? Object.keys(pins).filter((name) => !listed.tools.some((tool) => tool.name === name)) : [];
  const count = Object.keys(pins).length;
  const more = listed?.offers;
  const others = more
    ? counted([more.resources.length + more.templates.length, "resource"], [more.prompts.length, "prompt"])
    : "";
  return (
    <SlotGroup field={field} control={control}>
      <div className="flex items-center gap-2">
        <Button size="sm" icon="refresh-cw" busy={isListing} disabled={!isNamed} onClick={list}>
          {listed ? "List again" : "List the server's tools"}
        </Button>
        <span className="text-xs text-muted">{count === 1 ? "1 tool approved" : `${count} tools approved`}</span>
      </div>
      {error && (
        <Notice tone="danger" title={error.message}>
          {error instanceof RunError ? error.data.hint : undefined}
        </Notice>
      )}
      {listed && listed.leftOut.length > 0 && (
        <p className="text-xs text-warning wrap-anywhere">
          Left out, since the server describes them in a way that cannot be read: {listed.leftOut.join(", ")}.
        </p>
      )}
      {others !== "" && <p className="text-xs text-muted">The server also has {others}: see Context, below.</p>}
      {listed && <McpToolList server={listed.server} reviewed={reviewed} gone={gone} pins={pins} onChange={onChange} />}
    </SlotGroup>
  );
}
