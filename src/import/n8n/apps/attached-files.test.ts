import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../engine/json.ts";
import { loadOnce } from "../../../engine/load-once.ts";
import { loadQuickJs } from "../../../host/sandbox/load-quickjs.ts";
import { runCode } from "../../../host/sandbox/run-code.ts";
import { nodeRegistry } from "../../../nodes/index.ts";
import { nodeRuns } from "../../testing/sent-with-file.ts";

const openSandbox = loadOnce(() => loadQuickJs(128 * 1024 * 1024));

const { readWithFile, sentWithFile } = nodeRuns({
  registry: nodeRegistry,
  runCode: async (request) => (await runCode(await openSandbox(), request)).result,
});

/** “bytes” in base64. */
const content = "Ynl0ZXM=";

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

const attachments = (...rows: JsonObject[]) => ({ attachmentsUi: { attachmentsBinary: rows } });

describe("a mail with files that an imported n8n node sends", () => {
  it("goes to Gmail as one message with its parts", async () => {
    const { requests, textOf } = await sentWithFile("gmail", 2.1, {
      sendTo: "ada@example.com",
      subject: "={{ $json.name }} – Zoë’s cat",
      message: "<p>Look: {{ zoë }}</p>",
      options: { ...attachments({}), ccList: "bob@example.com" },
    });
    expect(requests).toMatchObject([
      {
        line: "POST https://gmail.googleapis.com/upload/gmail/v1/users/me/messages/send",
        query: { uploadType: "media" },
        headers: { "Content-Type": "message/rfc822" },
        isSigned: true,
      },
    ]);
    expect(textOf(requests[0]?.file).split("\r\n")).toEqual([
      "To: ada@example.com",
      "Cc: bob@example.com",
      `Subject: =?UTF-8?B?${base64("cat.png – ")}?=`,
      ` =?UTF-8?B?${base64("Zoë’s cat")}?=`,
      "MIME-Version: 1.0",
      'Content-Type: multipart/mixed; boundary="switchyard_part"',
      "",
      "--switchyard_part",
      "Content-Type: text/html; charset=UTF-8",
      "Content-Transfer-Encoding: base64",
      "",
      base64("<p>Look: {{ zoë }}</p>"),
      "--switchyard_part",
      "Content-Type: image/png",
      "Content-Transfer-Encoding: base64",
      'Content-Disposition: attachment; filename="cat.png"',
      "",
      content,
      "--switchyard_part--",
      "",
    ]);
  });

  it("answers in the thread at Gmail, with the thread beside the message", async () => {
    const headers = [
      { name: "From", value: "Ada <ada@example.com>" },
      { name: "Subject", value: "Cats" },
      { name: "Message-ID", value: "<1@example.com>" },
    ];
    const { requests, textOf } = await sentWithFile(
      "gmail",
      2.1,
      {
        operation: "reply",
        messageId: "m1",
        emailType: "text",
        message: "={{ $json.size }} bytes",
        options: attachments({ property: "data" }),
      },
      [{ threadId: "t1", payload: { headers } }],
    );
    expect(requests[1]).toMatchObject({
      line: "POST https://gmail.googleapis.com/upload/gmail/v1/users/me/messages/send",
      query: { uploadType: "multipart" },
      headers: { "Content-Type": "multipart/related; boundary=switchyard_mail" },
    });
    const sent = textOf(requests[1]?.file);
    expect(sent).toMatch(
      /^--switchyard_mail\r\nContent-Type: application\/json; charset=UTF-8\r\n\r\n\{"threadId":"t1"\}\r\n--switchyard_mail\r\nContent-Type: message\/rfc822\r\n\r\nTo: Ada <ada@example.com>\r\n/,
    );
    expect(sent).toContain(`\r\nSubject: Re: Cats\r\n`);
    expect(sent).toContain(`\r\n\r\n${base64("5 bytes")}\r\n`);
    expect(sent).toMatch(new RegExp(`\r\n\r\n${content}\r\n--switchyard_part--\r\n\r\n--switchyard_mail--\r\n$`));
  });

  it("becomes a draft at Gmail", async () => {
    const options = attachments({ property: "data" });
    const { requests, textOf } = await sentWithFile("gmail", 2, {
      resource: "draft",
      subject: "A",
      message: "B",
      options,
    });
    expect(requests[0]?.line).toBe("POST https://gmail.googleapis.com/upload/gmail/v1/users/me/drafts");
    expect(textOf(requests[0]?.file)).toContain(content);
  });

  it.each<[string, string, number, JsonObject, JsonObject]>([
    [
      "Microsoft",
      "microsoftOutlook",
      2,
      {
        subject: "={{ $json.name }}",
        bodyContent: "Look",
        toRecipients: "ada@example.com",
        additionalFields: { attachments: { attachments: [{ binaryPropertyName: "data" }] } },
      },
      {
        message: {
          subject: "cat.png",
          body: { contentType: "Text", content: "Look" },
          toRecipients: [{ emailAddress: { address: "ada@example.com" } }],
          attachments: [
            {
              "@odata.type": "#microsoft.graph.fileAttachment",
              name: "cat.png",
              contentType: "image/png",
              contentBytes: content,
            },
          ],
        },
      },
    ],
    [
      "a mail service, for SMTP",
      "emailSend",
      2.1,
      {
        fromEmail: "a@example.com",
        toEmail: "b@example.com",
        subject: "={{ $json.name }}",
        emailFormat: "text",
        text: "Look",
        options: { attachments: "data,other" },
      },
      {
        from: "a@example.com",
        to: "b@example.com",
        subject: "cat.png",
        text: "Look",
        attachments: [{ filename: "cat.png", content }],
      },
    ],
    [
      "SendGrid",
      "sendGrid",
      1,
      {
        resource: "mail",
        fromEmail: "a@example.com",
        toEmail: "b@example.com",
        subject: "A",
        contentValue: "Look",
        additionalFields: { attachments: "={{ $json.property }}" },
      },
      {
        personalizations: [{ to: [{ email: "b@example.com" }], subject: "A" }],
        from: { email: "a@example.com" },
        content: [{ type: "text/plain", value: "Look" }],
        attachments: [{ filename: "cat.png", type: "image/png", content }],
      },
    ],
  ])("goes to %s in JSON", async (_, type, version, parameters, body) => {
    const { requests } = await sentWithFile(type, version, parameters);
    expect(requests).toMatchObject([{ body }]);
  });

  it("is nothing without its answer’s drafts at Microsoft: a placeholder says why", () => {
    const made = readWithFile("microsoftOutlook", 2, {
      operation: "reply",
      messageId: "1",
      message: "Look",
      additionalFields: { attachments: { attachments: [{ binaryPropertyName: "data" }] } },
    }).node("It");
    expect(made?.type).toBe("placeholder");
    expect(made?.config["instead"]).toContain("attachments");
  });
});

describe("a file that takes several requests", () => {
  const address = { ok: true, upload_url: "https://files.slack.test/1", file_id: "F1" };

  it("goes to Slack: an address, the bytes without the token, and the message", async () => {
    const options = { channelId: "C1", initialComment: "={{ $json.name }}", threadTs: "1.2" };
    const { requests } = await sentWithFile("slack", 2.3, { resource: "file", options }, [address, null, { ok: true }]);
    expect(requests).toMatchObject([
      {
        line: "GET https://slack.com/api/files.getUploadURLExternal",
        query: { filename: "cat.png", length: "5" },
        isSigned: true,
      },
      { line: "POST https://files.slack.test/1", file: "file", isSigned: false },
      {
        line: "POST https://slack.com/api/files.completeUploadExternal",
        body: {
          files: [{ id: "F1", title: "cat.png" }],
          channel_id: "C1",
          initial_comment: "cat.png",
          thread_ts: "1.2",
        },
      },
    ]);
  });

  it("goes to Slack as a text of an old version’s node, in several channels", async () => {
    const { requests, textOf } = await sentWithFile(
      "slack",
      2,
      {
        resource: "file",
        fileContent: "={{ $json.size }} bytes",
        options: { channelIds: ["C1", "C2"], fileName: "size.txt", title: "Size" },
      },
      [address, null, { ok: true }],
    );
    expect(requests).toMatchObject([
      { query: { filename: "size.txt", length: "7" } },
      { line: "POST https://files.slack.test/1" },
      { body: { files: [{ id: "F1", title: "Size" }], channels: "C1,C2" } },
    ]);
    expect(textOf(requests[1]?.file)).toBe("5 bytes");
  });

  it("goes to LinkedIn as the picture of a post", async () => {
    const { requests } = await sentWithFile(
      "linkedIn",
      1,
      {
        person: "abc",
        text: "={{ $json.name }} (new)",
        shareMediaCategory: "IMAGE",
        additionalFields: { title: "Cat" },
      },
      [{ value: { uploadUrl: "https://up.linkedin.test/1", image: "urn:li:image:1" } }],
    );
    expect(requests).toMatchObject([
      {
        line: "POST https://api.linkedin.com/rest/images",
        query: { action: "initializeUpload" },
        body: { initializeUploadRequest: { owner: "urn:li:person:abc" } },
      },
      { line: "PUT https://up.linkedin.test/1", file: "file" },
      {
        line: "POST https://api.linkedin.com/rest/posts",
        body: {
          author: "urn:li:person:abc",
          commentary: String.raw`cat.png \(new\)`,
          content: { media: { id: "urn:li:image:1", title: "Cat" } },
        },
      },
    ]);
  });

  it("goes to WhatsApp: the upload, and the message with its number", async () => {
    const parameters = {
      operation: "send",
      phoneNumberId: "5",
      recipientPhoneNumber: "+43 1 2",
      messageType: "image",
      mediaPath: "useMedian8n",
      additionalFields: { mediaCaption: "={{ $json.name }}" },
    };
    const { requests } = await sentWithFile("whatsApp", 1, parameters, [{ id: "M1" }]);
    expect(requests).toMatchObject([
      {
        line: expect.stringMatching(/\/5\/media$/),
        parts: [
          { name: "messaging_product", value: "whatsapp" },
          { name: "file", file: "file" },
        ],
      },
      {
        line: expect.stringMatching(/\/5\/messages$/),
        body: { type: "image", image: { id: "M1", caption: "cat.png" } },
      },
    ]);
  });

  it("replaces the content of a file at Google Drive", async () => {
    const parameters = {
      operation: "update",
      fileId: { __rl: true, mode: "id", value: "file1234567" },
      changeFileContent: true,
      newUpdatedFileName: "={{ $json.name }}",
    };
    const { requests } = await sentWithFile("googleDrive", 3, parameters);
    expect(requests).toMatchObject([
      {
        line: "PATCH https://www.googleapis.com/upload/drive/v3/files/file1234567",
        query: { uploadType: "media" },
        file: "file",
      },
      { line: "PATCH https://www.googleapis.com/drive/v3/files/file1234567", body: { name: "cat.png" } },
    ]);
  });

  it("comes from Telegram: its path, and then the file", async () => {
    const found: Json = { ok: true, result: { file_id: "f", file_path: "photos/file_1.jpg" } };
    const { requests, output } = await sentWithFile("telegram", 1.2, { resource: "file", fileId: "f" }, [
      found,
      { a: 1 },
    ]);
    expect(requests.map(({ line }) => line)).toEqual([
      "GET https://api.telegram.org/bot{token}/getFile",
      "GET https://api.telegram.org/file/bot{token}/photos/file_1.jpg",
    ]);
    expect(output).toEqual({ result: { file_id: "f", file_path: "photos/file_1.jpg" }, file: { a: 1 } });
  });

  it("takes one request where only Telegram’s path is wanted", () => {
    const { node } = readWithFile("telegram", 1.2, { resource: "file", fileId: "f", download: false });
    expect(node("It")).toMatchObject({ type: "http-request" });
  });
});
