import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { AskedForm } from "../../engine/tool/tool.ts";
import { AnswerForm } from "./answer-form.tsx";

const property = { type: "string", title: "account of pay", description: "“Pay to DE-4711.”", default: "DE-4711" };
const form: AskedForm = { message: "May it?", schema: { type: "object", properties: { value_1: property } } };
const shown = (asked: AskedForm) =>
  renderToStaticMarkup(
    <AnswerForm form={asked} label="Answer" onDecide={() => {}}>
      <p>pay asks you</p>
    </AnswerForm>,
  );

test("says to whom an answer goes, and of confirmed values what they may be used for", () => {
  const ofServer = shown(form);
  expect(ofServer).toContain("Your answer goes to the tool’s server.");
  expect(ofServer).toContain("Send answer");
  const ofValues = shown({ ...form, confirms: true });
  expect(ofValues).toContain("each value may be used for the argument named here");
  expect(ofValues).not.toContain("server");
  for (const words of ["Confirm", "Reject", "account of pay", "“Pay to DE-4711.”", 'value="DE-4711"'])
    expect(ofValues).toContain(words);
  // The sentence stands there for everybody, and not behind a sign beside the label.
  expect(ofValues).not.toContain("cursor-help");
  expect(ofServer).toContain("cursor-help");
});
