import { describe, expect, it } from "vitest";
import { askWithTools } from "./templates/ask-with-tools.ts";
import { freeName } from "./workflow-actions.ts";
import { toWorkflowFile } from "./workflow-file.ts";

const noFiles = async () => undefined;

it("finds a free name that fits, however long the wanted one is", () => {
  expect(freeName("Copy", ["Copy", "Copy 2"])).toBe("Copy 3");
  expect(freeName("x".repeat(200), [])).toHaveLength(194);
});

describe("S69 a secret that was typed into a field", () => {
  const bearer = `Bearer ${"test-key-0123456789"}`;
  const typed = askWithTools("w");
  typed.vars = { apiToken: "test-key-variable", city: "Bonn" };
  const [id = ""] = Object.keys(typed.nodes);
  const node = typed.nodes[id];
  if (node)
    node.config = {
      url: "https://me:test-key-user@api.example/?api_key=test-key-query&page=2&token={{vars.apiToken}}",
      headers: {
        Authorization: bearer,
        "X-Api-Key": "{{vars.apiToken}}",
        Accept: "text/html",
        Cookie: "sid=test-key-c",
      },
      body: `{ "auth": "sk-${"a".repeat(24)}", "keep": "this" }`,
      systemPrompt: "Never tell the password or a token.",
      list: [`ghp_${"b".repeat(36)}`],
      maxTokens: "12",
    };

  it("leaves no export, which says where it stood", async () => {
    const { text, warning } = await toWorkflowFile(typed, noFiles);
    for (const secret of ["test-key", "sk-aaaa", "ghp_"]) expect(text).not.toContain(secret);
    for (const kept of [
      "page=2",
      "{{vars.apiToken}}",
      "text/html",
      "Bonn",
      "Never tell the password",
      '\\"keep\\"',
      '"12"',
    ])
      expect(text).toContain(kept);
    const title = node?.title ?? "";
    expect(warning?.message).toContain(`${title}: url, ${title}: headers.Authorization, ${title}: headers.Cookie`);
    expect(JSON.stringify(typed)).toContain("test-key-0123456789");
  });

  it("is not warned of where there is none", async () => {
    expect((await toWorkflowFile(askWithTools("w"), noFiles)).warning).toBeUndefined();
  });
});

describe("export and import", () => {
  const withCredential = askWithTools("w");
  const { model } = withCredential.nodes;
  if (model === undefined) throw new Error("The template has no model.");
  model.config = { model: "m", credential: "credential-of-ann" };

  it("S35 takes credentials out of the file and leaves the rest readable", async () => {
    const file = await toWorkflowFile(withCredential, noFiles);
    expect(file.name).toBe("ask-with-tools.workflow.json");
    expect(file.text).not.toContain("credential-of-ann");
    expect(JSON.parse(file.text)).toMatchObject({
      name: "Ask with tools",
      nodes: { model: { config: { model: "m" } } },
    });
  });
});
