import type { Locator, Page } from "@playwright/test";
import { describeFields } from "../src/engine/config/describe-fields.ts";
import type { FieldControl } from "../src/engine/config/field.ts";
import type { AnyNodeDefinition } from "../src/engine/document/define-node.ts";
import type { Json, JsonObject } from "../src/engine/json.ts";
import { buildWorkflow, type WorkflowSketch } from "../src/engine/testing/build-workflow.ts";
import { nodeTypes } from "../src/nodes/index.ts";
import { examine } from "./examine.ts";
import { enterAsGuest, expect, importWorkflow, saved, test } from "./fixtures.ts";

// Every form is examined at two widths.
test.setTimeout(900_000);

const fieldsOfObject: Json = {
  type: "object",
  properties: {
    city: { type: "string", description: "Where" },
    days: { type: "array", items: { type: "integer" } },
    place: { type: "object", properties: { street: { type: "string" } } },
  },
  required: ["city"],
};
const rows: Partial<Record<FieldControl, Json>> = {
  "string-list": ["first", "second"],
  "key-values": { name: "value", other: "{{json.message}}" },
  "json-schema": fieldsOfObject,
  parameters: fieldsOfObject,
  conditions: {
    all: [
      { column: "age", operator: "between", value: [1, 9] },
      { any: [{ column: "kind", operator: "in", value: ["a", "b"] }] },
    ],
  },
};

/** A config with which all fields of a type show, and those of several parts have some. */
function fullConfig(definition: AnyNodeDefinition): JsonObject {
  const fields = describeFields(definition.config).filter(({ hidden }) => hidden !== true);
  const shown = fields.flatMap(({ visibleWhen }) => (visibleWhen ? [[visibleWhen.field, visibleWhen.in[0]]] : []));
  const filled = fields.flatMap(({ name, control }) => (rows[control] === undefined ? [] : [[name, rows[control]]]));
  return Object.fromEntries([...shown, ...filled]);
}

const titleOf = ({ type }: AnyNodeDefinition) => `Form of ${type}`;

function everyForm() {
  const nodes: WorkflowSketch["nodes"] = {};
  for (const definition of nodeTypes)
    nodes[definition.type] = [definition.type, fullConfig(definition), titleOf(definition)];
  return buildWorkflow({ name: "Every form", nodes });
}

/** The form of a node with all its sections open. The card may lie outside of what is in view. */
async function openForm(page: Page, definition: AnyNodeDefinition): Promise<Locator> {
  await page.locator(`.react-flow__node[data-id="${definition.type}"]`).dispatchEvent("click");
  const form = page.getByRole("region", { name: `Settings of ${titleOf(definition)}`, exact: true });
  await expect(form).toBeVisible();
  await form.locator("details").evaluateAll((sections) => {
    for (const section of sections) section.setAttribute("open", "");
  });
  return form;
}

/** Runs in the page: labels without a control, stops of the Tab key that jump back, and what stands out at the side. */
function faultsOf(form: Element): string[] {
  const words = (element: Element): string => (element.getAttribute("aria-label") ?? element.outerHTML).slice(0, 160);
  const panel = form.querySelector("[role=tabpanel]:not([hidden])");
  if (panel === null) return ["There is no form."];
  const faults: string[] = [];
  for (const label of panel.querySelectorAll("label")) {
    if (
      label.control === null &&
      label.querySelector("button") === null &&
      document.getElementById(label.htmlFor) === null
    )
      faults.push(`A label without a control: ${label.textContent}`);
  }
  for (const field of panel.querySelectorAll("[data-field]")) {
    const group = field.querySelector("[role=group]")?.getAttribute("aria-label") ?? "";
    if (field.querySelector("label") === null && group === "") faults.push(`A field without a label: ${words(field)}`);
  }
  const stops = [
    ...panel.querySelectorAll<HTMLElement>("input, select, textarea, button, a[href], summary, [tabindex]"),
  ];
  let before: HTMLElement | null = null;
  for (const stop of stops) {
    if (stop.tabIndex < 0 || stop.matches(":disabled") || stop.getClientRects().length === 0) continue;
    if (stop.tabIndex > 0) faults.push(`Out of turn: ${words(stop)}`);
    const now = stop.getBoundingClientRect();
    const last = before?.getBoundingClientRect();
    const isBeside = last !== undefined && Math.min(last.bottom, now.bottom) - Math.max(last.top, now.top) > 4;
    if (before && last && (now.bottom <= last.top + 1 || (isBeside && now.right <= last.left + 1)))
      faults.push(`The Tab key jumps back from ${words(before)} to ${words(stop)}`);
    before = stop;
  }
  const edge = panel.getBoundingClientRect().right + 0.5;
  if (panel.scrollWidth > panel.clientWidth) faults.push("The form is wider than its panel.");
  for (const stop of stops)
    if (stop.getBoundingClientRect().right > edge) faults.push(`Beyond the edge: ${words(stop)}`);
  return faults;
}

test("the form of every node type is sound: labels, order, widths, and what axe-core examines", async ({ page }) => {
  await enterAsGuest(page);
  await importWorkflow(page, everyForm());
  await saved(page);
  for (const definition of nodeTypes) {
    const form = await openForm(page, definition);
    expect(await form.evaluate(faultsOf), definition.type).toEqual([]);
    expect(await examine(page, { within: 'section[aria-label^="Settings of"]' }), definition.type).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("tab", { name: "Canvas" }).click();
  for (const definition of nodeTypes) {
    const form = await openForm(page, definition);
    expect(await form.evaluate(faultsOf), `${definition.type}, on a phone`).toEqual([]);
  }
});
