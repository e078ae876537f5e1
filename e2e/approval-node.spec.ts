import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import { enterAsGuest, expect, importWorkflow, nodeCard, test } from "./fixtures.ts";

test("a step of the flow asks for approval, and the run goes the way that was decided", async ({ page }) => {
  await enterAsGuest(page);
  await importWorkflow(
    page,
    buildWorkflow({
      name: "Refunds",
      nodes: {
        start: ["manual-trigger", { input: { amount: 40 } }, "Start"],
        ask: ["approval", { message: "Refund {{json.amount}} euros?\n<b>Today</b>" }, "Ask the desk"],
        pay: ["set-fields", { fields: { did: "paid" } }, "Pay"],
        tell: ["set-fields", { fields: { did: "{{json.approval.reason}}" } }, "Tell why"],
      },
      edges: ["start.main -> ask.main", "ask.approved -> pay.main", "ask.declined -> tell.main"],
    }),
  );
  await nodeCard(page, "Ask the desk").waitFor();
  await page.getByRole("button", { name: "Test", exact: true }).click();
  const card = page.getByRole("group", { name: "Approve Ask the desk" });
  await expect(card).toContainText("Refund 40 euros?");
  await expect(card).toContainText("<b>Today</b>");
  await card.getByRole("button", { name: "Decline", exact: true }).click();
  await card.getByRole("textbox", { name: "Reason" }).fill("Not this week");
  await card.getByRole("button", { name: "Decline", exact: true }).last().click();
  await expect(nodeCard(page, "Tell why").locator(".card-run")).toHaveAttribute("data-status", "done");
  await expect(nodeCard(page, "Pay").locator(".card-run")).toHaveAttribute("data-status", "skipped");

  // On the canvas, too.
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await nodeCard(page, "Ask the desk").getByRole("button", { name: "Approve" }).click();
  await expect(nodeCard(page, "Pay").locator(".card-run")).toHaveAttribute("data-status", "done");
});
