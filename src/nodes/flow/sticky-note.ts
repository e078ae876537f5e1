import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { nowhere } from "../../engine/document/reach.ts";
import { frameSize, tints } from "./frame-size.ts";

export const stickyNote = defineNode({
  type: "sticky-note",
  version: 1,
  role: "flow",
  drawnAs: "note",
  title: "Note",
  summary: "A note on the canvas. It does not run.",
  keywords: ["comment", "sticky", "text", "documentation", "log", "label", "todo"],
  icon: "sticky-note",
  config: z.object({
    text: field(z._default(z.string().check(z.maxLength(10_000)), ""), {
      label: "Text",
      help: "What the note says, in Markdown.",
      control: "textarea",
    }),
    tint: field(z._default(z.enum(tints), "yellow"), {
      label: "Colour",
      help: "The note's background.",
    }),
    ...frameSize({ width: 232, height: 120 }),
  }),
  inputs: {},
  outputs: {},
  reach: nowhere,
  describe: ({ text }) => (typeof text === "string" ? (text.trim().split("\n")[0] ?? "") : ""),
  run: () => {
    throw new Error("A note does not run.");
  },
});
