import { approveTools } from "../../nodes/tools/mcp/approve-tools.ts";
import type { AppLink } from "../../nodes/tools/mcp/app-link.ts";
import { showHidden } from "../../nodes/tools/mcp/hidden-text.ts";
import type { ReviewedTool, ToolApproval } from "../../nodes/tools/mcp/review-tools.ts";
import { visibleSchema } from "../../nodes/tools/mcp/tool-pin.ts";
import { Badge, type BadgeTone } from "../../ui/feedback/badge.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { JsonTree } from "../../ui/data/json-tree.tsx";
import { LongText } from "../../ui/data/long-text.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { McpToolChange } from "./mcp-tool-change.tsx";

type Pins = Record<string, string>;

const states: Record<ToolApproval, { tone: BadgeTone; words: string }> = {
  approved: { tone: "success", words: "approved" },
  changed: { tone: "warning", words: "changed" },
  new: { tone: "neutral", words: "not approved" },
};

interface ItemProps {
  reviewed: ReviewedTool;
  onApprove(): void;
  onWithdraw(): void;
}

function ToolItem({ reviewed, onApprove, onWithdraw }: ItemProps) {
  const { tool, offeredName, approval, agreed, excluded, hidden } = reviewed;
  const state = excluded ? { tone: "neutral" as const, words: "filtered out" } : states[approval];
  return (
    <li className="flex flex-col gap-1 rounded-md border p-2">
      <div className="flex items-center gap-2">
        <span
          className="min-w-0 flex-1 font-mono text-xs font-semibold wrap-anywhere"
          title={`Models see ${offeredName}`}
        >
          {showHidden(tool.name)}
        </span>
        <Badge tone={state.tone}>{state.words}</Badge>
        {approval === "approved" ? (
          <Button size="sm" variant="ghost" aria-label={`Withdraw ${tool.name}`} onClick={onWithdraw}>
            Withdraw
          </Button>
        ) : (
          <Button size="sm" aria-label={`Approve ${tool.name}`} onClick={onApprove}>
            Approve
          </Button>
        )}
      </div>
      {hidden && (
        <p className="text-xs text-warning">
          Holds characters that nobody sees, shown as ⟨U+…⟩ here. Models are not shown them.
        </p>
      )}
      {tool.app && (
        <AppNote app={tool.app} isMissing={approval === "approved" && !reviewed.appApproved} onApprove={onApprove} />
      )}
      {approval === "changed" && <McpToolChange tool={tool} agreed={agreed} />}
      {/* All of it can be read: what is approved unread steers the model as well. */}
      <LongText text={showHidden(tool.description)} className="text-xs text-muted" first={400} />
      <details>
        <summary className="text-xs text-faint">Arguments</summary>
        <div className="mt-1 max-h-48 overflow-auto rounded-md bg-canvas p-1.5">
          <JsonTree
            value={visibleSchema(tool.inputSchema, showHidden)}
            label={`Arguments of ${tool.name}`}
            openDepth={4}
          />
        </div>
      </details>
    </li>
  );
}

const audiences: Record<AppLink["for"], string> = {
  app: "For interfaces only: models are not offered it.",
  model: "Interfaces cannot call it.",
  both: "",
};

/** What a tool has to do with interfaces; one that was approved before it had any is asked about again. */
function AppNote({ app, isMissing, onApprove }: { app: AppLink; isMissing: boolean; onApprove(): void }) {
  const words = [app.uri === undefined ? "" : `Shows its result in an interface of the server.`, audiences[app.for]];
  return (
    <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
      <span className="min-w-40 flex-1">{words.filter(Boolean).join(" ")}</span>
      {isMissing && (
        <Button size="sm" onClick={onApprove}>
          Approve its interface
        </Button>
      )}
    </div>
  );
}

interface ListProps {
  server: { name: string; version: string };
  reviewed: readonly ReviewedTool[];
  /** Approved tools that the server no longer has. */
  gone: readonly string[];
  pins: Pins;
  onChange(pins: Pins): void;
}

function without(pins: Pins, names: readonly string[]): Pins {
  return Object.fromEntries(Object.entries(pins).filter(([name]) => !names.includes(name)));
}

/** A server's tools with what each says of itself, to be approved one by one or together. */
export function McpToolList({ server, reviewed, gone, pins, onChange }: ListProps) {
  const changed = reviewed.filter(({ approval }) => approval === "changed");
  const open = reviewed.filter(({ approval, excluded }) => approval !== "approved" && !excluded);
  const approve = (tools: readonly ReviewedTool[]) => onChange(approveTools(pins, reviewed, tools));
  return (
    <>
      <p className="text-xs text-muted">
        {showHidden(`${server.name} ${server.version}`)} ·{" "}
        {reviewed.length === 1 ? "1 tool" : `${reviewed.length} tools`}
      </p>
      {changed.length > 0 && (
        <Notice tone="warning" title="The server changed what you approved">
          {changed.map(({ tool }) => showHidden(tool.name)).join(", ")}. Read it again: descriptions steer the model.
        </Notice>
      )}
      {gone.length > 0 && (
        <Notice
          title={`No longer there: ${gone.map(showHidden).join(", ")}`}
          action={
            <Button size="sm" variant="ghost" onClick={() => onChange(without(pins, gone))}>
              Forget
            </Button>
          }
        />
      )}
      {open.length > 1 && (
        <Button size="sm" className="self-start" icon="check" onClick={() => approve(open)}>
          Approve all {open.length}
        </Button>
      )}
      <ul className="flex flex-col gap-1.5">
        {reviewed.map((one) => (
          <ToolItem
            key={one.offeredName}
            reviewed={one}
            onApprove={() => approve([one])}
            onWithdraw={() => onChange(without(pins, [one.tool.name]))}
          />
        ))}
      </ul>
    </>
  );
}
