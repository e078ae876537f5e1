import { describe, expect, it } from "vitest";
import { nodeRegistry } from "../../../nodes/index.ts";
import { askWithTools } from "../templates/ask-with-tools.ts";
import { buildWorkflow } from "../../../engine/testing/build-workflow.ts";
import { readImport } from "../import/read-import.ts";
import { fileAddress, mostTemplates, needWords, readGallery, templateFile } from "./template-file.ts";

const none = { credentials: new Set<string>(), workflows: new Set<string>(), collections: new Set<string>() };

function shared() {
  const document = {
    ...buildWorkflow({
      name: "Desk",
      nodes: {
        chat: ["chat-trigger", {}, "Chat"],
        agent: ["ai-agent", {}, "Agent"],
        model: ["openai-model", { credential: "mine" }, "Model"],
        docs: ["knowledge-base-tool", { collection: "of-mine" }, "Docs"],
        call: [
          "http-request-tool",
          { url: "https://api.example.com", headers: { Authorization: "Bearer test-key-abcdefgh" } },
          "Call",
        ],
      },
      edges: [],
    }),
    vars: { desk: "Ann, room 12", region: "north" },
  };
  const chat = document.nodes.chat;
  if (chat) document.nodes.chat = { ...chat, pin: { output: { message: "from a customer" } } };
  return document;
}

describe("sharing a workflow as a template", () => {
  const { text, needs, removed } = templateFile(shared(), {
    asked: new Set(["desk"]),
    picture: "<svg/>",
    registry: nodeRegistry,
  });

  it("S35 S69 has no credential, secret, pinned output, id of mine or value that is asked for", () => {
    for (const mine of ["mine", "test-key", "from a customer", "Ann"]) expect(text).not.toContain(mine);
    expect(removed).toEqual(["Call: headers.Authorization"]);
    expect(JSON.parse(text)).toMatchObject({
      name: "Desk",
      picture: "<svg/>",
      document: { vars: { desk: "", region: "north" }, nodes: { agent: { type: "ai-agent" } } },
    });
  });

  it("says what whoever takes it has to bring", () => {
    expect(needs).toEqual({ credentials: ["openai"], variables: ["desk"], collections: 1, workflows: 0 });
    expect(needWords(needs)).toEqual([
      "a credential (OpenAI)",
      "a value for the variable “desk”",
      "a collection of documents",
    ]);
  });

  it("S33 comes back as any workflow from outside: what reaches out waits for review", () => {
    const read = readGallery(text);
    if (!read.ok) throw new Error(read.problem);
    const found = readImport(JSON.stringify(read.templates[0]?.document), none, () => "new");
    if (!found.ok) throw new Error(found.problems.join(" "));
    expect(found.findings.document).toMatchObject({ id: "new", name: "Desk" });
    expect(found.findings.review.map(({ node }) => node.title)).toContain("Call");
    expect(found.findings.credentials.map(({ title }) => title)).toContain("Model");
  });
});

describe("reading a list of templates", () => {
  const entry = { name: "A", document: askWithTools("a") };

  it("takes what it can read, and says how much it left out", () => {
    const odd = [
      { name: "" },
      { name: "No document" },
      3,
      null,
      { ...entry, name: "B\u202e\nx", needs: "much", description: 7 },
    ];
    const read = readGallery(JSON.stringify({ templates: [entry, ...odd] }));
    expect(read).toMatchObject({ ok: true, left: 4, templates: [{ name: "A" }, { name: "B x", description: "" }] });
    const many = readGallery(
      JSON.stringify({ templates: Array.from({ length: mostTemplates + 5 }, () => ({ name: "A", file: "a.json" })) }),
    );
    expect(many).toMatchObject({ ok: true, left: 5 });
  });

  it.each([
    ["<html>", "not return JSON"],
    ["{}", 'no "templates"'],
    ['{"templates": []}', "no readable template"],
    ['{"templates": {"__proto__": 1}}', "__proto__"],
  ])("refuses %s in words", (text, words) => {
    const read = readGallery(text);
    expect(read.ok ? "" : read.problem).toContain(words);
  });

  it("follows files beside the list alone", () => {
    const index = "https://templates.example.com/list/index.json";
    expect(fileAddress(index, "desk.json")).toBe("https://templates.example.com/list/desk.json");
    for (const file of [
      "https://other.example.com/a.json",
      "//other.example.com/a.json",
      "javascript:1",
      "http://templates.example.com/a.json",
    ])
      expect(fileAddress(index, file)).toBeUndefined();
  });
});
