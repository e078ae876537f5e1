import type { Command, CommandContext } from "../../state/commands/command.ts";
import type { BreakpointStore } from "../../state/run/breakpoint-store.ts";
import type { PauseStore } from "../../state/run/pause-store.ts";

const selected = ({ canvas }: CommandContext) => Object.keys(canvas.getState().selection.nodes);

/** Whether all of these nodes hold a run already. */
const allHold = (breakpoints: BreakpointStore, ids: readonly string[]) =>
  ids.every((id) => breakpoints.getState().nodes.includes(id));

/** The commands around holding a run: breakpoints on nodes, pauses before calls, and going on. */
export function breakpointCommands(breakpoints: BreakpointStore, pauses: PauseStore): readonly Command[] {
  const held = () => pauses.getState().pending[0];
  const goOn = (action: "continue" | "step") => (context: CommandContext) => {
    const request = held();
    const edit = request && pauses.getState().goOn(request.pauseId, action);
    if (edit?.ok !== false) return;
    context.notify({
      tone: "error",
      message: "The run is still paused: your edit cannot be used.",
      hint: edit.problem,
    });
  };
  return [
    {
      id: "toggle-breakpoint",
      label: "Set or remove a breakpoint",
      labelNow: (context) => {
        const ids = selected(context);
        const verb = allHold(breakpoints, ids) ? "Remove" : "Set";
        return ids.length === 1
          ? `${verb} ${verb === "Set" ? "a" : "the"} breakpoint`
          : `${verb} ${ids.length} breakpoints`;
      },
      group: "Node",
      icon: "circle-dot",
      keys: ["f9"],
      when: (context) => selected(context).length > 0,
      run: (context) => {
        const ids = selected(context);
        const { nodes, toggle } = breakpoints.getState();
        const all = allHold(breakpoints, ids);
        for (const id of ids) if (nodes.includes(id) === all) toggle(id);
      },
    },
    {
      id: "run.pause-tools",
      label: "Pause before tool calls, or no longer",
      labelNow: () =>
        breakpoints.getState().beforeToolCalls ? "Stop pausing before tool calls" : "Pause before tool calls",
      group: "Run",
      icon: "hand",
      when: () => true,
      run: () => breakpoints.getState().setBeforeToolCalls(!breakpoints.getState().beforeToolCalls),
    },
    {
      id: "run.pause-models",
      label: "Pause before model calls, or no longer",
      labelNow: () =>
        breakpoints.getState().beforeModelCalls ? "Stop pausing before model calls" : "Pause before model calls",
      group: "Run",
      icon: "hand",
      when: () => true,
      run: () => breakpoints.getState().setBeforeModelCalls(!breakpoints.getState().beforeModelCalls),
    },
    {
      id: "run.clear-breakpoints",
      label: "Remove all breakpoints",
      group: "Run",
      icon: "circle-x",
      when: () => breakpoints.getState().nodes.length > 0,
      run: () => breakpoints.getState().clear(),
    },
    {
      id: "run.continue",
      label: "Continue the paused run",
      group: "Run",
      icon: "play",
      keys: ["f8"],
      when: () => held() !== undefined,
      run: goOn("continue"),
    },
    {
      id: "run.step",
      label: "Step through the paused run",
      group: "Run",
      icon: "step-forward",
      keys: ["f10"],
      when: () => held() !== undefined,
      run: goOn("step"),
    },
  ];
}
