import { singleSelectedNode } from "../../state/editor/canvas-store.ts";
import type { Command, CommandContext } from "../../state/commands/command.ts";
import type { Editor } from "../../state/editor/editor-context.tsx";
import { editorDialogStore } from "../../state/editor/editor-dialog-store.ts";
import { panelStore } from "../../state/editor/panel-store.ts";
import type { RunControl } from "../../state/run/run-control.ts";
import { currentRun, type RunStore } from "../../state/run/run-store.ts";
import { breakpointCommands } from "./breakpoint-commands.ts";
import { nodeRunRequests } from "./node-run-request.ts";
import { runTest } from "./run-test.ts";

/** Whether a node stands in the main flow, where a run can begin at it. */
function inFlow({ document, registry }: CommandContext, nodeId: string | null): nodeId is string {
  const node = document.getState().document.nodes[nodeId ?? ""];
  if (node === undefined || node.disabled === true) return false;
  return Object.values(registry[node.type]?.outputs ?? {}).some(({ kind }) => kind === "main");
}

/** The first and the last of several selected nodes, where they follow one another in the flow. */
function selectedStretch(context: CommandContext): { nodeId: string; until: string } | undefined {
  const ids = Object.keys(context.canvas.getState().selection.nodes).filter((id) => inFlow(context, id));
  const edges = Object.values(context.document.getState().document.edges).filter(({ to }) => to.port === "main");
  const among = edges.filter(({ from, to }) => ids.includes(from.node) && ids.includes(to.node));
  const [first, ...starts] = ids.filter((id) => !among.some(({ to }) => to.node === id));
  const [last, ...ends] = ids.filter((id) => !among.some(({ from }) => from.node === id));
  const isOne = first !== undefined && last !== undefined && first !== last && starts.length + ends.length === 0;
  return isOne ? { nodeId: first, until: last } : undefined;
}

/** The commands that run a part of the workflow: a node alone, the selected ones, or from a node on. */
function nodeRunCommands(control: () => RunControl): readonly Command[] {
  const one = (context: CommandContext) => singleSelectedNode(context.canvas.getState());
  const command = (only: boolean) => ({
    group: "Run" as const,
    when: (context: CommandContext) => !control().running && inFlow(context, one(context)),
    run: (context: CommandContext) => {
      const nodeId = one(context);
      if (nodeId !== null) nodeRunRequests.setState({ request: only ? { nodeId, until: nodeId } : { nodeId } });
    },
  });
  return [
    { id: "run.node", label: "Run this node…", icon: "play", keys: ["mod+shift+enter"], ...command(true) },
    { id: "run.from-here", label: "Run from here…", icon: "step-forward", ...command(false) },
    {
      id: "run.selection",
      label: "Run the selected nodes…",
      group: "Run",
      icon: "play",
      when: (context) => !control().running && selectedStretch(context) !== undefined,
      run: (context) => {
        const request = selectedStretch(context);
        if (request !== undefined) nodeRunRequests.setState({ request });
      },
    },
  ];
}

/** The commands around a run, for menu, keyboard and buttons alike. `control` is asked when a command is used. */
export function runCommands(
  control: () => RunControl,
  { runs, breakpoints, pauses }: Pick<Editor, "runs" | "breakpoints" | "pauses">,
): readonly Command[] {
  return [
    {
      id: "run.test",
      label: "Test",
      group: "Run",
      icon: "play",
      keys: ["mod+enter"],
      when: () => !control().running,
      run: ({ document, registry }) => runTest({ document: document.getState().document, registry }, control()),
    },
    {
      id: "run.again",
      label: "Run again with the same input",
      group: "Run",
      icon: "rotate-ccw",
      keys: ["mod+alt+enter"],
      when: () => !control().running && currentRun(runs.getState())?.input !== undefined,
      run: () => runAgain(runs, control()),
    },
    {
      id: "run.on-server",
      label: "Run on server",
      group: "Run",
      icon: "server",
      when: () => true,
      run: () => editorDialogStore.getState().show({ kind: "server-start" }),
    },
    {
      id: "run.stop",
      label: "Stop",
      group: "Run",
      icon: "square",
      keys: ["mod+."],
      when: () => control().running,
      run: () => control().stop(),
    },
    ...nodeRunCommands(control),
    ...breakpointCommands(breakpoints, pauses),
    {
      id: "run.panel",
      label: "Show or hide the run panel",
      labelNow: () => (isPanelShown() ? "Hide the run panel" : "Show the run panel"),
      group: "View",
      icon: "panel-bottom",
      keys: ["mod+j"],
      when: () => true,
      run: () => {
        const panel = panelStore.getState();
        if (isPanelShown()) panel.close();
        else panel.show(panel.tab);
      },
    },
  ];
}

/** Open, and not behind the settings of a node. */
function isPanelShown(): boolean {
  const { open, settingsInFront } = panelStore.getState();
  return open && !settingsInFront;
}

/** Runs the workflow, as it is now, or the same part of it, with the input of the run on show. */
function runAgain(runs: RunStore, control: Pick<RunControl, "start">): void {
  const { input, part, untrusted } = currentRun(runs.getState()) ?? {};
  if (input === undefined) return;
  control.start(input, { ...part, ...(untrusted ? { untrusted } : {}) });
  const panel = panelStore.getState();
  panel.chooseStep(null);
  if (!isPanelShown()) panel.show(panel.open ? panel.tab : "steps");
}
