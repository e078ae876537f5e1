import { firstChars } from "../../engine/well-formed.ts";
import { fileIdsIn } from "../../engine/file/file.ts";
import type { Json } from "../../engine/json.ts";
import { messageLine } from "../../engine/model/attachments.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import type { Assertion } from "../assertions/assertion.ts";
import { viewOfRun } from "../run/view-of-run.ts";
import { filesOfEvents } from "./case-files.ts";
import { type CaseStart, eventsFromCall, startWords } from "./case-start.ts";
import type { EvaluationCase } from "./evaluation-case.ts";

/** An expectation that a run suggests, and what it says to a person. */
export interface ProposedAssertion {
  words: string;
  assertion: Assertion;
}

/** A case made of a run, and what may be expected of it. */
export interface ProposedCase {
  case: EvaluationCase;
  proposals: ProposedAssertion[];
}

const mostFacts = 5;
const mostExpected = 4_000;

/**
 * Makes a case of a finished run: its input as it was, its answer as what is expected, and assertions from its steps. `step`: the run
 * is that of a single step, see `stepOfRun`.
 */
export function proposeCase(events: readonly RunEvent[], step?: CaseStart): ProposedCase {
  const start = events.find((event) => event.type === "run-start");
  const input = start?.input ?? {};
  const trial = viewOfRun({ input }, eventsFromCall(events, step?.call), 0);
  const called = trial.tools.filter(({ rejected }) => !rejected);
  const names = [...new Set(called.map(({ name }) => name))];
  const asked = [...new Set(trial.tools.filter((tool) => tool.asked).map(({ name }) => name))];
  const facts = factsIn(
    trial.text,
    called.map(({ output }) => output),
  );
  const proposals: ProposedAssertion[] = [];
  const propose = (words: string, assertion: Omit<Assertion, "weight">) =>
    proposals.push({ words, assertion: { ...assertion, weight: 1 } });
  if (names.length > 0) propose(`Calls ${names.join(", ")}`, { type: "tool-used", value: names });
  if (names.length > 1)
    propose(`Calls them in this order: ${called.map(({ name }) => name).join(", ")}`, {
      type: "tool-sequence",
      value: called.map(({ name }) => name),
    });
  if (asked.length > 0) propose(`Asks before ${asked.join(", ")}`, { type: "approval-asked", value: asked });
  if (facts.length > 0) propose(`The answer has ${facts.join(", ")}`, { type: "contains-all", value: facts });
  const named = new Set([input, ...Object.values(step?.outputs ?? {})].flatMap((value) => fileIdsIn(value)));
  const files = filesOfEvents(start ? [start] : []).filter(({ $file }) => named.has($file));
  const expected = trial.answer === null ? undefined : expectedOf(trial.answer);
  // What asks no model gives the same again.
  if (step && trial.modelCalls === 0 && trial.outcome === "completed" && expected === trial.answer)
    propose("Gives the same as in this run", { type: "equals", value: "{{expected}}" });
  else if (trial.endings.includes("completed") && names.length + facts.length === 0)
    propose("Ends by itself", { type: "finish-reason", value: "completed" });
  return {
    case: {
      id: step ? nameOfStep(step, input) : nameOf(input),
      input,
      ...(start?.untrusted ? { untrusted: [...start.untrusted] } : {}),
      ...(step ? { start: step } : {}),
      ...(files.length > 0 ? { files } : {}),
      ...(trial.text === "" || expected === undefined ? {} : { expected }),
      source: { runId: start?.runId ?? "" },
    },
    proposals,
  };
}

function expectedOf(answer: Json): Json {
  return typeof answer === "string" ? firstChars(answer, mostExpected) : answer;
}

function nameOf(input: Json): string {
  return firstWords(input) || "case";
}

function nameOfStep(step: CaseStart, input: Json): string {
  const words = firstWords(input);
  const name = firstChars(startWords(step), 100);
  return words === "" ? name : `${name}: ${words}`;
}

/** The first words of what was asked; empty where it is no text. */
function firstWords(input: Json): string {
  const message = messageLine(input) ?? input;
  const text = typeof message === "string" ? message.replace(/\s+/g, " ").trim() : "";
  return firstChars(text, 60).trim();
}

/** Numbers that the answer has from what tools gave: what it has to get right. */
function factsIn(answer: string, outputs: readonly Json[]): string[] {
  const numbers = (text: string) => text.match(/\d+(?:[.,]\d+)*/g) ?? [];
  const given = new Set(outputs.flatMap((output) => numbers(JSON.stringify(output) ?? "")));
  return [...new Set(numbers(answer))].filter((number) => given.has(number)).slice(0, mostFacts);
}
