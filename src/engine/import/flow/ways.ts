import type { Json } from "../../json.ts";
import type { Step } from "./made.ts";

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
