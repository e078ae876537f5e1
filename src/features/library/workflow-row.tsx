import { useState } from "react";
import { Link } from "wouter";
import type { WorkflowSummary } from "../../stores/services.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { NameInput } from "../../ui/name-input.tsx";
import { relativeTime } from "./relative-time.ts";
import { WorkflowPicture } from "./workflow-picture.tsx";

interface WorkflowRowProps {
  workflow: WorkflowSummary;
  now: number;
  /** Whether the row may read the workflow for its picture. */
  pictured: boolean;
  onRename: (name: string) => void;
  onDuplicate: () => void;
  onExport: () => void;
  onRemove: () => void;
}

/** One workflow of the list: opens on a click, renames in place, the rest in its menu. */
export function WorkflowRow({ workflow, now, pictured, onRename, onDuplicate, onExport, onRemove }: WorkflowRowProps) {
  const [renaming, setRenaming] = useState(false);
  const edited = new Date(workflow.updatedAt);

  return (
    <li className="group relative flex h-16 items-center gap-3 border-b px-3 last:border-b-0 focus-within:bg-hover hover:bg-hover sm:px-4">
      <WorkflowPicture workflow={workflow} shown={pictured} />
      {/* On a phone the name needs the width, so the time stands under it. */}
      <div className="min-w-0 flex-1 sm:flex sm:items-center sm:gap-3">
        <div className="min-w-0 sm:flex-1">
          {renaming ? (
            <NameInput
              label={`New name of ${workflow.name}`}
              value={workflow.name}
              onDone={(name) => {
                setRenaming(false);
                if (name !== null) onRename(name);
              }}
            />
          ) : (
            <Link
              href={`/w/${workflow.id}`}
              dir="auto"
              className="block truncate text-left text-base font-medium outline-none after:absolute after:inset-0 focus-visible:after:rounded-md focus-visible:after:ring-2 focus-visible:after:ring-accent focus-visible:after:ring-inset"
            >
              {workflow.name}
            </Link>
          )}
        </div>
        <time
          dateTime={workflow.updatedAt}
          title={edited.toLocaleString()}
          className="block shrink-0 text-xs text-muted"
        >
          Edited {relativeTime(edited.getTime(), now)}
        </time>
      </div>
      <div className="relative z-10 flex">
        <Menu
          trigger={<IconButton icon="ellipsis" label={`Actions for ${workflow.name}`} size="sm" />}
          items={[
            { label: "Rename", icon: "pencil", onSelect: () => setRenaming(true) },
            { label: "Duplicate", icon: "copy", onSelect: onDuplicate },
            { label: "Export as JSON", icon: "download", onSelect: onExport },
            "separator",
            { label: "Delete", icon: "trash-2", danger: true, onSelect: onRemove },
          ]}
        />
      </div>
    </li>
  );
}
