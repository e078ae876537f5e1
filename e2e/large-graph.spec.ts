import { gridWorkflow } from "../bench/canvas/bench-workflow.ts";
import { atRest, enterAsGuest, expect, importWorkflow, test } from "./fixtures.ts";
import { center, hold } from "./pointer.ts";

test("cards that are first seen from far away have their wires", async ({ page }) => {
  const workflow = gridWorkflow(100);
  await enterAsGuest(page);
  await importWorkflow(page, workflow);
  await page.getByRole("button", { name: /fit/i }).first().click();
  await expect(page.locator(".react-flow__edge")).toHaveCount(Object.keys(workflow.edges).length);
});

test("many cards are dragged together, with the wires among them and to others, and are put back as one step", async ({
  page,
}) => {
  const workflow = gridWorkflow(100);
  await enterAsGuest(page);
  await importWorkflow(page, workflow);
  await page.getByRole("button", { name: /fit/i }).first().click();
  const card = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
  /** Where cards and wires are drawn, by id; of what is dragged, its picture. */
  const drawn = () =>
    page.evaluate(() => {
      const places: Record<string, string> = {};
      const note = (id: string | undefined, element: Element | null) => {
        const { x = 0, y = 0, width = 0, height = 0 } = element?.getBoundingClientRect() ?? {};
        places[id ?? ""] = [x, y, width, height].map(Math.round).join(" ");
      };
      const wire = ".react-flow__edge-path";
      for (const each of document.querySelectorAll<HTMLElement>(".react-flow__node")) note(each.dataset["id"], each);
      for (const each of document.querySelectorAll<SVGElement>(".react-flow__edge[data-id]"))
        note(each.dataset["id"], each.querySelector(wire));
      for (const each of document.querySelectorAll<HTMLElement | SVGElement>("[data-picture-of]"))
        note(each.dataset["pictureOf"], each instanceof SVGElement ? each.querySelector(wire) : each);
      return places;
    });
  await expect(page.locator(".react-flow__edge")).toHaveCount(Object.keys(workflow.edges).length);
  await card("n50").click();
  await page.keyboard.press("ControlOrMeta+a");
  await card("n40").click({ modifiers: ["ControlOrMeta"] });
  await expect(page.locator(".react-flow__node.selected")).toHaveCount(99);
  await atRest(page);
  const before = await drawn();
  const { x, y } = await center(card("n50"));
  await hold(page, card("n50"), { x: x + 90, y: y + 60 });
  await expect(card("n50")).toHaveClass(/\bdragging\b/);
  const held = await drawn();
  const stays = Object.keys(held).filter((id) => held[id] === before[id]);
  expect(stays).toEqual(["n40"]);
  await page.mouse.up();
  await expect(page.locator(".react-flow__node.dragging")).toHaveCount(0);
  // The wires to the card that stays are plain curves while they are held, and go round cards again afterwards.
  const withoutLoose = (places: Record<string, string>) =>
    Object.fromEntries(Object.entries(places).filter(([id]) => id === "n40" || !id.split("-").includes("n40")));
  await expect.poll(async () => withoutLoose(await drawn())).toEqual(withoutLoose(held));
  await page.keyboard.press("ControlOrMeta+z");
  await expect.poll(drawn).toEqual(before);
});
