import { readFile } from "node:fs/promises";
import { acceptImported, enterWithTemplate, expect, nodeCard, saved, test } from "./fixtures.ts";

test("a workflow is shared as a file, and taken from a list by somebody else, who reviews it first; S33 S35", async ({
  page,
  api,
}) => {
  const keep = (name: string, value: unknown) =>
    fetch(`${api.url}/kept/${name}`, {
      method: "POST",
      body: typeof value === "string" ? value : JSON.stringify(value),
    });
  const asked = () => api.requests.filter(({ method }) => method === "GET").length;
  await enterWithTemplate(page, "Tools in code");
  await saved(page);
  await page.getByRole("button", { name: "Workflow actions" }).click();
  await page.getByRole("menuitem", { name: "Share as a template" }).click();
  const share = page.getByRole("dialog", { name: "Share as a template" });
  const download = page.waitForEvent("download");
  await share.getByRole("button", { name: "Save the file" }).click();
  const file = await readFile(await (await download).path(), "utf8");
  const template = JSON.parse(file) as { picture: string; document: object };
  expect(template).toMatchObject({ name: "Tools in code", document: { nodes: { agent: { type: "ai-agent" } } } });
  expect(template.picture).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  expect(template.picture).toContain("Text facts");
  expect(template.picture).not.toMatch(/var\(|<script|href|light-dark/);
  const asking = { ...template, document: { ...template.document, vars: { city: "", tone: "dry" } } };
  await keep("tools.template.json", asking);
  const evil = {
    ...template,
    name: "Evil",
    description: "<img src=x onerror=alert(1)>",
    picture: "<svg onload='alert(1)'/>",
  };
  const list = [
    { name: "From a file", file: "tools.template.json" },
    evil,
    { name: "Far", file: "http://127.0.0.1:1/x.json" },
  ];
  await keep("index.json", { templates: list });

  await page.goto("/");
  await page.getByRole("button", { name: "New workflow" }).click();
  await page.getByRole("button", { name: "Templates from elsewhere" }).click();
  const gallery = page.getByRole("dialog", { name: "Templates from elsewhere" });
  const address = gallery.getByLabel("Address of a list of templates");
  const before = asked();
  await expect(address).toHaveValue("");
  expect(asked()).toBe(before);
  await address.fill(`${api.url}/kept/missing.json`);
  await gallery.getByRole("button", { name: "Open" }).click();
  await expect(gallery.getByRole("alert")).toContainText("status 404");
  await address.fill("http://127.0.0.1:9/private.json");
  await gallery.getByRole("button", { name: "Open" }).click();
  await expect(gallery.getByRole("alert")).toContainText(/private|not allowed|blocked/i);
  await address.fill(`${api.url}/kept/index.json`);
  await gallery.getByRole("button", { name: "Open" }).click();
  await expect(gallery.getByRole("listitem")).toHaveCount(3);
  await expect(gallery).toContainText("<img src=x onerror=alert(1)>");
  await expect(gallery.locator("img")).toHaveCount(0);
  await gallery.getByRole("button", { name: "Look at Far" }).click();
  await expect(gallery.getByRole("alert")).toContainText("on a different server");
  await gallery.getByRole("button", { name: "Look at From a file" }).click();
  const report = page.getByRole("dialog", { name: "Import a workflow" });
  await expect(report.getByRole("region", { name: "Waits for your review" })).toContainText("Text facts");
  const variables = report.getByRole("region", { name: "Fill in its variables" });
  await expect(variables.getByRole("textbox")).toHaveCount(1);
  await variables.getByLabel("city").fill("Bearer test-key-0123456789abcdef");
  await expect(variables.getByRole("alert")).toContainText("Keep it in Credentials");
  await variables.getByLabel("city").fill("Rome");
  await expect(variables.getByRole("alert")).toHaveCount(0);
  await report.getByRole("button", { name: "Import", exact: true }).click();
  await expect(nodeCard(page, "Text facts")).toBeVisible();
  await acceptImported(page);
  await page.getByRole("button", { name: "Workflow actions" }).click();
  await page.getByRole("menuitem", { name: "Settings and variables" }).click();
  await expect(page.getByLabel("Value of city")).toHaveValue("Rome");
});
