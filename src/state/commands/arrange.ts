import { alignSelection, type Direction, distributeSelection } from "./align-selection.ts";
import { autoLayout } from "./auto-layout.ts";
import type { Command, CommandContext } from "./command.ts";

const selectedCount = ({ canvas }: CommandContext) => Object.keys(canvas.getState().selection.nodes).length;
const several = (context: CommandContext) => selectedCount(context) > 1;

interface AlignCommand {
  id: string;
  label: string;
  icon: string;
  keys: readonly string[];
  axis: Direction;
  share: 0 | 0.5 | 1;
}

const alignments: readonly AlignCommand[] = [
  { id: "align-left", label: "Align left", icon: "align-start-vertical", keys: ["alt+a"], axis: "across", share: 0 },
  {
    id: "align-center",
    label: "Align centres",
    icon: "align-center-vertical",
    keys: ["alt+h"],
    axis: "across",
    share: 0.5,
  },
  { id: "align-right", label: "Align right", icon: "align-end-vertical", keys: ["alt+d"], axis: "across", share: 1 },
  { id: "align-top", label: "Align top", icon: "align-start-horizontal", keys: ["alt+w"], axis: "down", share: 0 },
  {
    id: "align-middle",
    label: "Align middles",
    icon: "align-center-horizontal",
    keys: ["alt+v"],
    axis: "down",
    share: 0.5,
  },
  { id: "align-bottom", label: "Align bottom", icon: "align-end-horizontal", keys: ["alt+s"], axis: "down", share: 1 },
];

const distributions = [
  {
    id: "distribute-horizontally",
    label: "Distribute horizontally",
    icon: "align-horizontal-distribute-center",
    keys: ["alt+shift+h"],
    axis: "across",
  },
  {
    id: "distribute-vertically",
    label: "Distribute vertically",
    icon: "align-vertical-distribute-center",
    keys: ["alt+shift+v"],
    axis: "down",
  },
] as const;

export const arrangeCommands: readonly Command[] = [
  {
    id: "auto-layout",
    label: "Tidy up",
    group: "Arrange",
    icon: "layout-grid",
    keys: ["shift+t"],
    when: ({ document }) => Object.keys(document.getState().document.nodes).length > 1,
    run: autoLayout,
  },
  ...alignments.map(({ axis, share, ...command }): Command => ({
    ...command,
    group: "Arrange",
    when: several,
    run: (context) => alignSelection(context, command.label, axis, share),
  })),
  ...distributions.map(({ axis, ...command }): Command => ({
    ...command,
    group: "Arrange",
    when: (context) => selectedCount(context) > 2,
    run: (context) => distributeSelection(context, command.label, axis),
  })),
];
