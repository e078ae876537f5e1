import { expect, it } from "vitest";
import { askTogether } from "./ask-together.ts";

/** Answers with the key in capitals, none for "nobody"; notes what each request asked for. */
function recorder(most = 3) {
  const requests: string[][] = [];
  const load = askTogether((keys) => {
    requests.push([...keys]);
    if (keys.includes("broken")) return Promise.reject(new Error("The server is away."));
    return Promise.resolve(new Map(keys.filter((key) => key !== "nobody").map((key) => [key, key.toUpperCase()])));
  }, most);
  return { requests, load };
}

it("asks once for what is wanted at the same moment, each thing once", async () => {
  const { requests, load } = recorder();
  expect(await Promise.all(["a", "b", "a", "nobody"].map(load))).toEqual(["A", "B", "A", undefined]);
  expect(await load("c")).toBe("C");
  expect(requests).toEqual([["a", "b", "nobody"], ["c"]]);
});

it("asks for no more than so many at once", async () => {
  const { requests, load } = recorder();
  expect(await Promise.all(["a", "b", "c", "d", "e"].map(load))).toEqual(["A", "B", "C", "D", "E"]);
  expect(requests).toEqual([
    ["a", "b", "c"],
    ["d", "e"],
  ]);
});

it("tells all who asked what went wrong, and asks anew the next time", async () => {
  const { load } = recorder();
  const answers = await Promise.allSettled([load("a"), load("broken")]);
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await load("a")).toBe("A");
});
