import { useMemo, useState } from "react";
import type { RunState, ShownWorkspaceFile } from "../../engine/run/run-state.ts";
import { visibleName } from "../../engine/text/visible-name.ts";
import { VirtualList } from "../../ui/data/virtual-list.tsx";
import { Icon } from "../../ui/icons/icon.tsx";
import { MasterDetail } from "../../ui/layout/master-detail.tsx";
import { formatBytes } from "../../ui/text/format-bytes.ts";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { classNames } from "../../ui/theme/class-names.ts";
import { NoRun } from "./no-run.tsx";
import { useShownRun } from "./use-shown-run.ts";
import { WorkspaceFileDetail } from "./workspace-file-detail.tsx";

const keyOf = ({ nodeId, path }: ShownWorkspaceFile) => `${nodeId}\n${path}`;

/** The files that a run has written into its workspaces, and each one's content. */
export function WorkspacePanel() {
  const run = useShownRun();
  return run === undefined ? <NoRun /> : <WorkspaceFiles run={run} />;
}

function WorkspaceFiles({ run }: { run: RunState }) {
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const files = useMemo(
    () => Object.values(run.workspaceFiles).toSorted((a, b) => a.path.localeCompare(b.path, "en")),
    [run.workspaceFiles],
  );
  const selected = files.findIndex((file) => keyOf(file) === chosenKey);
  const chosen = files[selected];
  const choose = (index: number) => {
    const file = files[index];
    setChosenKey(file ? keyOf(file) : null);
  };
  const list = (
    <VirtualList
      label="Files"
      count={files.length}
      rowHeight={32}
      className="@container min-h-0 flex-1"
      renderRow={(index) => {
        const file = files[index];
        return file && <FileRow file={file} selected={index === selected} />;
      }}
      rowKey={(index) => {
        const file = files[index];
        return file ? keyOf(file) : String(index);
      }}
      selected={selected < 0 ? null : selected}
      onSelect={choose}
      onOpen={choose}
    />
  );
  const detail = chosen ? (
    <WorkspaceFileDetail key={chosen.file.$file} entry={chosen} />
  ) : (
    <p className="p-4 text-sm text-muted">Choose a file to see what is in it.</p>
  );
  return (
    <MasterDetail list={list} detail={detail} chosen={chosen !== undefined} onBack={() => setChosenKey(null)} stacks />
  );
}

function FileRow({ file, selected }: { file: ShownWorkspaceFile; selected: boolean }) {
  const look = selected ? "bg-accent-soft" : "hover:bg-hover";
  return (
    <div className={classNames("flex h-full min-w-0 cursor-default items-center gap-2 px-3 text-sm select-none", look)}>
      <Icon name="file-text" size={14} />
      <span className="min-w-0 truncate">{visibleName(file.path)}</span>
      <span className="ml-auto shrink-0 text-xs text-muted numeric">{formatBytes(file.file.size)}</span>
      <span className="hidden shrink-0 text-xs text-faint numeric @md:inline">{formatMoment(file.changedAt)}</span>
    </div>
  );
}
