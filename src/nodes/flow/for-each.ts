import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { jsonValue } from "../../engine/config/json-value.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { one, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import type { Json } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";
import { onErrorField } from "./error-field.ts";

const mostItems = 10_000;

function listOf(value: Json): Json[] {
  const words = (message: string, hint: string) => new RunError({ code: "invalid_config", message, hint });
  if (!Array.isArray(value)) throw words("Items is not a list.", "Name the list, such as {{json.orders}}.");
  if (value.length > mostItems) {
    throw words(`The list has ${value.length} items; at most ${mostItems} are possible.`, "Split it up first.");
  }
  return value;
}

export const forEach = defineNode({
  type: "for-each",
  version: 1,
  role: "flow",
  title: "For each",
  summary: "Runs the next steps once for each item of a list.",
  keywords: [
    "loop",
    "iterate",
    "iteration",
    "map",
    "batch",
    "split",
    "list",
    "array",
    "rows",
    "each",
    "for loop",
    "bulk",
    "spreadsheet",
  ],
  icon: "repeat",
  config: z.object({
    items: field(z._default(jsonValue(), "{{json}}"), {
      label: "Items",
      help: "The list, such as {{json.orders}}. The next steps run once for each item and get it as their input.",
      control: "text",
      template: "value",
      required: true,
    }),
    concurrency: field(z._default(z.int().check(z.minimum(1), z.maximum(50)), 4), {
      label: "At the same time",
      help: "How many items are worked on at the same time. Results keep the order of the list.",
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
  /** The results of all items, in the order of the list. */
  async run(context) {
    const { config, runBranch, signal } = context;
    const items = listOf(config.items);
    const results: Json[] = items.map(() => null);
    let next = 0;
    let failed = false;
    const work = async () => {
      while (next < items.length && !failed && !signal.aborted) {
        const index = next;
        next += 1;
        try {
          results[index] = await runBranch("main", items[index] ?? null, index);
        } catch (error) {
          const isItemError = error instanceof RunError && error.data.code !== "cancelled";
          if (config.onItemError === "fail" || !isItemError) {
            failed = true;
            throw error;
          }
          results[index] = { error: { ...error.data } };
        }
      }
    };
    const workers = Array.from({ length: Math.min(config.concurrency, items.length) }, work);
    const [broken] = (await Promise.allSettled(workers)).filter((one) => one.status === "rejected");
    if (broken) throw broken.reason;
    signal.throwIfAborted();
    return { done: results };
  },
});
