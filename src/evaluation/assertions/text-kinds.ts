import { z } from "zod/mini";
import { boundedCheck } from "../../engine/json-schema/bounded-check.ts";
import { canonicalJson } from "../../engine/canonical-json.ts";
import { jsonValue } from "../../engine/config/json-value.ts";
import type { Json } from "../../engine/json.ts";
import { matchesPattern } from "../../engine/template/match-pattern.ts";
import { defineAssertion, type AssertionKind, nothingToCheck, type Verdict } from "./assertion-kind.ts";
import { editDistance } from "../../engine/edit-distance.ts";
import { shortened } from "./shortened.ts";
import { answerJson, type TrialView } from "./trial-view.ts";

/** A text, or a number or the like that is written as one. */
const text = z.pipe(z.union([z.string(), z.number(), z.boolean()], "expected a text"), z.transform(String));

/** A list of texts; one text is split at its commas. */
const texts = z.union(
  [
    z.array(text).check(z.minLength(1)),
    z.pipe(
      z.string(),
      z.transform((list) =>
        list
          .split(",")
          .map((each) => each.trim())
          .filter((each) => each !== ""),
      ),
    ),
  ],
  "expected a list of texts",
);

const pattern = z.string("expected a regular expression").check(
  z.superRefine((source, context) => {
    try {
      matchesPattern("", source);
    } catch (error) {
      context.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
    }
  }),
);

const schema = z.optional(z.union([z.record(z.string(), z.json()), z.boolean()], "expected a JSON Schema"));

const isEmpty = (value: string) => value.trim() === "";
const nothingToLookFor = nothingToCheck("The text to look for is empty, so nothing was checked.");

const contains = (isSame: (text: string) => string) => ({
  one: defineAssertion({
    value: text,
    isTemplated: true,
    check: ({ value }, trial) =>
      isEmpty(value)
        ? nothingToLookFor
        : verdict(isSame(trial.text).includes(isSame(value)), trial, `contains ${quoted(value)}`),
  }),
  any: defineAssertion({
    value: texts,
    isTemplated: true,
    check: ({ value: given }, trial) => {
      const value = given.filter((each) => !isEmpty(each));
      if (value.length === 0) return nothingToLookFor;
      const found = value.find((each) => isSame(trial.text).includes(isSame(each)));
      return verdict(found !== undefined, trial, `contains ${found === undefined ? list(value, "or") : quoted(found)}`);
    },
  }),
  all: defineAssertion({
    value: texts,
    isTemplated: true,
    check: ({ value: given }, trial) => {
      const value = given.filter((each) => !isEmpty(each));
      if (value.length === 0) return nothingToLookFor;
      const missing = value.filter((each) => !isSame(trial.text).includes(isSame(each)));
      return verdict(missing.length === 0, trial, `contains ${list(missing.length > 0 ? missing : value, "and")}`);
    },
  }),
});

const [exactly, anyCase] = [contains((each) => each), contains((each) => each.toLowerCase())];

/** Assertions about the answer's text. */
export const textKinds: Readonly<Record<string, AssertionKind>> = {
  equals: defineAssertion({
    value: jsonValue(),
    isTemplated: true,
    check: ({ value }, trial) => {
      const isSame = typeof value === "string" ? trial.text === value : equalsJson(trial, value);
      return verdict(isSame, trial, `equals ${quoted(typeof value === "string" ? value : JSON.stringify(value))}`);
    },
  }),
  contains: exactly.one,
  icontains: anyCase.one,
  "contains-any": exactly.any,
  "contains-all": exactly.all,
  "icontains-any": anyCase.any,
  "icontains-all": anyCase.all,
  "starts-with": defineAssertion({
    value: text,
    isTemplated: true,
    check: ({ value }, trial) =>
      isEmpty(value) ? nothingToLookFor : verdict(trial.text.startsWith(value), trial, `starts with ${quoted(value)}`),
  }),
  regex: defineAssertion({
    value: pattern,
    isTemplated: true,
    check: ({ value }, trial) =>
      value === ""
        ? nothingToLookFor
        : verdict(matchesPattern(trial.text, value), trial, `matches ${shortened(value)}`),
  }),
  "is-json": defineAssertion({
    value: schema,
    isTemplated: true,
    async check({ value }, trial, { host, signal }) {
      const json = answerJson(trial);
      if (json === undefined) return { pass: false, reason: `The answer is not JSON: ${quoted(trial.text)}.` };
      if (value === undefined || value === true) return { pass: true, reason: "The answer is JSON." };
      if (value === false) return { pass: false, reason: "The schema allows nothing." };
      const fits = await boundedCheck(host, value, () => signal)(json);
      return fits.ok
        ? { pass: true, reason: "The answer is JSON that fits the schema." }
        : { pass: false, reason: `The answer is JSON that does not fit the schema. ${fits.reason}` };
    },
  }),
  levenshtein: defineAssertion({
    value: text,
    isTemplated: true,
    check({ value, threshold = 5 }, trial) {
      const longest = 20_000;
      if (value.length > longest || trial.text.length > longest)
        return { pass: false, reason: `Texts of more than ${longest} characters are not compared.` };
      const distance = editDistance(trial.text, value);
      const length = Math.max(trial.text.length, value.length, 1);
      return {
        pass: distance <= threshold,
        score: 1 - distance / length,
        reason: `The answer is ${distance} edits away from ${quoted(value)}; up to ${threshold} are allowed.`,
      };
    },
  }),
};

function verdict(pass: boolean, trial: TrialView, does: string): Verdict {
  if (pass) return { pass, reason: `The answer ${does}.` };
  return { pass, reason: `The answer does not satisfy "${does}". It is ${quoted(trial.text)}.` };
}

function equalsJson(trial: TrialView, value: Json): boolean {
  const answer = typeof trial.answer === "string" ? answerJson(trial) : trial.answer;
  return answer !== undefined && canonicalJson(answer) === canonicalJson(value);
}

function quoted(value: string): string {
  return `"${shortened(value)}"`;
}

function list(values: readonly string[], word: string): string {
  return values.map(quoted).join(` ${word} `);
}
