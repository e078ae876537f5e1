import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { jsonValue } from "../../engine/config/json-value.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import { onErrorField } from "./error-field.ts";

export const forEach = defineNode({
  type: "for-each",
  version: 1,
  role: "flow",
  title: "For each",
  summary: "Runs the branch that follows once per item of a list.",
  icon: "repeat",
  config: z.object({
    items: field(z._default(jsonValue(), "{{json}}"), {
      label: "Items",
      help: "The list, such as {{json.orders}}. Each run of the branch gets one item as its input.",
      control: "text",
      template: "value",
      required: true,
    }),
    concurrency: field(z._default(z.int().check(z.minimum(1), z.maximum(50)), 4), {
      label: "At the same time",
      help: "How many items are worked on at once. Results keep the order of the list.",
    }),
    onItemError: field(z._default(z.enum(["fail", "continue"]), "fail"), {
      label: "When an item fails",
      help: "Fail: the run ends. Continue: that item's result is { error }.",
      section: "Errors",
    }),
    onError: onErrorField,
  }),
  inputs: { main: one("main", { label: "Input" }) },
  outputs: { main: out("main", { label: "Each item" }), done: out("main", { label: "Done" }) },
  reach: nowhere,
  branches: ["main"],
  errorOutput: "done",
  describe: ({ items }) => (typeof items === "string" ? items : ""),
  load: () => import("./for-each.run.ts"),
});
