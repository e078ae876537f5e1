import { useState } from "react";
import { Link } from "wouter";
import { runLook, runSince } from "../../state/run/run-look.ts";
import type { LastRun, ListedWorkflow, LiveWay } from "../../services/services.ts";
import { classNames } from "../../ui/theme/class-names.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Icon } from "../../ui/icons/icon.tsx";
import { Menu } from "../../ui/overlays/menu.tsx";
import { NameInput } from "../../ui/fields/name-input.tsx";
import { relativeTime } from "../../ui/text/relative-time.ts";
import { WorkflowPicture } from "./workflow-picture.tsx";

interface WorkflowCardProps {
  workflow: ListedWorkflow;
  now: number;
  /** How it is reached; absent where it is not live. */
  live?: readonly LiveWay[] | undefined;
  /** Whether the card may read the workflow for its picture. */
  pictured: boolean;
  onRename: (name: string) => void;
  onTags: () => void;
  onDuplicate: () => void;
  onExport: () => void;
  onRemove: () => void;
}

/** One workflow of the library: opens on a click, renames in place, the rest in its menu. */
export function WorkflowCard(props: WorkflowCardProps) {
  const { workflow, now, live, pictured, onRename, onTags, onDuplicate, onExport, onRemove } = props;
  const [renaming, setRenaming] = useState(false);
  const edited = new Date(workflow.updatedAt);

  return (
    <li className="group relative flex min-w-0 flex-col overflow-hidden rounded-lg border bg-surface transition-colors duration-100 focus-within:border-line-strong hover:border-line-strong">
      <WorkflowPicture workflow={workflow} shown={pictured} />
      <div className="flex min-w-0 flex-1 flex-col gap-1.5 border-t py-2.5 pr-2 pl-4">
        <div className="flex items-center gap-2">
          <div className="min-w-0 flex-1">
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
                className="block truncate text-left text-base font-medium outline-none after:absolute after:inset-0 focus-visible:after:rounded-lg focus-visible:after:ring-2 focus-visible:after:ring-select focus-visible:after:ring-inset"
              >
                {workflow.name}
              </Link>
            )}
          </div>
          <div className="relative z-10 flex">
            <Menu
              trigger={<IconButton icon="ellipsis" label={`Actions for ${workflow.name}`} size="sm" />}
              items={[
                { label: "Rename", icon: "pencil", onSelect: () => setRenaming(true) },
                { label: "Edit tags", icon: "tag", onSelect: onTags },
                { label: "Duplicate", icon: "copy", onSelect: onDuplicate },
                { label: "Export as JSON", icon: "download", onSelect: onExport },
                "separator",
                { label: "Delete", icon: "trash-2", danger: true, onSelect: onRemove },
              ]}
            />
          </div>
        </div>
        {workflow.description !== "" && (
          <p dir="auto" className="line-clamp-2 pr-2 text-muted">
            {workflow.description}
          </p>
        )}
        {workflow.tags.length > 0 && (
          <ul aria-label={`Tags of ${workflow.name}`} className="flex flex-wrap gap-1 pr-2">
            {workflow.tags.map((tag) => (
              <li key={tag} className="max-w-full truncate rounded-sm bg-hover px-1.5 text-xs leading-5 text-muted">
                {tag}
              </li>
            ))}
          </ul>
        )}
        {live && <LiveLine ways={live} />}
        <div className="mt-auto flex min-w-0 flex-wrap items-center justify-between gap-x-3 pt-1 pr-2 text-xs text-muted">
          {workflow.lastRun === null ? <span>Never run</span> : <LastRunLink run={workflow.lastRun} now={now} />}
          <time dateTime={workflow.updatedAt} title={edited.toLocaleString()} className="shrink-0">
            Edited {relativeTime(edited.getTime(), now)}
          </time>
        </div>
      </div>
    </li>
  );
}

const wayNames: Record<LiveWay, string> = {
  chat: "chat page",
  api: "API",
  hook: "webhook",
  schedule: "schedule",
  mcp: "MCP",
};

/** That a published version answers, and where. */
function LiveLine({ ways }: { ways: readonly LiveWay[] }) {
  return (
    <p className="flex min-w-0 items-center gap-1.5 pr-2 text-xs">
      <span aria-hidden className="size-1.5 shrink-0 rounded-full bg-success" />
      <span className="shrink-0 font-medium text-success">Live</span>
      <span className="truncate text-muted">{ways.map((way) => wayNames[way]).join(", ")}</span>
    </p>
  );
}

function LastRunLink({ run, now }: { run: LastRun; now: number }) {
  const look = runLook(run);
  return (
    <Link
      href={`/runs/${run.id}`}
      title={`Last run: ${new Date(run.startedAt).toLocaleString()}`}
      className="relative z-10 inline-flex min-w-0 items-center gap-1 hover:text-ink hover:underline"
    >
      <span className={classNames("shrink-0", look.tint)}>
        <Icon name={look.icon} size={14} />
      </span>
      <span className="truncate">{runSince(run, relativeTime(Date.parse(run.startedAt), now))}</span>
    </Link>
  );
}
