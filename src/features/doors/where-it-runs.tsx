import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { TriggerStart } from "../../engine/document/define-node.ts";
import { triggersOf } from "../../engine/document/triggers.ts";
import type { DoorKind } from "../../engine/trust/run-sources.ts";
import type { Publication } from "../../services/services.ts";
import { useDocumentStore, useEditor, useServices } from "../../state/editor/editor-context.tsx";
import { ListSkeleton } from "../../ui/feedback/list-skeleton.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Icon } from "../../ui/icons/icon.tsx";
import { AgentRow } from "./api/agent-row.tsx";
import { ApiRow } from "./api/api-row.tsx";
import { useApiDoor } from "./api/use-api-door.ts";
import { ChatRow } from "./chat/chat-row.tsx";
import { useChatDoor } from "./chat/use-chat-door.ts";
import { WebsiteRow } from "./chat/website-row.tsx";
import { HookRow } from "./hook/hook-row.tsx";
import { useHookDoor } from "./hook/use-hook-door.ts";
import { McpRow } from "./mcp/mcp-row.tsx";
import { useMcpDoor } from "./mcp/use-mcp-door.ts";
import { ScheduleRow } from "./schedule/schedule-row.tsx";
import { useSchedules } from "./schedule/use-schedules.ts";
import { useReachedDocument } from "./use-reached-document.ts";

/** Everything that reaches the published workflow, a row each: switched on and off, with what to copy, opening to its settings. */
export function WhereItRuns({ publication }: { publication: Publication }) {
  const { workflowId, registry } = useEditor();
  const { doors } = useServices();
  const name = useDocumentStore(({ document }) => document.name);
  const reached = useReachedDocument(publication);
  const open = useQuery({
    queryKey: ["door", workflowId, "list"],
    queryFn: async () => (await doors.list(workflowId)).filter(({ enabled }) => enabled).map(({ kind }) => kind),
  });
  const reads = [
    ...(reached.isEnabled ? [reached] : []),
    open,
    useChatDoor().door,
    useApiDoor(publication).door,
    useHookDoor(publication).door,
    useMcpDoor(publication, name).door,
    useSchedules(),
  ];
  const failed = reads.find(({ isLoadingError }) => isLoadingError);
  if (failed?.error) {
    return (
      <div className="p-4">
        <LoadFailure error={failed.error} onRetry={() => void Promise.all(reads.map((read) => read.refetch()))} />
      </div>
    );
  }
  if (open.data === undefined || reads.some(({ isPending }) => isPending)) {
    return (
      <div className="p-4">
        <ListSkeleton label="Loading where it runs" />
      </div>
    );
  }
  const { data } = reached;
  const starts = (startedBy: TriggerStart) => data === undefined || triggersOf(data, registry, startedBy).length > 0;
  const triggers = { chat: starts("message"), hook: starts("request"), schedule: starts("schedule") };
  // Rows stay where they are while they are switched on and off.
  return <Rows key={publication.live} publication={publication} triggers={triggers} openAtFirst={open.data} />;
}

interface RowsProps {
  publication: Publication;
  triggers: Record<"chat" | "hook" | "schedule", boolean>;
  openAtFirst: readonly DoorKind[];
}

function Rows({ publication, triggers, openAtFirst }: RowsProps) {
  const [openThen] = useState(openAtFirst);
  const chat = { publication, hasTrigger: triggers.chat };
  const rows: { title: string; isUsual: boolean; row: ReactNode }[] = [
    {
      title: "Chat page",
      isUsual: triggers.chat || openThen.includes("chat"),
      row: <ChatRow key="chat" {...chat} />,
    },
    {
      title: "Website",
      isUsual: triggers.chat || openThen.includes("chat"),
      row: <WebsiteRow key="website" {...chat} />,
    },
    { title: "API", isUsual: true, row: <ApiRow key="api" publication={publication} /> },
    {
      title: "Webhook",
      isUsual: triggers.hook || openThen.includes("hook"),
      row: <HookRow key="hook" publication={publication} hasTrigger={triggers.hook} />,
    },
    { title: "Schedule", isUsual: triggers.schedule, row: <ScheduleRow key="schedule" /> },
    { title: "MCP", isUsual: openThen.includes("mcp"), row: <McpRow key="mcp" publication={publication} /> },
    { title: "A2A", isUsual: false, row: <AgentRow key="a2a" publication={publication} /> },
  ];
  const rare = rows.filter(({ isUsual }) => !isUsual);
  return (
    <>
      {publication.live === null && (
        <div className="px-5 pt-4">
          <Notice tone="warning" title="No version is live">
            Callers get “not found” until one is.
            {publication.staging !== null && ` Programs reach the version in staging as ${publication.slug}@staging.`}
          </Notice>
        </div>
      )}
      <ul aria-label="Where it runs">{rows.filter(({ isUsual }) => isUsual).map(({ row }) => row)}</ul>
      <More titles={rare.map(({ title }) => title)}>{rare.map(({ row }) => row)}</More>
    </>
  );
}

function More({ titles, children }: { titles: readonly string[]; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (isOpen) list.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
  return (
    <div className="border-t">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
        className="flex w-full items-center gap-1 px-5 py-3 text-left text-muted outline-offset-[-2px] hover:text-ink"
      >
        <span className="font-medium">More</span>
        <Icon name={isOpen ? "chevron-down" : "chevron-right"} size={14} />
        {!isOpen && <span className="min-w-0 truncate pl-1">{titles.join(", ")}</span>}
      </button>
      <ul ref={list} id={id} aria-label="More" hidden={!isOpen} className="border-t">
        {children}
      </ul>
    </div>
  );
}
