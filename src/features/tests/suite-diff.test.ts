import { expect, it } from "vitest";
import type { SuiteContent } from "../../services/services.ts";
import { describeSuiteDiff } from "./suite-diff.ts";

const suite = (changed: Partial<SuiteContent> = {}): SuiteContent => ({
  name: "Refunds",
  settings: { trials: 2, replay: "all" },
  cases: [
    { id: "a", input: { message: "Hi" }, expected: "84" },
    { id: "b", input: "Ho" },
  ],
  ...changed,
});

it("tells what became of a suite: settings by field, then added, removed and changed cases", () => {
  const after = suite({
    name: "Refunds 2",
    settings: { replay: "all", trials: 5, judge: { provider: "demo", model: "d", credential: "" } },
    cases: [
      { id: "a", input: { message: "Hi" }, expected: "85" },
      { id: "c", input: "New" },
    ],
  });
  const [settings, ...cases] = describeSuiteDiff(suite(), after);
  expect(settings).toMatchObject({
    title: "Settings",
    changes: [
      { label: "name", before: "Refunds", after: "Refunds 2" },
      { label: "trials", before: "2", after: "5" },
      { label: "judge", after: '{ "provider": "demo", "model": "d", "credential": "" }' },
    ],
  });
  expect(cases.map(({ mark, title }) => `${mark} ${title}`)).toEqual(["added c", "removed b", "changed a"]);
  expect(cases[2]?.changes).toEqual([{ label: "expected", before: "84", after: "85" }]);
});

it("takes the same fields in another order for the same", () => {
  expect(describeSuiteDiff(suite(), suite({ settings: { replay: "all", trials: 2 } }))).toEqual([]);
});
