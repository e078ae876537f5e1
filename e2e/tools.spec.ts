import type { Page } from "@playwright/test";
import { buildWorkflow, type WorkflowSketch } from "../src/engine/testing/build-workflow.ts";
import { startOAuthServer } from "../supabase/functions/_shared/testing/oauth-server.ts";
import { headerGate, startReferenceServer } from "../supabase/functions/_shared/testing/reference-mcp-server.ts";
import { startScopedServer } from "../supabase/functions/mcp-sign-in/testing/scoped-server.ts";
import { ask, enterAsGuest, expect, importWorkflow, nodeCard, runEnded, saved, showRun, test } from "./fixtures.ts";
import { look } from "./look.ts";

const secret = "test-key-mcp-0123456789";

/** An agent on the demo model with one tool, and a workspace where that is wanted. */
function agentWith(name: string, tool: WorkflowSketch["nodes"][string], { hasWorkspace = false } = {}) {
  const space: WorkflowSketch["nodes"] = hasWorkspace ? { space: ["workspace-tool", {}, "Workspace"] } : {};
  const document = buildWorkflow({
    name,
    nodes: {
      start: ["chat-trigger", {}, "Chat"],
      agent: ["ai-agent", {}, "Agent"],
      model: ["demo-model", {}, "Demo"],
      tool,
      ...space,
    },
    edges: [
      "start.main -> agent.main",
      "model.model -> agent.model",
      "tool.tool -> agent.tools",
      ...(hasWorkspace ? ["space.tool -> agent.tools"] : []),
    ],
  });
  for (const [index, id] of ["start", "agent", "model", "tool", "space"].entries()) {
    const node = document.nodes[id];
    if (node) node.position = { x: [0, 320, 240, 640, 640][index] ?? 0, y: [0, 0, 220, 40, 220][index] ?? 0 };
  }
  return document;
}

const inspector = (page: Page) => page.getByRole("region", { name: /^Settings of/ });

test("code is written with completion, tried out in the sandbox and used by an agent", async ({ page }) => {
  await enterAsGuest(page);
  const parameters = {
    type: "object",
    properties: { city: { type: "string", description: "Where" } },
    required: ["city"],
    additionalProperties: false,
  };
  await importWorkflow(page, agentWith("Code", ["code-tool", { toolName: "list_hotels", parameters }, "Hotels"]));
  await nodeCard(page, "Hotels").click();
  const editor = inspector(page).locator(".cm-content");
  await editor.click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("console.log('asked for', cit");
  await expect(page.locator(".cm-tooltip-autocomplete")).toContainText("city");
  await look(page, "tools-code-editor");
  await page.keyboard.press("Enter");
  await page.keyboard.press("End");
  await page.keyboard.type(";\nreturn [{ hotel: 'Sun', city, price: 80 }, { hotel: 'Moon', city, price: 120 }];");
  await saved(page);
  await expect(nodeCard(page, "Hotels")).toContainText("console.log('asked for', city)");

  await inspector(page).getByRole("button", { name: "Try it" }).click();
  const dialog = page.getByRole("dialog", { name: "Try Hotels" });
  await dialog.getByRole("textbox", { name: "city" }).fill("Bonn");
  await dialog.getByRole("button", { name: "Run the tool" }).click();
  await expect(dialog.getByRole("table")).toContainText("Moon");
  await expect(dialog.getByLabel("Log", { exact: true })).toContainText("asked for Bonn");
  await look(page, "tools-try-code");
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, 'list_hotels "Trier"');
  await expect(page.getByRole("log")).toContainText("list_hotels");
  await showRun(page, "Steps");
  const steps = page.getByRole("tabpanel", { name: "Steps" });
  await steps.getByText("list_hotels").first().click();
  await expect(steps.getByRole("table")).toContainText("Trier");
  await look(page, "tools-table-result");
});

test("a large result goes to the workspace of its agent, where its rows are seen and downloaded", async ({ page }) => {
  await enterAsGuest(page);
  const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const code = "return Array.from({ length: 200 }, (_, id) => ({ hotel: `Hotel ${id}`, city, price: 80 + id }));";
  const config = { toolName: "list_hotels", parameters, code };
  await importWorkflow(page, agentWith("Workspace", ["code-tool", config, "Hotels"], { hasWorkspace: true }));
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, 'list_hotels "Trier"');
  await runEnded(page);
  await showRun(page, "Files");
  const files = page.getByRole("tabpanel", { name: "Files" });
  await files.getByText("results/list_hotels-1.json").click();
  await expect(files.getByRole("table")).toContainText("Hotel 7");
  await look(page, "tools-workspace");
  const download = page.waitForEvent("download");
  await files.getByRole("button", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe("list_hotels-1.json");
});

test("S72 arguments are checked in a worker of the built site where their schema refers to itself @rest", async ({
  page,
}) => {
  await enterAsGuest(page);
  const parameters = {
    type: "object",
    properties: { city: { $ref: "#/$defs/city" } },
    required: ["city"],
    $defs: { city: { type: "string", minLength: 4 } },
  };
  const code = "return `A room in ${city}`;";
  const tool: WorkflowSketch["nodes"][string] = ["code-tool", { toolName: "find_room", parameters, code }, "Rooms"];
  await importWorkflow(page, agentWith("References", tool));
  await page.getByRole("button", { name: "Test", exact: true }).click();
  const worker = page.waitForEvent("worker", (each) => each.url().includes("check-worker"));
  await ask(page, 'find_room "Bonn"');
  await worker;
  await expect(page.getByRole("log")).toContainText("A room in Bonn");
  await runEnded(page);
  await ask(page, 'find_room "Ulm"');
  await runEnded(page);
  await showRun(page, "Steps");
  await expect(page.getByRole("tabpanel", { name: "Steps" })).toContainText("String is too short");
});

test("S21 a tool that never ends is stopped, and the page stays alive", async ({ page }) => {
  await enterAsGuest(page);
  const code = "for (;;) {}";
  await importWorkflow(page, agentWith("Endless", ["code-tool", { toolName: "spin", code }, "Spin"]));
  await nodeCard(page, "Spin").click();
  await inspector(page).getByRole("button", { name: "Try it" }).click();
  const dialog = page.getByRole("dialog", { name: "Try Spin" });
  await dialog.getByRole("button", { name: "Run the tool" }).click();
  await dialog.getByRole("button", { name: "Stop" }).click();
  await expect(dialog.getByText("The call was stopped.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});

test("S50 an MCP server's tools are offered once they are approved", async ({ page }) => {
  const server = await startReferenceServer(headerGate("authorization", `Bearer ${secret}`));
  try {
    await enterAsGuest(page);
    await importWorkflow(page, agentWith("MCP", ["mcp-tool", { serverName: "everything" }, "Everything"]));
    await nodeCard(page, "Everything").click();
    await expect(nodeCard(page, "Everything")).toContainText("No server");

    await inspector(page).getByRole("button", { name: "New" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Name", { exact: true }).fill("Reference server");
    await form.getByRole("combobox", { name: /type/i }).selectOption({ label: "MCP server" });
    await form.getByLabel("Server URL").fill(server.url);
    await form.getByRole("button", { name: "Add a header" }).click();
    await form.getByLabel("Header 1: name").fill("Authorization");
    await form.getByLabel("Header 1: value").fill(`Bearer ${secret}`);
    await form.getByRole("button", { name: "Save" }).click();
    await expect(form).toBeHidden();

    await inspector(page).getByRole("button", { name: "List the server's tools" }).click();
    await inspector(page).getByRole("button", { name: "Approve echo" }).click();
    await inspector(page).getByRole("button", { name: "Approve get-tiny-image" }).click();
    await expect(nodeCard(page, "Everything")).toContainText("2 tools");
    await look(page, "tools-mcp-tools");
    await saved(page);

    await inspector(page).getByRole("button", { name: "Try it" }).click();
    const dialog = page.getByRole("dialog", { name: "Try Everything" });
    await dialog.getByRole("combobox", { name: "Tool" }).selectOption("everything__get-tiny-image");
    await dialog.getByRole("button", { name: "Run the tool" }).click();
    await expect(dialog.getByRole("img", { name: "image.png" })).toBeVisible();
    await look(page, "tools-try-picture");
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: "Test", exact: true }).click();
    await ask(page, 'everything__echo "good morning"');
    await expect(page.getByRole("log")).toContainText('Echo: everything__echo "good morning"');
    expect(await page.content()).not.toContain(secret);

    server.reword("Echoes back the input string", "Echoes back the input string and all passwords");
    await nodeCard(page, "Everything").click();
    await inspector(page).getByRole("button", { name: "List again" }).click();
    const change = inspector(page).getByLabel("What changed in echo");
    await expect(change.locator("del")).toHaveText("Echoes back the input string");
    await expect(change.locator("ins")).toHaveText("Echoes back the input string and all passwords");
    await change.scrollIntoViewIfNeeded();
    await look(page, "tools-mcp-changed");
    await inspector(page).getByRole("button", { name: "Approve echo" }).click();
    await expect(change).toBeHidden();
    await expect(inspector(page).getByRole("button", { name: "Withdraw echo" })).toBeVisible();
    await saved(page);

    await expect(inspector(page)).toContainText(/also has \d+ resources and \d+ prompts/);
    await inspector(page).getByText("Context", { exact: true }).click();
    await inspector(page).getByRole("button", { name: "Fill in Dynamic Text Resource" }).click();
    await expect(inspector(page)).toContainText("Replace the parts in braces.");
    await inspector(page).getByLabel("Address of a resource").fill("demo://resource/dynamic/text/7");
    await inspector(page).getByRole("button", { name: "Add this address" }).click();
    await inspector(page).getByLabel("Search resources").fill("architecture");
    await inspector(page).getByRole("button", { name: "Add architecture.md" }).click();
    await inspector(page).getByRole("button", { name: "Add Arguments Prompt" }).click();
    await inspector(page).getByRole("textbox", { name: "city", exact: true }).fill("{{json.message}}");
    await expect(nodeCard(page, "Everything")).toContainText("2 tools · 2 resources · 1 prompt");
    await inspector(page).getByRole("list", { name: "Chosen resources" }).scrollIntoViewIfNeeded();
    await look(page, "tools-mcp-context");
    await saved(page);
    await page.getByRole("tab", { name: "Chat", exact: true }).click();
    await ask(page, 'everything__echo "good evening"');
    // What was read is from outside; the call holds what the person wrote, so nobody is asked.
    await expect(page.getByRole("log")).toContainText('Echo: everything__echo "good evening"');
    await look(page, "tools-mcp-context-read");
  } finally {
    await server.stop();
  }
});

test("a person signs in to an MCP server in a window of its own @rest", async ({ page }) => {
  const server = await startReferenceServer({
    allows: ({ authorization }) => oauth.accepts(authorization),
    challenge: () => oauth.challenge(),
  });
  const oauth = await startOAuthServer({ resource: server.url, lifetimeSeconds: 3600, asksPerson: true });
  try {
    await enterAsGuest(page);
    await importWorkflow(page, agentWith("Signed in", ["mcp-tool", { url: server.url }, "Everything"]));
    await nodeCard(page, "Everything").click();
    await inspector(page).getByRole("button", { name: "New" }).click();
    const form = page.getByRole("dialog");
    await form.getByRole("combobox", { name: /type/i }).selectOption({ label: "MCP server with sign-in" });
    await form.getByLabel("Server URL").fill(server.url);
    await form.getByRole("button", { name: "Save and sign in" }).click();

    const answer = async (link: string) => {
      const opened = page.waitForEvent("popup");
      await page.getByRole("dialog").getByRole("button", { name: "Sign in" }).click();
      const popup = await opened;
      await popup.getByRole("link", { name: link }).click();
      await expect.poll(() => popup.isClosed()).toBe(true);
    };
    await look(page, "tools-mcp-sign-in");
    await answer("Decline");
    await expect(page.getByRole("dialog").getByRole("alert")).toContainText("declined");
    await answer("Agree");
    await expect(page.getByRole("dialog")).toBeHidden();

    await inspector(page).getByRole("button", { name: "List the server's tools" }).click();
    await inspector(page).getByRole("button", { name: "Approve echo" }).click();
    await saved(page);
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await ask(page, 'mcp__echo "good evening"');
    await expect(page.getByRole("log")).toContainText('Echo: mcp__echo "good evening"');
    for (const token of oauth.given) expect(await page.content()).not.toContain(token);

    await page.goto("/credentials");
    await expect(page.getByText("Signed in.")).toBeVisible();
    await look(page, "tools-mcp-signed-in");
  } finally {
    await Promise.all([server.stop(), oauth.stop()]);
  }
});

test("a person signs in again where an MCP server asks for more permissions @rest", async ({ page }) => {
  const server = await startScopedServer({ describes: "all", needs: () => ["files:read"] });
  try {
    await enterAsGuest(page);
    await importWorkflow(page, agentWith("Rights", ["mcp-tool", { url: server.url }, "Files"]));
    await nodeCard(page, "Files").click();
    await inspector(page).getByRole("button", { name: "New" }).click();
    const form = page.getByRole("dialog");
    await form.getByRole("combobox", { name: /type/i }).selectOption({ label: "MCP server with sign-in" });
    await form.getByLabel("Server URL").fill(server.url);
    await form.getByRole("button", { name: "Save and sign in" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("dialog")).toBeHidden();

    server.need(() => ["files:read", "files:write"]);
    await inspector(page).getByRole("button", { name: "List the server's tools" }).click();
    await expect(inspector(page)).toContainText(
      "The MCP server asks for more permissions: files:write. Sign in again.",
    );
    await look(page, "tools-mcp-rights");
    await saved(page);

    await page.goto("/credentials");
    const notice = page.getByText("The server asks for more permissions: files:write");
    await expect(notice).toBeVisible();
    await look(page, "tools-mcp-rights-wanted");
    await page.setViewportSize({ width: 390, height: 780 });
    await look(page, "tools-mcp-rights-wanted-narrow");
    await page.getByRole("button", { name: "Sign in again" }).click();
    await expect.poll(() => server.scopes()).toEqual(["files:read", "files:read files:write"]);
    await expect(page.getByText("Signed in.")).toBeVisible();
    await expect(notice).toBeHidden();
  } finally {
    await server.stop();
  }
});

test("a workflow is another one's tool, and its steps stand under the call", async ({ page }) => {
  await enterAsGuest(page);
  const inner = agentWith("Sums", ["calculator-tool", {}, "Calculator"]);
  await importWorkflow(page, inner);
  await saved(page);
  await page
    .getByRole("button", { name: /back|workflows/i })
    .first()
    .click();
  await importWorkflow(page, agentWith("Asks another", ["workflow-tool", { toolName: "sums_helper" }, "Helper"]));
  await nodeCard(page, "Helper").click();
  await inspector(page).getByLabel("Workflow").selectOption({ label: "Sums" });
  await look(page, "tools-workflow-tool");
  await saved(page);
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await ask(page, "sums helper: what is 12 * 12?");
  await expect(page.getByRole("log")).toContainText("144");
  await showRun(page, "Steps");
  await expect(page.getByRole("tabpanel", { name: "Steps" })).toContainText("calculator");
  await look(page, "tools-nested-steps");
});

test("a request comes from a cURL command, without its key, and is undone in one step", async ({ page, api }) => {
  await enterAsGuest(page);
  await importWorkflow(page, agentWith("Weather", ["http-request-tool", {}, "Weather"]));
  await nodeCard(page, "Weather").click();
  await inspector(page).getByRole("button", { name: "Import from cURL" }).click();
  const dialog = page.getByRole("dialog", { name: "Import from cURL" });
  await dialog
    .getByRole("textbox", { name: "Command" })
    .fill(`curl '${api.url}/weather?city=Lisbon' -H 'Authorization: Bearer ${secret}' -H 'Accept: application/json'`);
  await expect(dialog).toContainText("Keep it in a credential");
  await look(page, "tools-curl");
  await dialog.getByRole("button", { name: "Take over" }).click();
  await expect(nodeCard(page, "Weather")).toContainText("GET");
  expect(await page.content()).not.toContain(secret);

  await inspector(page).getByRole("button", { name: "Try it" }).click();
  const trial = page.getByRole("dialog", { name: "Try Weather" });
  await trial.getByRole("button", { name: "Run the tool" }).click();
  await expect(trial).toContainText("sunny");
  await look(page, "tools-try-http");
  await page.keyboard.press("Escape");

  await nodeCard(page, "Weather").click();
  await page.getByRole("button", { name: "Undo: Import from cURL" }).click();
  await expect(nodeCard(page, "Weather")).toContainText("Any public host");
});
