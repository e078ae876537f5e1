import { nobodyApproves } from "../../engine/host.ts";
import { useMutation } from "@tanstack/react-query";
import { isJsonObject, type JsonObject } from "../../engine/json.ts";
import { RunError } from "../../engine/run/errors.ts";
import type { SlotProps } from "../../forms/control-props.ts";
import { openMcpSession } from "../../nodes/tools/mcp/mcp-session.ts";
import { reviewTools } from "../../nodes/tools/mcp/review-tools.ts";
import { useEditor, useServices } from "../../stores/editor-context.tsx";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { McpToolList } from "./mcp-tool-list.tsx";

const textOf = (config: JsonObject, name: string) => (typeof config[name] === "string" ? config[name].trim() : "");
const listOf = (config: JsonObject, name: string) => (Array.isArray(config[name]) ? config[name].map(String) : []);

/** The pins that a config holds. */
function pinsOf(value: unknown): Record<string, string> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, pin]) => [name, String(pin)]));
}

/** Lists the tools of an MCP server and keeps which of them a person has approved, and as what. */
export function McpToolsSlot({ field, value, onChange, control, config }: SlotProps) {
  const { workflowId } = useEditor();
  const services = useServices();
  const connection = { url: textOf(config, "url"), credential: textOf(config, "credential") };
  const listing = useMutation({
    mutationFn: async () => {
      const host = services.createHost({ workflowId, approve: nobodyApproves });
      const session = await openMcpSession(host, connection, new AbortController().signal);
      await session.close();
      return { server: session.server, tools: session.tools, from: JSON.stringify(connection) };
    },
  });
  const pins = pinsOf(value);
  // A list of another server says nothing about this one.
  const listed = listing.data?.from === JSON.stringify(connection) ? listing.data : undefined;
  const reviewed = reviewTools(listed?.tools ?? [], {
    serverName: textOf(config, "serverName") || "mcp",
    include: listOf(config, "include"),
    exclude: listOf(config, "exclude"),
    pins,
  });
  const gone = listed ? Object.keys(pins).filter((name) => !listed.tools.some((tool) => tool.name === name)) : [];
  const count = Object.keys(pins).length;
  const isNamed = connection.url !== "" || connection.credential !== "";
  return (
    <div
      className="flex flex-col gap-2"
      role="group"
      aria-label={field.label}
      aria-describedby={control["aria-describedby"]}
    >
      <div className="flex items-center gap-2">
        <Button
          size="sm"
          icon="refresh-cw"
          busy={listing.isPending}
          disabled={!isNamed}
          onClick={() => listing.mutate()}
        >
          {listed ? "List again" : "List the server's tools"}
        </Button>
        <span className="text-xs text-muted">{count === 1 ? "1 tool approved" : `${count} tools approved`}</span>
      </div>
      {listing.isError && (
        <Notice tone="danger" title={listing.error.message}>
          {listing.error instanceof RunError ? listing.error.data.hint : undefined}
        </Notice>
      )}
      {listed && <McpToolList server={listed.server} reviewed={reviewed} gone={gone} pins={pins} onChange={onChange} />}
    </div>
  );
}
