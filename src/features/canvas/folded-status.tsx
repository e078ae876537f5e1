import type { NodeStatus } from "../../engine/run/run-state.ts";
import { useDocumentStore, useProblemStore, useRunStore } from "../../state/editor/editor-context.tsx";
import { currentRun } from "../../state/run/run-store.ts";
import { wasStopped } from "../../state/run/was-stopped.ts";
import { spriteId } from "./icon-sprite.tsx";

/** What says most about a group, first. */
const byWeight = ["failed", "approval", "paused", "running", "stopped", "rejected", "done", "skipped"] as const;

const looks: Record<(typeof byWeight)[number], { words: string; icon?: string }> = {
  failed: { words: "failed inside", icon: "triangle-alert" },
  approval: { words: "waiting for you", icon: "hand" },
  paused: { words: "paused inside", icon: "pause" },
  running: { words: "running" },
  stopped: { words: "stopped inside", icon: "square" },
  rejected: { words: "rejected", icon: "hand" },
  done: { words: "done", icon: "check" },
  skipped: { words: "skipped", icon: "minus" },
};

const noMembers: readonly unknown[] = [];

/** How a run went with the nodes inside a folded group, and a mark when one of them has a problem. */
export function FoldedStatus({ id }: { id: string }) {
  const members = useDocumentStore((state) => state.document.nodes[id]?.config["members"]);
  const ids = Array.isArray(members) ? members : noMembers;
  const status = useRunStore((state) => {
    const nodes = currentRun(state)?.nodes ?? {};
    const present = new Set<NodeStatus | "stopped">();
    for (const member of ids) {
      const node = nodes[String(member)];
      if (node) present.add(wasStopped(node) ? "stopped" : node.status);
    }
    return byWeight.find((candidate) => present.has(candidate));
  });
  const problems = useProblemStore((state) =>
    ids
      .flatMap((member) => state.byNode[String(member)] ?? [])
      .filter(({ review }) => review === undefined)
      .map(({ message }) => message)
      .join("\n"),
  );
  const stoppedEarly = useRunStore((state) => {
    const nodes = currentRun(state)?.nodes ?? {};
    return ids.some((member) => nodes[String(member)]?.ending !== undefined);
  });
  const early = status === "done" && stoppedEarly;
  const look = early ? { words: "stopped early inside", icon: "flag" } : status && looks[status];
  return (
    <>
      {problems !== "" && (
        <div className="card-problem" data-tone="error" role="img" aria-label={problems} title={problems} />
      )}
      {look && (
        <div className="card-run" data-status={status} data-ending={early ? "inside" : undefined}>
          {look.icon !== undefined && (
            <svg aria-hidden>
              <use href={`#${spriteId(look.icon)}`} />
            </svg>
          )}
          {look.words}
        </div>
      )}
    </>
  );
}
