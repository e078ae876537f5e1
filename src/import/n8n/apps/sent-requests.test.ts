import { describe, expect, it } from "vitest";
import { connectors } from "../../../nodes/connectors/index.ts";
import { loadQuickJs } from "../../../host/sandbox/load-quickjs.ts";
import { runCode } from "../../../host/sandbox/run-code.ts";
import { nodeRegistry } from "../../../nodes/index.ts";
import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import type { Json, JsonObject } from "../../../engine/json.ts";
import { loadOnce } from "../../../engine/load-once.ts";
import { realSleep } from "../../../engine/testing/real-sleep.ts";
import { runToEnd } from "../../../engine/testing/run-to-end.ts";
import { testHost } from "../../../engine/testing/test-host.ts";
import { readImported } from "../../testing/read-imported.ts";
import { services } from "../service-list.ts";

const openSandbox = loadOnce(() => loadQuickJs(32 * 1024 * 1024));

const flowOf = (type: string, typeVersion: number, parameters: JsonObject) => ({
  nodes: [
    { name: "Start", type: "n8n-nodes-base.manualTrigger", typeVersion: 1, position: [0, 0], parameters: {} },
    { name: "It", type: `n8n-nodes-base.${type}`, typeVersion, position: [200, 0], parameters },
  ],
  connections: { Start: { main: [[{ node: "It", type: "main", index: 0 }]] } },
});

const read = (type: string, version: number, parameters: JsonObject) =>
  readImported(flowOf(type, version, parameters), nodeRegistry);

/** As a person who has reviewed it, chosen credentials and written what stands in angle brackets. */
function ready(document: WorkflowDocument): WorkflowDocument {
  const nodes = Object.entries(document.nodes).map(([id, { unreviewed: _reviewed, ...node }]) => {
    const config = { ...node.config };
    if (config["needsCredential"] === true) config["credential"] = "11111111-1111-4111-8111-111111111111";
    if (typeof config["url"] === "string") config["url"] = config["url"].replace(/<[\w -]+>/g, "demo");
    return [id, { ...node, config }];
  });
  return { ...document, nodes: Object.fromEntries(nodes) as WorkflowDocument["nodes"] };
}

/** What is sent when the imported node runs with an input, and what it gives. */
async function sent(type: string, version: number, parameters: JsonObject, input: JsonObject, answers: Json[] = []) {
  const { document } = read(type, version, parameters);
  const requests: { line: string; query?: Json; body?: Json }[] = [];
  const host = {
    ...testHost({
      runCode: async (request) => (await runCode(await openSandbox(), request)).result,
      functions: {
        "execute-http": ({ method, url, query, body }) => {
          const hasQuery = query !== undefined && JSON.stringify(query) !== "{}";
          requests.push({
            line: `${String(method)} ${String(url)}`,
            ...(hasQuery ? { query } : {}),
            ...(body === undefined ? {} : { body }),
          });
          const answer = JSON.stringify(answers[requests.length - 1] ?? {});
          return { ok: true, body: { statusCode: 200, headers: { "content-type": "application/json" }, body: answer } };
        },
      },
    }),
    sleep: realSleep,
  };
  const { end } = await runToEnd(ready(document), { registry: nodeRegistry, host, input });
  if (end.outcome !== "completed") throw new Error(JSON.stringify(end));
  return { requests, output: end.output };
}

const locator = (value: Json, cachedResultName?: string): JsonObject => ({
  __rl: true,
  mode: "list",
  value,
  ...(cachedResultName === undefined ? {} : { cachedResultName }),
});

const ada = { name: "Ada", mail: "ada@example.com", id: 7, note: 'a "b", c' };

describe("what an imported node of a service sends", () => {
  it.each<[string, number, JsonObject, object]>([
    [
      "supabase",
      1,
      {
        operation: "delete",
        tableId: "documents",
        filterType: "string",
        filterString: "=metadata->>id=like.*{{ $json.id }}*",
      },
      { line: "DELETE https://demo.supabase.co/rest/v1/documents", query: { "metadata->>id": "like.*7*" } },
    ],
    [
      "supabase",
      1,
      {
        operation: "update",
        tableId: "people",
        filters: {
          conditions: [
            { keyName: "name", condition: "eq", keyValue: "={{ $json.note }}" },
            { keyName: "age", condition: "gt", keyValue: "5" },
          ],
        },
        fieldsUi: { fieldValues: [{ fieldId: "mail", fieldValue: "={{ $json.mail }}" }] },
      },
      {
        line: "PATCH https://demo.supabase.co/rest/v1/people",
        query: { or: '(name.eq."a \\"b\\", c",age.gt.5)' },
        body: { mail: "ada@example.com" },
      },
    ],
    [
      "supabase",
      1,
      {
        operation: "getAll",
        tableId: "people",
        limit: 3,
        matchType: "allFilters",
        filterType: "manual",
        filters: {
          conditions: [
            { keyName: "age", condition: "gte", keyValue: "5" },
            { keyName: "age", condition: "lt", keyValue: "9" },
            { keyName: "text", condition: "fullText", searchFunction: "wfts", keyValue: "cats" },
          ],
        },
      },
      {
        line: "GET https://demo.supabase.co/rest/v1/people",
        query: { age: ["gte.5", "lt.9"], text: "wfts.cats", limit: "3" },
      },
    ],
    [
      "notion",
      2.2,
      {
        resource: "databasePage",
        databaseId: locator("11111111222233334444555555555555"),
        title: "={{ $json.name }}",
        propertiesUi: {
          propertyValues: [
            { key: "Status|status", statusValue: "Done" },
            { key: "Tags|multi_select", multiSelectValue: ["a", "={{ $json.id }}"] },
            { key: "Count|number", numberValue: "={{ $json.id }}" },
            { key: "Mail|email", emailValue: "={{ $json.mail }}" },
            { key: "Day|date", date: "2026-03-01T10:00:00", includeTime: false },
            { key: "Ok|checkbox", checkboxValue: true },
            { key: "Text|rich_text", textContent: "Hi {{ not one }}" },
          ],
        },
        blockUi: { blockValues: [{ type: "to_do", textContent: "={{ $json.name }}", checked: true }] },
      },
      {
        line: "POST https://api.notion.com/v1/pages",
        body: {
          parent: { database_id: "11111111222233334444555555555555" },
          properties: {
            title: { title: [{ text: { content: "Ada" } }] },
            Status: { status: { name: "Done" } },
            Tags: { multi_select: [{ name: "a" }, { name: 7 }] },
            Count: { number: 7 },
            Mail: { email: "ada@example.com" },
            Day: { date: { start: "2026-03-01" } },
            Ok: { checkbox: true },
            Text: { rich_text: [{ text: { content: "Hi {{ not one }}" } }] },
          },
          children: [
            {
              object: "block",
              type: "to_do",
              to_do: { rich_text: [{ text: { content: "Ada" } }], checked: true },
            },
          ],
        },
      },
    ],
    [
      "airtable",
      2.1,
      {
        operation: "upsert",
        base: locator("appAAAAAAAAAAAAAA"),
        table: { __rl: true, mode: "url", value: "https://airtable.com/appAAAAAAAAAAAAAA/tblBBBBBBBBBBBBBB/viwCC" },
        columns: {
          mappingMode: "defineBelow",
          value: { Name: "={{ $json.name }}", Age: 7 },
          matchingColumns: ["Name"],
          schema: [],
        },
        options: { typecast: true },
      },
      {
        line: "PATCH https://api.airtable.com/v0/appAAAAAAAAAAAAAA/tblBBBBBBBBBBBBBB",
        body: {
          performUpsert: { fieldsToMergeOn: ["Name"] },
          records: [{ fields: { Name: "Ada", Age: 7 } }],
          typecast: true,
        },
      },
    ],
    [
      "telegram",
      1.2,
      {
        chatId: "={{ $json.id }}",
        text: "=Hello {{ $json.name }}",
        replyMarkup: "inlineKeyboard",
        inlineKeyboard: {
          rows: [{ row: { buttons: [{ text: "Yes", additionalFields: { callback_data: "={{ $json.id }}" } }] } }],
        },
        additionalFields: { parse_mode: "HTML", disable_notification: true },
      },
      {
        line: "POST https://api.telegram.org/bot{token}/sendMessage",
        body: {
          chat_id: 7,
          text: "Hello Ada",
          parse_mode: "HTML",
          disable_notification: true,
          reply_markup: { inline_keyboard: [[{ text: "Yes", callback_data: 7 }]] },
        },
      },
    ],
    [
      "slack",
      2.2,
      {
        select: "channel",
        channelId: locator("C1"),
        messageType: "block",
        text: "Hi",
        blocksUi: '={ "blocks": [{ "type": "section", "text": { "type": "mrkdwn", "text": "*{{ $json.name }}*" } }] }',
        otherOptions: { includeLinkToWorkflow: false, thread_ts: { replyValues: { thread_ts: "1.5" } } },
      },
      {
        line: "POST https://slack.com/api/chat.postMessage",
        body: {
          channel: "C1",
          text: "Hi",
          blocks: [{ type: "section", text: { type: "mrkdwn", text: "*Ada*" } }],
          thread_ts: "1.5",
        },
      },
    ],
    [
      "whatsApp",
      1,
      { operation: "send", phoneNumberId: "12", recipientPhoneNumber: "+49 (30) 1-2", textBody: "={{ $json.name }}" },
      {
        line: "POST https://graph.facebook.com/v23.0/12/messages",
        body: {
          messaging_product: "whatsapp",
          recipient_type: "individual",
          to: "493012",
          type: "text",
          text: { body: "Ada" },
        },
      },
    ],
    [
      "googleCalendar",
      1.3,
      {
        calendar: locator("me@example.com"),
        start: "2026-03-01T10:00:00Z",
        end: "={{ '2026-03-01T11:00:00Z' }}",
        additionalFields: {
          summary: "={{ $json.name }}",
          attendees: ["={{ $json.mail }}", "b@example.com"],
          allday: "no",
        },
      },
      {
        line: "POST https://www.googleapis.com/calendar/v3/calendars/me%40example.com/events",
        body: {
          summary: "Ada",
          start: { dateTime: "2026-03-01T10:00:00Z" },
          end: { dateTime: "2026-03-01T11:00:00.000Z" },
          attendees: [{ email: "ada@example.com" }, { email: "b@example.com" }],
        },
      },
    ],
    [
      "googleDrive",
      3,
      {
        resource: "fileFolder",
        queryString: "={{ $json.name }}'s",
        limit: 5,
        filter: {
          folderId: { __rl: true, mode: "url", value: "https://drive.google.com/drive/folders/1234567890abc" },
          whatToSearch: "files",
        },
      },
      {
        line: "GET https://www.googleapis.com/drive/v3/files",
        query: {
          q: "name contains 'Ada\\'s' and '1234567890abc' in parents and mimeType != 'application/vnd.google-apps.folder' and trashed = false",
          pageSize: "5",
          fields: "nextPageToken, files(id, name)",
          includeItemsFromAllDrives: "true",
          supportsAllDrives: "true",
        },
      },
    ],
    [
      "hubspot",
      2.1,
      { email: "={{ $json.mail }}", additionalFields: { firstName: "={{ $json.name }}", companyName: "Engines" } },
      {
        line: "POST https://api.hubapi.com/crm/v3/objects/contacts/batch/upsert",
        body: {
          inputs: [
            {
              idProperty: "email",
              id: "ada@example.com",
              properties: { email: "ada@example.com", firstname: "Ada", company: "Engines" },
            },
          ],
        },
      },
    ],
    [
      "linkedIn",
      1,
      { person: "p1", text: "={{ $json.name }} (new)" },
      {
        line: "POST https://api.linkedin.com/rest/posts",
        body: {
          author: "urn:li:person:p1",
          commentary: "Ada \\(new\\)",
          visibility: "PUBLIC",
          distribution: { feedDistribution: "MAIN_FEED", targetEntities: [], thirdPartyDistributionChannels: [] },
          lifecycleState: "PUBLISHED",
          isReshareDisabledByAuthor: false,
        },
      },
    ],
    [
      "jira",
      1,
      {
        project: locator("10001"),
        issueType: locator("10011"),
        summary: "={{ $json.name }}",
        additionalFields: { labels: ["a", "b"], priority: locator("3"), description: "Text" },
      },
      {
        line: "POST https://demo.atlassian.net/rest/api/2/issue",
        body: {
          fields: {
            summary: "Ada",
            project: { id: "10001" },
            issuetype: { id: "10011" },
            description: "Text",
            priority: { id: "3" },
            labels: ["a", "b"],
          },
        },
      },
    ],
    [
      "microsoftOutlook",
      2,
      {
        subject: "={{ $json.name }}",
        bodyContent: "<p>Hi</p>",
        toRecipients: "a@example.com, b@example.com",
        additionalFields: { bodyContentType: "html", ccRecipients: "={{ $json.mail }}" },
      },
      {
        line: "POST https://graph.microsoft.com/v1.0/me/sendMail",
        body: {
          message: {
            subject: "Ada",
            body: { contentType: "html", content: "<p>Hi</p>" },
            toRecipients: [
              { emailAddress: { address: "a@example.com" } },
              { emailAddress: { address: "b@example.com" } },
            ],
            ccRecipients: [{ emailAddress: { address: "ada@example.com" } }],
          },
        },
      },
    ],
    [
      "googleDocs",
      2,
      {
        operation: "update",
        documentURL: "={{ 'https://docs.google.com/document/d/doc-1/edit?' + $json.name }}",
        actionsUi: { actionFields: [{ action: "insert", text: "={{ $json.name }}" }] },
      },
      {
        line: "POST https://docs.googleapis.com/v1/documents/doc-1:batchUpdate",
        body: { requests: [{ insertText: { text: "Ada", endOfSegmentLocation: {} } }] },
      },
    ],
    [
      "sendGrid",
      1,
      {
        resource: "mail",
        fromEmail: "me@example.com",
        fromName: "Me",
        toEmail: "={{ $json.mail }}",
        subject: "Hi",
        contentType: "text/html",
        contentValue: "=<b>{{ $json.name }}</b>",
      },
      {
        line: "POST https://api.sendgrid.com/v3/mail/send",
        body: {
          personalizations: [{ to: [{ email: "ada@example.com" }], subject: "Hi" }],
          from: { email: "me@example.com", name: "Me" },
          content: [{ type: "text/html", value: "<b>Ada</b>" }],
        },
      },
    ],
    [
      "whatsApp",
      1,
      {
        template: "hello|de",
        phoneNumberId: "12",
        recipientPhoneNumber: "4930",
        components: { component: [{ type: "body", bodyParameters: { parameter: [{ text: "={{ $json.name }}" }] } }] },
      },
      {
        line: "POST https://graph.facebook.com/v23.0/12/messages",
        body: {
          messaging_product: "whatsapp",
          recipient_type: "individual",
          to: "4930",
          type: "template",
          template: {
            name: "hello",
            language: { code: "de" },
            components: [{ type: "body", parameters: [{ type: "text", text: "Ada" }] }],
          },
        },
      },
    ],
    [
      "facebookGraphApi",
      1,
      {
        httpRequestMethod: "POST",
        graphApiVersion: "v22.0",
        node: "={{ $json.id }}",
        edge: "media",
        options: { queryParameters: { parameter: [{ name: "caption", value: "={{ $json.name }}" }] } },
      },
      { line: "POST https://graph.facebook.com/v22.0/7/media", query: { caption: "Ada" } },
    ],
    [
      "stripe",
      1,
      {
        resource: "customer",
        operation: "create",
        name: "={{ $json.name }}",
        additionalFields: { email: "={{ $json.mail }}" },
      },
      { line: "POST https://api.stripe.com/v1/customers", body: "name=Ada&email=ada%40example.com" },
    ],
    [
      "facebookGraphApi",
      1,
      { node: "me", options: { fields: { field: [{ name: "id" }, { name: "name" }] } } },
      { line: "GET https://graph.facebook.com/me", query: { fields: "id,name" } },
    ],
  ])("%s %d: %j", async (type, version, parameters, request) => {
    const { requests } = await sent(type, version, parameters, ada, [{ files: [] }]);
    expect(requests).toEqual([request]);
  });

  it("Gmail sends a mail whose headers cannot be broken out of", async () => {
    const { requests } = await sent(
      "gmail",
      2.1,
      {
        sendTo: "={{ $json.to }}",
        subject: "={{ $json.subject }}",
        message: "<p>Hi</p>",
        options: { ccList: "c@example.com" },
      },
      { to: "a@example.com\r\nBcc: x@example.com", subject: "Grüße" },
    );
    expect(requests).toMatchObject([
      { line: "POST https://gmail.googleapis.com/upload/gmail/v1/users/me/messages/send" },
    ]);
    expect(String(requests[0]?.body).split("\r\n")).toEqual([
      "To: a@example.com Bcc: x@example.com",
      "Cc: c@example.com",
      `Subject: =?UTF-8?B?${Buffer.from("Grüße").toString("base64")}?=`,
      "MIME-Version: 1.0",
      "Content-Type: text/html; charset=UTF-8",
      "",
      "<p>Hi</p>",
    ]);
  });

  it("Gmail answers in the thread of the message that it reads first", async () => {
    const headers = [
      { name: "From", value: "Bob <b@example.com>" },
      { name: "Subject", value: "Lunch" },
      { name: "Message-ID", value: "<m1@example.com>" },
    ];
    const { requests } = await sent(
      "gmail",
      2.1,
      { operation: "reply", messageId: "={{ $json.id }}", emailType: "text", message: "=Yes, {{ $json.name }}" },
      { id: "m1", name: "Ada" },
      [{ threadId: "t1", payload: { headers } }],
    );
    expect(requests.map(({ line }) => line)).toEqual([
      "GET https://gmail.googleapis.com/gmail/v1/users/me/messages/m1",
      "POST https://gmail.googleapis.com/gmail/v1/users/me/messages/send",
    ]);
    const { threadId, raw } = (requests[1]?.body ?? {}) as { threadId: string; raw: string };
    expect(threadId).toBe("t1");
    const mail = Buffer.from(raw, "base64url").toString();
    expect(mail).toContain(
      "To: Bob <b@example.com>\r\nIn-Reply-To: <m1@example.com>\r\nReferences: <m1@example.com>\r\n",
    );
    expect(mail).toContain(`Subject: =?UTF-8?B?${Buffer.from("Re: Lunch").toString("base64")}?=`);
    expect(mail).toMatch(/\r\n\r\nYes, Ada$/);
  });
});

describe("a node that needs several requests", () => {
  it("GitHub changes a file by the sha that it reads first", async () => {
    const { requests } = await sent(
      "github",
      1.1,
      {
        resource: "file",
        operation: "edit",
        owner: locator("me"),
        repository: locator("repo"),
        filePath: "docs/a b.md",
        fileContent: "=Hi {{ $json.name }}",
        commitMessage: "Change",
      },
      ada,
      [{ sha: "s1" }],
    );
    expect(requests).toEqual([
      { line: "GET https://api.github.com/repos/me/repo/contents/docs/a%20b.md" },
      {
        line: "PUT https://api.github.com/repos/me/repo/contents/docs/a%20b.md",
        body: { message: "Change", content: Buffer.from("Hi Ada").toString("base64"), sha: "s1" },
      },
    ]);
  });

  it("is turned off with its steps", () => {
    const flow = flowOf("gmail", 2.1, { operation: "reply", messageId: "m1", message: "Hi" });
    const nodes = flow.nodes.map((node) => (node.name === "It" ? { ...node, disabled: true } : node));
    const { document } = readImported({ ...flow, nodes }, nodeRegistry);
    const off = Object.values(document.nodes).filter(({ disabled }) => disabled === true);
    expect(off.map(({ title }) => title)).toEqual(["It", "It: input", "It: message"]);
  });

  it("Discord opens the chat with a person", async () => {
    const { requests } = await sent(
      "discord",
      2,
      {
        resource: "message",
        sendTo: "user",
        userId: locator("u1"),
        guildId: locator("g1"),
        content: "={{ $json.name }}",
      },
      ada,
      [{ id: "c1" }],
    );
    expect(requests).toEqual([
      { line: "POST https://discord.com/api/v10/users/@me/channels", body: { recipient_id: "u1" } },
      { line: "POST https://discord.com/api/v10/channels/c1/messages", body: { content: "Ada" } },
    ]);
  });

  it("Gmail gives no messages where it finds none", async () => {
    const filters = { q: "x", readStatus: "unread", receivedAfter: "={{ '2026-01-01T00:00:00Z' }}" };
    const { requests, output } = await sent("gmail", 2.1, { operation: "getAll", filters, limit: 5 }, ada, [
      { resultSizeEstimate: 0 },
    ]);
    expect(requests[0]?.query).toEqual({ q: "x after:1767225600 is:unread", maxResults: "5" });
    expect(output).toEqual([]);
  });
});

describe("Google Sheets", () => {
  const place = { documentId: locator("sheet-1"), sheetName: locator(123, "My people") };
  const values = "https://sheets.googleapis.com/v4/spreadsheets/sheet-1/values";
  const cells = {
    values: [
      ["name", "mail", "age"],
      ["Bob", "b@example.com", 4],
      ["Ada", "", 3],
    ],
  };

  it("appends a row in the order of the columns", async () => {
    const columns = {
      mappingMode: "defineBelow",
      value: { age: 9, name: "={{ $json.name }}" },
      matchingColumns: [],
      schema: [{ id: "name" }, { id: "mail" }, { id: "age" }],
    };
    const { requests } = await sent("googleSheets", 4.5, { operation: "append", ...place, columns }, ada);
    expect(requests).toEqual([
      {
        line: `POST ${values}/'My%20people':append`,
        query: { valueInputOption: "USER_ENTERED", insertDataOption: "INSERT_ROWS" },
        body: { values: [["Ada", "", 9]] },
      },
    ]);
  });

  it("reads rows by their header and keeps the condition", async () => {
    const filtersUI = { values: [{ lookupColumn: "name", lookupValue: "={{ $json.name }}" }] };
    const { requests, output } = await sent("googleSheets", 4.5, { ...place, filtersUI }, ada, [cells]);
    expect(requests.map(({ line }) => line)).toEqual([`GET ${values}/'My%20people'`]);
    expect(output).toEqual([{ row_number: 3, name: "Ada", mail: "", age: 3 }]);
  });

  it.each([
    [
      "Ada",
      [
        { range: "'My people'!A3", values: [["Ada"]] },
        { range: "'My people'!B3", values: [["ada@example.com"]] },
      ],
    ],
    [
      "Eve",
      [
        { range: "'My people'!A4", values: [["Eve"]] },
        { range: "'My people'!B4", values: [["ada@example.com"]] },
      ],
    ],
  ])("changes the row that matches %s, or adds it", async (name, data) => {
    const columns = {
      mappingMode: "defineBelow",
      value: { name: "={{ $json.name }}", mail: "={{ $json.mail }}" },
      matchingColumns: ["name"],
      schema: [{ id: "name" }, { id: "mail" }, { id: "age" }],
    };
    const { requests } = await sent(
      "googleSheets",
      4.5,
      { operation: "appendOrUpdate", ...place, columns },
      { ...ada, name },
      [cells],
    );
    expect(requests.map(({ line }) => line)).toEqual([`GET ${values}/'My%20people'`, `POST ${values}:batchUpdate`]);
    expect(requests[1]?.body).toEqual({ valueInputOption: "USER_ENTERED", data });
  });

  it("deletes rows by Google's count", async () => {
    const { requests } = await sent(
      "googleSheets",
      4.5,
      { operation: "delete", ...place, startIndex: "={{ $json.id }}", numberToDelete: 2 },
      ada,
    );
    expect(requests).toMatchObject([
      {
        body: {
          requests: [{ deleteDimension: { range: { sheetId: 123, dimension: "ROWS", startIndex: 6, endIndex: 8 } } }],
        },
      },
    ]);
    for (const id of ["abc", null]) {
      const parameters = { operation: "delete", ...place, startIndex: "={{ $json.id }}" };
      await expect(sent("googleSheets", 4.5, parameters, { id })).rejects.toThrow("startIndex");
    }
  });
});

describe("a write without its condition", () => {
  it.each<[string, number, JsonObject]>([
    ["supabase", 1, { operation: "delete", tableId: "people" }],
    ["supabase", 1, { operation: "update", tableId: "people", filterType: "none" }],
    [
      "supabase",
      1,
      { operation: "delete", tableId: "people", filterType: "string", filterString: "={{ $json.filter }}" },
    ],
    [
      "supabase",
      1,
      {
        operation: "delete",
        tableId: "people",
        filters: { conditions: [{ keyName: "a", condition: "between", keyValue: "1" }] },
      },
    ],
    ["supabase", 1, { operation: "delete", tableId: "people", filters: "={{ $json.filters }}" }],
    [
      "googleSheets",
      4.5,
      {
        operation: "update",
        documentId: "s",
        sheetName: "People",
        columns: { mappingMode: "autoMapInputData", value: {}, matchingColumns: [] },
      },
    ],
    [
      "airtable",
      2.1,
      {
        operation: "upsert",
        base: "appA",
        table: "tblB",
        columns: { mappingMode: "defineBelow", value: { a: 1 }, matchingColumns: [] },
      },
    ],
    ["postgres", 2.5, { operation: "deleteTable", table: "t", deleteCommand: "truncate" }],
    [
      "postgres",
      2.5,
      {
        operation: "update",
        table: "t",
        columns: { mappingMode: "defineBelow", value: { a: 1 }, matchingColumns: [] },
      },
    ],
    ["dataTable", 1, { operation: "deleteRows", dataTableId: "t" }],
    [
      "dataTable",
      1,
      {
        operation: "update",
        dataTableId: "t",
        filters: { conditions: [{ keyName: "a", condition: "odd", keyValue: "1" }] },
        columns: { value: { a: 1 } },
      },
    ],
  ])("is a placeholder that keeps it: %s %d %j", (type, version, parameters) => {
    const { node, entry } = read(type, version, parameters);
    expect(node("It")).toMatchObject({ type: "placeholder", config: { settings: parameters } });
    expect(entry("It")?.outcome).toBe("placeholder");
  });
});

describe("Postgres", () => {
  it("changes the row with the same keys or adds it, with bound values", () => {
    const columns = {
      mappingMode: "defineBelow",
      value: { id: "={{ $json.id }}", 'odd "name': "it's", ok: true },
      matchingColumns: ["id"],
    };
    const { node } = read("postgres", 2.5, { operation: "upsert", schema: "app", table: "people", columns });
    expect(node("It")?.config).toMatchObject({
      operation: "execute",
      readOnly: false,
      statement:
        'insert into "app"."people" ("id", "odd ""name", "ok") values ({{json.?id.orValue(null)}}, {{"it\'s"}}, {{true}}) ' +
        'on conflict ("id") do update set "odd ""name" = excluded."odd ""name", "ok" = excluded."ok" returning *',
    });
  });
});

describe("services and the studio's connectors", () => {
  const known = new Map(connectors.map((one) => [one.id, one]));
  const named = Object.entries(services).filter(([, { connector }]) => connector !== undefined);

  it.each(named)("%s signs as its connector does, at the same server", (_, service) => {
    const connector = known.get(service.connector ?? "");
    const host = (url: string) => new URL(url.replace(/[<>{}]/g, "")).host;
    expect(connector && host(connector.baseUrl)).toBe(host(service.base));
    expect(service.errorAt).toBe(connector?.errorAt);
  });
});
