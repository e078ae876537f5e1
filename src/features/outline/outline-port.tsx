import { useState } from "react";
import type { EdgeRecord } from "../../engine/document/workflow-document.ts";
import { connectPorts } from "../../state/commands/connect-ports.ts";
import { deleteEdge } from "../../state/commands/delete-selection.ts";
import { edgesOf } from "../../state/editing/edge-index.ts";
import { definitionOf } from "../../engine/document/can-connect.ts";
import type { PlacedPort } from "../../state/editing/node-geometry.ts";
import { openConnectionsOf } from "../../state/editing/open-connections.ts";
import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Menu, type MenuItem } from "../../ui/overlays/menu.tsx";

interface OutlinePortProps {
  nodeId: string;
  placed: PlacedPort;
  onSaid: (words: string) => void;
}

const noTargets: readonly MenuItem[] = [{ label: "Nothing here fits", disabled: true, onSelect: () => undefined }];

/** One connection of a port, with the way to take it away. */
function Wire({
  edge,
  otherId,
  own,
  onSaid,
}: {
  edge: EdgeRecord;
  otherId: string;
  own: string;
  onSaid: OutlinePortProps["onSaid"];
}) {
  const { context } = useEditor();
  const other = useDocumentStore((state) => state.document.nodes[otherId]?.title ?? otherId);
  return (
    <li className="flex items-center gap-1 pl-3">
      <span className="min-w-0 flex-1 truncate font-medium">{other}</span>
      <IconButton
        size="sm"
        icon="unplug"
        label={`Disconnect ${own} from ${other}`}
        onClick={() => {
          deleteEdge(context, edge.id);
          onSaid(`Disconnected ${own} from ${other}.`);
        }}
      />
    </li>
  );
}

/** A port: its name and kind, what it is connected to, and a menu of what it may be connected to. */
export function OutlinePort({ nodeId, placed, onSaid }: OutlinePortProps) {
  const { context, document, registry } = useEditor();
  const [open, setOpen] = useState(false);
  const edges = useDocumentStore((state) => state.document.edges);
  const { name, direction, port } = placed;
  const { incoming, outgoing } = edgesOf(edges, nodeId);
  const own =
    direction === "input"
      ? incoming.filter(({ to }) => to.port === name)
      : outgoing.filter(({ from }) => from.port === name);
  const saysKind = port.label.toLowerCase().includes(port.kind);
  const isNeeded = useDocumentStore((state) => {
    const node = state.document.nodes[nodeId];
    return (node && definitionOf(registry, node.type)?.needs?.(node.config).includes(name)) === true;
  });
  const lacks = direction === "input" && (isNeeded ? 1 : port.min) > own.length;
  const isFull = port.max !== null && own.length >= port.max;

  function targets(): readonly MenuItem[] {
    const workflow = document.getState().document;
    const fitting = openConnectionsOf(workflow, registry, nodeId, { name, direction });
    if (fitting.length === 0) return noTargets;
    return fitting.map(({ from, to, other, labels }) => ({
      label: labels.other === port.kind ? other.title : `${other.title}: ${labels.other}`,
      onSelect: () => {
        if (connectPorts(context, from, to) !== undefined) onSaid(`Connected ${port.label} to ${other.title}.`);
      },
    }));
  }

  return (
    <li>
      <div className="flex items-center gap-1">
        <span className="min-w-0 flex-1 truncate">
          {port.label}
          {!saysKind && port.kind !== "main" && <span className="text-muted"> ({port.kind})</span>}
          {lacks && <span className="text-danger"> · required</span>}
        </span>
        {!isFull && (
          <Menu
            open={open}
            onOpenChange={setOpen}
            items={open ? targets() : []}
            trigger={
              <Button
                size="sm"
                variant="ghost"
                icon="plug"
                aria-label={`Connect ${port.label}, ${port.kind} ${direction}`}
              >
                Connect
              </Button>
            }
          />
        )}
      </div>
      {own.length > 0 && (
        <ul>
          {own.map((edge) => (
            <Wire
              key={edge.id}
              edge={edge}
              otherId={direction === "input" ? edge.from.node : edge.to.node}
              own={port.label}
              onSaid={onSaid}
            />
          ))}
        </ul>
      )}
    </li>
  );
}
