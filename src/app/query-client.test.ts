import { QueryObserver } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { createQueryClient } from "./query-client.ts";

const queryKey = ["runs", "w"];

/** A list on a server, whose answers arrive when the test lets them. */
function world() {
  const queries = createQueryClient();
  let stored = "running";
  const onTheirWay: (() => void)[] = [];
  const queryFn = () => {
    const read = stored;
    return new Promise<string>((resolve) => onTheirWay.push(() => resolve(read)));
  };
  /** What is known once all that is on its way has arrived. */
  const latest = (key: readonly string[] = queryKey) => {
    for (const answer of onTheirWay.splice(0)) answer();
    return queries.getQueryData(key);
  };
  const change = (to: string) => {
    stored = to;
    return queries.invalidateQueries({ queryKey: ["runs"] });
  };
  return { queries, queryFn, latest, change };
}

describe("a change on the server", () => {
  it("counts for what is loaded for the first time meanwhile", async () => {
    const { queries, queryFn, latest, change } = world();
    const end = new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => undefined);
    void change("completed");
    await expect.poll(() => latest()).toBe("completed");
    void change("deleted");
    await expect.poll(() => latest()).toBe("deleted");
    end();
  });

  it("counts for what is loaded ahead, which nobody shows yet", async () => {
    const { queries, queryFn, latest, change } = world();
    void queries.prefetchQuery({ queryKey, queryFn });
    await change("completed");
    const end = new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => undefined);
    await expect.poll(() => latest()).toBe("completed");
    end();
  });

  it("leaves alone what it does not concern", async () => {
    const { queries, queryFn, latest, change } = world();
    const other = ["workflows"];
    const end = new QueryObserver(queries, { queryKey: other, queryFn }).subscribe(() => undefined);
    await change("completed");
    await expect.poll(() => latest(other)).toBe("running");
    end();
  });
});
