import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import { ask, canvasReady, enterAsGuest, expect, importWorkflow, nodeCard, test } from "./fixtures.ts";

const document = buildWorkflow({
  name: "On this device",
  nodes: {
    chat: ["chat-trigger", {}, "Chat"],
    agent: ["ai-agent", {}, "Agent"],
    model: ["browser-model", {}, "Browser"],
  },
  edges: ["chat.main -> agent.main", "model.model -> agent.model"],
});
for (const [index, node] of Object.values(document.nodes).entries()) node.position = { x: index * 300, y: index * 40 };

test("the browser's model is downloaded by a click and answers; without one the node and the run say so", async ({
  page,
}) => {
  await page.addInitScript(() => {
    let state = "downloadable";
    const LanguageModel = {
      availability: async () => state,
      async create({ monitor }: { monitor?: (target: EventTarget) => void }) {
        const target = new EventTarget();
        monitor?.(target);
        target.dispatchEvent(Object.assign(new Event("downloadprogress"), { loaded: 1, total: 1 }));
        state = "available";
        return {
          promptStreaming: (prompt: string) =>
            new ReadableStream({
              start(controller) {
                controller.enqueue(`On this device: ${prompt}`);
                controller.close();
              },
            }),
          destroy: () => undefined,
        };
      },
    };
    Reflect.set(window, "LanguageModel", location.search === "?none" ? undefined : LanguageModel);
  });
  await enterAsGuest(page);
  await importWorkflow(page, document);

  await nodeCard(page, "Browser").click();
  const inspector = page.getByRole("region", { name: /^Settings of/ });
  await expect(inspector).toContainText("can download its language model");
  await inspector.getByRole("button", { name: "Download" }).click();
  await expect(inspector).toContainText("has its language model");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "Hello there");
  await expect(page.getByRole("log")).toContainText("On this device: Hello there");

  await page.goto(`${new URL(page.url()).pathname}?none`);
  await canvasReady(page);
  await nodeCard(page, "Browser").click();
  await expect(inspector).toContainText("This browser has no built-in language model");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "Hello again");
  await expect(page.getByRole("log")).toContainText("This browser has no built-in language model");
});

test("a credential is made in place, from the node that needs it", async ({ page, vendor }) => {
  await enterAsGuest(page);
  const wanted = buildWorkflow({
    name: "In place",
    nodes: { model: ["openai-compatible-model", { model: "gone-model" }, "Model"] },
    edges: [],
  });
  await importWorkflow(page, wanted);
  await nodeCard(page, "Model").click();
  const inspector = page.getByRole("region", { name: /^Settings of/ });
  await inspector.getByRole("button", { name: "New", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "New credential" });
  await dialog.getByLabel(/Base URL/).fill(vendor.baseUrl);
  await dialog.getByLabel(/API key/).fill(vendor.key);
  await dialog.getByRole("button", { name: "Save credential" }).click();
  await expect(dialog).toBeHidden();
  await expect(inspector.getByRole("combobox", { name: /Credential/ })).toContainText("OpenAI-compatible");
  await expect(inspector).toContainText("Not in the provider's list");
  const asked = () => vendor.requests.filter(({ path }) => path.endsWith("/models")).length;
  const before = asked();
  await page.reload();
  await canvasReady(page);
  await nodeCard(page, "Model").click();
  await expect(inspector).toContainText("Not in the provider's list");
  expect(asked()).toBe(before);
  await inspector.getByRole("button", { name: "Fetch the provider's list again" }).click();
  await expect.poll(asked).toBe(before + 1);
});
