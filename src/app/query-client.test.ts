import { QueryObserver } from "@tanstack/react-query";
import { describe, expect, it, vi } from "vitest";
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
  const arrives = (wanted: string, key: readonly string[] = queryKey) =>
    vi.waitFor(() => {
      for (const answer of onTheirWay.splice(0)) answer();
      expect(queries.getQueryData(key)).toBe(wanted);
    });
  const change = (to: string) => {
    stored = to;
    return queries.invalidateQueries({ queryKey: ["runs"] });
  };
  return { queries, queryFn, arrives, change };
}

describe("a change on the server", () => {
  it("counts for what is loaded for the first time meanwhile", async () => {
    const { queries, queryFn, arrives, change } = world();
    const end = new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => undefined);
    void change("completed");
    await arrives("completed");
    void change("deleted");
    await arrives("deleted");
    end();
  });

  it("counts for what is loaded ahead, which nobody shows yet", async () => {
    const { queries, queryFn, arrives, change } = world();
    void queries.prefetchQuery({ queryKey, queryFn });
    await change("completed");
    const end = new QueryObserver(queries, { queryKey, queryFn }).subscribe(() => undefined);
    await arrives("completed");
    end();
  });

  it("leaves alone what it does not concern", async () => {
    const { queries, queryFn, arrives, change } = world();
    const other = ["workflows"];
    const end = new QueryObserver(queries, { queryKey: other, queryFn }).subscribe(() => undefined);
    await change("completed");
    await arrives("running", other);
    end();
  });
});
