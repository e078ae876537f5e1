import type { RunContext } from "../../engine/document/define-node.ts";
import type { Json } from "../../engine/json.ts";
import { RunError } from "../../engine/errors.ts";

/** The settings of the node, once parsed. */
interface ForEachConfig {
  items: Json;
  concurrency: number;
  onItemError: "fail" | "continue";
}

const mostItems = 10_000;

function listOf(value: Json): Json[] {
  const words = (message: string, hint: string) => new RunError({ code: "invalid_config", message, hint });
  if (!Array.isArray(value)) throw words("Items is not a list.", "Name the list, such as {{json.orders}}.");
  if (value.length > mostItems) {
    throw words(`The list has ${value.length} items; at most ${mostItems} are possible.`, "Split it up first.");
  }
  return value;
}

/** The results of all items, in the order of the list. */
export async function run(context: RunContext<ForEachConfig, unknown>): Promise<{ done: Json }> {
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
}
