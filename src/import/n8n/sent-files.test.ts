import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../engine/json.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { n8nNode as node, nodeRuns, to } from "../testing/sent-with-file.ts";
import { readImported } from "../testing/read-imported.ts";

const { readWithFile: read, sentWithFile } = nodeRuns({ registry: nodeRegistry });
const sent = async (...given: Parameters<typeof sentWithFile>) => (await sentWithFile(...given)).requests;

const filePart = (name: string, more: JsonObject = {}) => ({ parameterType: "formBinaryData", name, ...more });

describe("a file that an imported n8n node sends", () => {
  it.each<[string, number, JsonObject, object]>([
    [
      "httpRequest",
      4.2,
      {
        method: "POST",
        url: "https://b.test",
        sendBody: true,
        contentType: "multipart-form-data",
        bodyParameters: {
          parameters: [{ name: "title", value: "A cat" }, filePart("photo", { inputDataFieldName: "data" })],
        },
      },
      {
        line: "POST https://b.test",
        parts: [
          { name: "title", value: "A cat" },
          { name: "photo", file: "file" },
        ],
      },
    ],
    [
      "httpRequest",
      4.2,
      { method: "PUT", url: "https://b.test", sendBody: true, contentType: "binaryData", inputDataFieldName: "data" },
      { line: "PUT https://b.test", file: "file" },
    ],
    [
      "httpRequest",
      1,
      {
        requestMethod: "POST",
        url: "https://b.test",
        jsonParameters: true,
        sendBinaryData: true,
        options: { bodyContentType: "raw" },
      },
      { line: "POST https://b.test", file: "file" },
    ],
    [
      "httpRequest",
      2,
      {
        requestMethod: "POST",
        url: "https://b.test",
        sendBinaryData: true,
        binaryPropertyName: "photo:data",
        bodyParametersUi: { parameter: [{ name: "title", value: "A cat" }] },
        options: { bodyContentType: "multipart-form-data" },
      },
      {
        line: "POST https://b.test",
        parts: [
          { name: "title", value: "A cat" },
          { name: "photo", file: "file" },
        ],
      },
    ],
    [
      "telegram",
      1.2,
      { operation: "sendDocument", chatId: "7", binaryData: true, additionalFields: { caption: "A cat" } },
      {
        line: "POST https://api.telegram.org/bot{token}/sendDocument",
        parts: [
          { name: "chat_id", value: "7" },
          { name: "document", file: "file" },
          { name: "caption", value: "A cat" },
        ],
      },
    ],
    [
      "discord",
      2,
      {
        resource: "message",
        operation: "send",
        channelId: "9",
        content: "A cat",
        files: { values: [{ inputFieldName: "data" }] },
      },
      {
        line: "POST https://discord.com/api/v10/channels/9/messages",
        parts: [
          { name: "payload_json", value: '{"content":"A cat"}' },
          { name: "files[0]", file: "file" },
        ],
      },
    ],
    [
      "jira",
      1,
      { resource: "issueAttachment", operation: "add", issueKey: "A-1" },
      { line: expect.stringMatching(/^POST .*\/issue\/A-1\/attachments$/), parts: [{ name: "file", file: "file" }] },
    ],
    [
      "whatsApp",
      1,
      { resource: "media", operation: "mediaUpload", phoneNumberId: "5" },
      {
        line: expect.stringMatching(/^POST .*\/5\/media$/),
        parts: [
          { name: "messaging_product", value: "whatsapp" },
          { name: "file", file: "file" },
        ],
      },
    ],
    [
      "openAi",
      1.8,
      { resource: "audio", operation: "translate" },
      {
        line: "POST https://api.openai.com/v1/audio/translations",
        parts: [
          { name: "model", value: "whisper-1" },
          { name: "file", file: "file" },
        ],
      },
    ],
    [
      "microsoftOneDrive",
      1,
      { resource: "file", operation: "upload", parentId: "4", fileName: "a.png", binaryData: true },
      { line: expect.stringMatching(/^PUT .*\/items\/4:\/a\.png:\/content$/), file: "file" },
    ],
  ])("%s, version %d: %j", async (type, version, parameters, expected) => {
    expect(await sent(type, version, parameters)).toMatchObject([expected]);
  });

  it("goes to Google Drive in two requests: its bytes, and then its name and folder", async () => {
    const parameters = {
      name: "={{ $json.size }} bytes",
      folderId: { __rl: true, mode: "id", value: "folder123456" },
      options: {},
    };
    expect(await sent("googleDrive", 3, parameters, [{ id: "new-id" }])).toMatchObject([
      {
        line: "POST https://www.googleapis.com/upload/drive/v3/files",
        query: { uploadType: "media" },
        file: "file",
      },
      {
        line: "PATCH https://www.googleapis.com/drive/v3/files/new-id",
        query: { addParents: "folder123456", removeParents: "root" },
        body: { name: "5 bytes" },
      },
    ]);
  });

  it("keeps its own name where none is said", async () => {
    const [, named] = await sent("googleDrive", 3, { options: {} }, [{ id: "new-id" }]);
    expect(named).toMatchObject({ body: { name: "cat.png" } });
  });

  it.each<[string, string, number, JsonObject, string]>([
    [
      "several files in one form",
      "httpRequest",
      4.2,
      {
        method: "POST",
        url: "https://b.test",
        sendBody: true,
        contentType: "multipart-form-data",
        bodyParameters: { parameters: [filePart("a"), filePart("b")] },
      },
      "several files",
    ],
    [
      "a field that stands twice",
      "httpRequest",
      4.2,
      {
        method: "POST",
        url: "https://b.test",
        sendBody: true,
        contentType: "form-urlencoded",
        bodyParameters: {
          parameters: [
            { name: "to", value: "a" },
            { name: "to", value: "b" },
          ],
        },
      },
      "a field several times",
    ],
    [
      "a method that is worked out",
      "httpRequest",
      4.2,
      { method: "={{ $json.method }}", url: "https://b.test" },
      "An expression says its method",
    ],
    [
      "an operation that is worked out",
      "slack",
      2.2,
      { resource: "message", operation: "={{ $json.what }}" },
      "An expression says its operation",
    ],
    ["a method that is not known", "httpRequest", 4.2, { method: "PURGE", url: "https://b.test" }, "PURGE"],
  ])("is nothing with %s: a placeholder says why", (_, type, version, parameters, why) => {
    const made = read(type, version, parameters).node("It");
    expect(made?.type).toBe("placeholder");
    expect(made?.config["instead"]).toContain(why);
  });

  it("is nothing in a tool of an agent, which gets no file", () => {
    const { node: made } = readImported(
      {
        nodes: [
          { ...node("Agent", "agent", 1.7, {}), type: "@n8n/n8n-nodes-langchain.agent" },
          node("It", "telegramTool", 1.2, { operation: "sendDocument", chatId: "7", binaryData: true }),
        ],
        connections: { It: to("Agent", "ai_tool") },
      },
      nodeRegistry,
    );
    expect(made("It")?.type).toBe("placeholder-tool");
  });
});
