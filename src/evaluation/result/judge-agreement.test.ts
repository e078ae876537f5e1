import { expect, it } from "vitest";
import { judgeAgreement } from "./judge-agreement.ts";

const trial = (judge: boolean | null, label?: "right" | "wrong") => ({
  status: "passed" as const,
  assertions: [
    { type: "contains", pass: true, score: 1, reason: "", weight: 1 },
    ...(judge === null ? [] : [{ type: "llm-rubric", pass: judge, score: judge ? 1 : 0, reason: "", weight: 1 }]),
  ],
  ...(label === undefined ? {} : { label }),
});
const many = (count: number, judge: boolean, label?: "right" | "wrong") =>
  Array.from({ length: count }, () => trial(judge, label));

it("says how far a judge and a person agree, from 30 labels on", () => {
  expect(judgeAgreement([trial(null, "right")])).toBeUndefined();
  expect(judgeAgreement([...many(12, true, "right"), ...many(50, true)])).toContain("12 of 30 labels");
  const labelled = [
    ...many(20, true, "right"),
    ...many(5, true, "wrong"),
    ...many(10, false, "right"),
    ...many(15, false, "wrong"),
  ];
  expect(judgeAgreement(labelled)).toBe(
    "The judge agrees with you in 35 of 50 labels: κ = 0.40 (1 is full agreement, 0 is chance).",
  );
  expect(judgeAgreement(many(30, true, "right"))).toContain("κ is not defined");
  expect(
    judgeAgreement(many(30, true, "right").map((one) => ({ ...one, status: "excluded" as const }))),
  ).toBeUndefined();
});
