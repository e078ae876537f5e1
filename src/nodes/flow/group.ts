import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { nowhere } from "../../engine/document/reach.ts";
import { frameSize, tints } from "./frame-size.ts";

/**
 * A frame around nodes. While it is open, the cards that lie in it belong to it; folding it writes them down as
 * `members`, which then are shown as one card.
 */
export const group = defineNode({
  type: "group",
  version: 1,
  role: "flow",
  drawnAs: "frame",
  title: "Group",
  summary: "A frame around nodes that folds into one card.",
  keywords: ["section", "frame", "folder"],
  icon: "group",
  config: z.object({
    tint: field(z._default(z.enum(tints), "grey"), { label: "Colour", help: "The frame's background." }),
    folded: field(z._default(z.boolean(), false), { label: "Folded", help: "Shown as one card.", hidden: true }),
    members: field(z._default(z.array(z.string().check(z.maxLength(200))).check(z.maxLength(2_000)), []), {
      label: "Nodes",
      help: "The ids of the nodes inside, while it is folded.",
      hidden: true,
    }),
    ...frameSize({ width: 560, height: 320 }),
  }),
  inputs: {},
  outputs: {},
  reach: nowhere,
  describe: ({ members, folded }) =>
    folded === true && Array.isArray(members) ? `${members.length} ${members.length === 1 ? "node" : "nodes"}` : "",
  run: () => {
    throw new Error("A group does not run.");
  },
});
