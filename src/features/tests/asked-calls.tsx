import { Button } from "../../ui/buttons/button.tsx";
import { JsonTree } from "../../ui/data/json-tree.tsx";
import type { Ask } from "./run-suite.ts";

/** Tool calls of trials that no recording has, to be made or not. */
export function AskedCalls({ asks }: { asks: readonly Ask[] }) {
  if (asks.length === 0) return null;
  return (
    <section aria-label="Calls waiting for you" className="flex flex-col gap-3 rounded-lg border bg-surface p-4">
      <h2 className="font-medium">
        {asks.length === 1 ? "1 call is not recorded" : `${asks.length} calls are not recorded`}
      </h2>
      <ul className="flex flex-col gap-3">
        {asks.map(({ id, toolName, input, decide }) => (
          <li key={id} className="flex flex-wrap items-start gap-3 border-t pt-3">
            <div className="min-w-0 flex-1">
              <p className="font-medium">{toolName}</p>
              <JsonTree label={`Arguments of ${toolName}`} value={input} openDepth={2} />
            </div>
            <Button onClick={() => decide(false)}>Refuse</Button>
            <Button variant="primary" onClick={() => decide(true)}>
              Make the call
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
