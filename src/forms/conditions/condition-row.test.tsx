import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ConditionRow } from "./condition-row.tsx";

const nothing = () => undefined;

function operatorsShown(operator: string): string[] {
  const row = { kind: "comparison" as const, column: "status", operator, value: "open" };
  const html = renderToStaticMarkup(
    <ConditionRow row={row} name="Condition 1" operators={["=", "<>"]} onChange={nothing} onRemove={nothing} />,
  );
  return [...html.matchAll(/<option([^>]*)>([^<]*)/g)].map(
    ([, attributes, text]) => `${text}${attributes?.includes("selected") ? " *" : ""}`,
  );
}

test("an operator that there is not is shown as it is, not as the first of the list", () => {
  expect(operatorsShown("LIKE")).toEqual(["=", "&lt;&gt;", "LIKE (unknown) *"]);
  expect(operatorsShown("=")).toEqual(["= *", "&lt;&gt;"]);
});
