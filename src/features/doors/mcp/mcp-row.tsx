import { useState } from "react";
import { useDocumentStore } from "../../../state/editor/editor-context.tsx";
import { CopyLine, DoorRow } from "../door-row.tsx";
import { LiveExposure } from "../live-exposure.tsx";
import type { RowProps } from "../row-props.ts";
import { useDoorSwitch } from "../use-door-switch.ts";
import { McpSettings } from "./mcp-settings.tsx";
import { useMcpDoor } from "./use-mcp-door.ts";

/** The open workflow as a tool of MCP clients. */
export function McpRow({ publication }: Pick<RowProps, "publication">) {
  const name = useDocumentStore(({ document }) => document.name);
  const { door, save } = useMcpDoor(publication, name);
  const [isOpen, setIsOpen] = useState(false);
  const change = useDoorSwitch("mcp");
  const { data } = door;
  if (data === undefined) return null;
  const isOn = (change.isPending ? change.variables.enabled : undefined) ?? data.enabled;
  return (
    <DoorRow
      icon="plug"
      title="MCP"
      line={
        isOn
          ? `Clients call it as the tool ${publication.slug}, with an API key`
          : "A tool for MCP clients such as Claude and VS Code"
      }
      isOn={isOn}
      toggle={{
        checked: isOn,
        busy: change.isPending || save.isPending,
        onChange: (enabled) => change.mutate({ enabled }),
      }}
      copies={<CopyLine text={data.address} copyLabel="Copy the address: MCP" />}
      notices={isOn && !data.config.callersTrusted && <LiveExposure door="mcp" publication={publication} />}
      isOpen={isOpen}
      onOpenChange={setIsOpen}
    >
      <McpSettings door={data} slug={publication.slug} save={save} />
    </DoorRow>
  );
}
