import type { Command } from "../../stores/commands/command.ts";
import { panelStore } from "../../stores/panel-store.ts";
import { runTest } from "./run-test.ts";
import type { RunControl } from "../../stores/run-control.ts";

/** The commands around a run, for menu, keyboard and buttons alike. `control` is asked when a command is used. */
export function runCommands(control: () => RunControl): readonly Command[] {
  return [
    {
      id: "run.test",
      label: "Test",
      group: "Run",
      icon: "play",
      keys: ["mod+enter"],
      when: () => !control().running,
      run: ({ document }) => runTest(document.getState().document, control()),
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
    {
      id: "run.panel",
      label: "Show or hide the run panel",
      group: "View",
      icon: "panel-bottom",
      keys: ["mod+j"],
      when: () => true,
      run: () => {
        const panel = panelStore.getState();
        if (panel.open) panel.close();
        else panel.show(panel.tab);
      },
    },
  ];
}
