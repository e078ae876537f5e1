import { Provenance } from "../../src/engine/trust/provenance/provenance.ts";
import { median, type Row } from "../measure.ts";

const rounds = 7;
const lookups = 200;
const megabyte = 1_048_576;

/** Text of mails, as a tool may bring it. */
function mails(characters: number): string {
  const lines: string[] = [];
  for (let number = 0, length = 0; length < characters; number += 1) {
    const line = `Mail ${number} from person${number}@office${number % 97}.example on 2026-05-${10 + (number % 20)}: the price is ${number}.50, please see https://office.example/${number} before noon.`;
    lines.push(line);
    length += line.length + 1;
  }
  return lines.join("\n").slice(0, characters);
}

const tool = { name: "send", acts: true, parameters: { type: "object", properties: { to: {} } } };

function milliseconds(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

/**
 * How long it takes to know a megabyte of text, beside splitting it at blanks, and to look one call up in it, beside one search of
 * the text for its value.
 */
export function speedRows(): Row[] {
  const text = mails(megabyte);
  const bareText = text.toLowerCase();
  const known: number[] = [];
  const split: number[] = [];
  const looked: number[] = [];
  const searched: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const provenance = new Provenance();
    provenance.add("person", "Write to ann@acme.example.");
    known.push(
      milliseconds(() => {
        provenance.add("outside", text);
        provenance.judge(tool, { to: "nobody@evil.example" });
      }),
    );
    split.push(milliseconds(() => void text.split(/\s+/u)));
    for (let number = 0; number < lookups; number += 1) {
      const to = `person${number * 7}@office.example`;
      looked.push(milliseconds(() => void provenance.judge(tool, { to })));
      searched.push(milliseconds(() => void bareText.includes(to)));
    }
  }
  const ours = median(known);
  const bare = median(split);
  const lookup = median(looked);
  const search = median(searched);
  return [
    {
      name: "to know a megabyte of text",
      value: ours,
      unit: "ms",
      baseline: bare,
      ratio: ours / bare,
      goal: "≤ 1×",
      met: ours <= bare,
    },
    {
      name: "to judge a call with it",
      value: lookup,
      unit: "ms",
      baseline: search,
      ratio: lookup / search,
      goal: "≤ 1 ms",
      met: lookup <= 1,
    },
  ];
}
