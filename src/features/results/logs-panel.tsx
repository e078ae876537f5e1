import { useState } from "react";
import { classNames } from "../../ui/theme/class-names.ts";
import { formatClock } from "../../ui/text/format-moment.ts";
import { Input } from "../../ui/fields/input.tsx";
import { JsonTree } from "../../ui/data/json-tree.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { VirtualList } from "../../ui/data/virtual-list.tsx";
import { DetailSection } from "./detail-section.tsx";
import { type LogLine, logLevels } from "./log-lines.ts";
import type { LogLevel } from "./log-text.ts";
import { GoToNode } from "./go-to-node.tsx";
import { LongText } from "../../ui/data/long-text.tsx";
import { MasterDetail } from "../../ui/layout/master-detail.tsx";
import { NoRun } from "./no-run.tsx";
import { useShownRun } from "./use-shown-run.ts";
import { useLogLines } from "./use-log-lines.ts";
import { useLogSearch } from "./use-log-search.ts";

const levelWords: Record<LogLevel, string> = {
  debug: "Everything",
  info: "Info and above",
  warn: "Warnings and errors",
  error: "Errors only",
};

/** Everything that happened, line by line, filtered by level and text. */
export function LogsPanel() {
  const run = useShownRun();
  const [level, setLevel] = useState<LogLevel>("debug");
  const [search, setSearch] = useState("");
  const [chosenSeq, setChosenSeq] = useState<number | null>(null);
  const all = useLogLines(run);
  const { shown: logs, searching } = useLogSearch(all, level, search);
  if (run === undefined) return <NoRun />;

  const chosen = chosenSeq === null ? undefined : all.find(({ seq }) => seq === chosenSeq);
  const selected = chosen ? logs.indexOf(chosen) : -1;
  const list = (
    <>
      <div className="flex shrink-0 gap-2 border-b p-2">
        <Input
          size="sm"
          type="search"
          aria-label="Search the log"
          placeholder="Search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <Select
          size="sm"
          aria-label="Level"
          value={level}
          options={logLevels.map((value) => ({ value, label: levelWords[value] }))}
          className="w-44!"
          onValueChange={(value) => setLevel(logLevels.find((one) => one === value) ?? "debug")}
        />
      </div>
      {logs.length === 0 ? (
        <p className="p-4 text-center text-muted">
          {all.length === 0
            ? "Nothing was written to the log."
            : searching
              ? "Searching the log"
              : "No line matches the filter."}
        </p>
      ) : (
        <VirtualList
          label="Log"
          count={logs.length}
          rowHeight={26}
          className="min-h-0 flex-1"
          renderRow={(index) => {
            const log = logs[index];
            return log && <LogRow log={log} selected={index === selected} />;
          }}
          rowKey={(index) => String(logs[index]?.seq ?? index)}
          selected={selected < 0 ? null : selected}
          onSelect={(index) => setChosenSeq(logs[index]?.seq ?? null)}
          followEnd={run.status === "running"}
        />
      )}
    </>
  );
  const detail = chosen ? (
    <LogDetail log={chosen} />
  ) : (
    <p className="p-4 text-muted">Choose a line to read it in full.</p>
  );
  return (
    <MasterDetail list={list} detail={detail} chosen={chosen !== undefined} onBack={() => setChosenSeq(null)} stacks />
  );
}

const levelColour: Record<LogLevel, string> = {
  debug: "text-faint",
  info: "text-muted",
  warn: "text-warning",
  error: "text-danger",
};

function LogRow({ log, selected }: { log: LogLine; selected: boolean }) {
  return (
    <div
      className={classNames(
        "flex h-full items-center gap-2 px-3 font-mono text-xs",
        selected ? "bg-accent-soft" : "hover:bg-hover",
      )}
    >
      <span className="shrink-0 text-faint numeric">{formatClock(log.at)}</span>
      <span className={classNames("w-9 shrink-0", levelColour[log.level])}>{log.level}</span>
      <span className="truncate">{log.message.slice(0, 300)}</span>
    </div>
  );
}

function LogDetail({ log }: { log: LogLine }) {
  return (
    <DetailSection
      title={`${log.level} · ${formatClock(log.at)}`}
      aside={<GoToNode nodeId={log.nodeId} />}
      copy={() => JSON.stringify(log.event, null, 2)}
    >
      <LongText text={log.message} />
      <JsonTree label="Event" value={log.event} openDepth={2} />
    </DetailSection>
  );
}
