import type { Json } from "../../engine/json.ts";
import type { Made, Step } from "./made.ts";

const most = 6;

/**
 * Switch nodes that lead on by one of any number of values, six to a node, and the port for each value's number; -1 is
 * for all other values. The first switch is number `first` behind the node.
 */
export function switches(
  title: string,
  value: string,
  cases: readonly Json[],
  first: number,
): { steps: Step[]; port: (number: number) => readonly [string, number] } {
  const steps: Step[] = [];
  for (let at = 0; at === 0 || at < cases.length; at += most) {
    steps.push({
      type: "switch",
      title: `${title}${at === 0 ? "" : ` ${at / most + 1}`}`.slice(0, 150),
      config: { value, cases: cases.slice(at, at + most).length > 0 ? cases.slice(at, at + most) : [""] },
      ...(at === 0 ? {} : { from: "default" }),
    });
  }
  return {
    steps,
    port: (number) =>
      number < 0
        ? ["default", first + steps.length - 1]
        : [`case${(number % most) + 1}`, first + Math.floor(number / most)],
  };
}

/**
 * A node that takes the first way whose test, an expression, holds, and the default where none does. `wayOf` gives the
 * number of a handle's way, or -1.
 */
export function firstThatHolds(
  title: string,
  tests: readonly string[],
  wayOf: (handle: string) => number,
): Pick<Made, "step" | "behind" | "output"> {
  const value = `{{${tests.reduceRight((rest, test, index) => `(${test} ? ${index} : ${rest})`, "-1")}}}`;
  const { steps, port } = switches(title, value, [...tests.keys()], 0);
  const [first, ...behind] = steps;
  return {
    ...(first ? { step: { type: first.type, config: first.config } } : {}),
    behind,
    output: (handle) => port(wayOf(handle)),
  };
}
