import { useState } from "react";
import { definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import type { InspectorTab } from "../../state/editor/canvas-store.ts";
import { singleSelectedNode } from "../../state/editor/canvas-store.ts";
import { commandMenu } from "../../state/commands/command-menu.ts";
import { useCanvasStore, useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Icon } from "../../ui/icons/icon.tsx";
import { Menu } from "../../ui/overlays/menu.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../ui/layout/tabs.tsx";
import { DataTab } from "./data-tab.tsx";
import { leaveForCard } from "./leave-for-card.ts";
import { NodeTitle } from "./node-title.tsx";
import { NotesTab } from "./notes-tab.tsx";
import { SettingsTab } from "./settings-tab.tsx";
import NodeJsonDialog from "./node-json/node-json-dialog.tsx";

const tabs: Record<InspectorTab, string> = { settings: "Settings", input: "Input", output: "Output", notes: "Notes" };
const tabNames: readonly InspectorTab[] = ["settings", "input", "output", "notes"];

/** Notes and groups are drawn, not run: they have settings and nothing else. */
const drawn: ReadonlySet<string> = new Set(["sticky-note", "group"]);

function NodeMenu({ node }: { node: NodeRecord }) {
  const editor = useEditor();
  const [asJson, setAsJson] = useState(false);
  const items = commandMenu(
    [
      "connect",
      "replace-node",
      "|",
      "copy",
      "duplicate",
      "|",
      "run.node",
      "run.from-here",
      "toggle-breakpoint",
      "|",
      "toggle-disabled",
      "toggle-bypass",
      "|",
      { label: "Edit as JSON", icon: "braces", onSelect: () => setAsJson(true) },
      "delete",
    ],
    editor,
  );
  return (
    <>
      <Menu trigger={<IconButton size="sm" icon="ellipsis" label="More actions" />} items={items} />
      {asJson && <NodeJsonDialog node={node} onClose={() => setAsJson(false)} />}
    </>
  );
}

function Panel({ node }: { node: NodeRecord }) {
  const { registry, canvas, context } = useEditor();
  const isDrawn = drawn.has(node.type);
  const tab = useCanvasStore((state) => (isDrawn ? "settings" : state.inspectorTab));
  const definition = definitionOf(registry, node.type);
  return (
    <section
      aria-label={`Settings of ${node.title}`}
      className="flex h-full min-h-0 w-full flex-col bg-surface"
      onFocus={(event) => {
        // Leaving a field for another one ends its undo step.
        if (event.target !== event.currentTarget) context.document.getState().mark();
      }}
      onKeyDown={(event) => leaveForCard(event, canvas, node.id)}
    >
      <header className="flex h-12 shrink-0 items-center gap-1.5 pr-2 pl-3">
        <span className="text-muted">
          <Icon name={definition?.icon ?? "circle-question-mark"} size={18} />
        </span>
        {/* Siblings: with one key for both, those of other nodes would stay. */}
        <NodeTitle key={`title ${node.id}`} node={node} />
        <NodeMenu key={`menu ${node.id}`} node={node} />
        <IconButton
          size="sm"
          icon="x"
          label="Close"
          shortcut="escape"
          onClick={() => canvas.getState().clearSelection()}
        />
      </header>
      <Tabs
        className="flex-1"
        value={tab}
        onValueChange={(value) => {
          const next = tabNames.find((name) => name === value);
          if (next !== undefined) canvas.setState({ inspectorTab: next });
        }}
      >
        {!isDrawn && (
          <TabList label="Node">
            {tabNames.map((name) => (
              <Tab key={name} value={name}>
                {tabs[name]}
              </Tab>
            ))}
          </TabList>
        )}
        <TabPanel value="settings" className="overflow-y-auto">
          {definition === undefined ? (
            <div className="p-4">
              <Notice tone="warning" title={`This build does not know the node type "${node.type}".`}>
                The node keeps its data, but a run that comes to it does not start. Update Switchyard, turn the node
                off, or replace it.
              </Notice>
            </div>
          ) : (
            <SettingsTab key={node.id} node={node} definition={definition} />
          )}
        </TabPanel>
        <TabPanel value="input" className="overflow-y-auto">
          <DataTab nodeId={node.id} side="input" />
        </TabPanel>
        <TabPanel value="output" className="overflow-y-auto">
          <DataTab nodeId={node.id} side="output" />
        </TabPanel>
        <TabPanel value="notes" className="overflow-y-auto">
          <NotesTab key={node.id} node={node} />
        </TabPanel>
      </Tabs>
    </section>
  );
}

/** Everything about the selected node; nothing while none or several are selected. */
export function Inspector() {
  const nodeId = useCanvasStore(singleSelectedNode);
  const node = useDocumentStore((state) => (nodeId === null ? undefined : state.document.nodes[nodeId]));
  return node === undefined ? null : <Panel node={node} />;
}
