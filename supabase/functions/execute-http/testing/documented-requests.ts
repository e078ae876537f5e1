import { expect } from "vitest";
import type { JsonObject } from "../../../../src/engine/json.ts";

/** The request that a call of an operation has to make, as the service documents it. */
interface Documented {
  /** What the model gives. */
  given: JsonObject;
  /** Method and address. */
  line: string;
  /** JSON, or a text that is none. */
  body?: unknown;
}

type Row = readonly [given: JsonObject, line: string, body?: unknown];

const slack = "https://slack.com/api";
const telegram = "https://api.telegram.org/bottest-key-1234567890";
const discord = "https://discord.com/api/v10";
const airtable = "https://api.airtable.com/v0";
const notion = "https://api.notion.com/v1";
const github = "https://api.github.com";
const gmail = "https://gmail.googleapis.com/gmail/v1/users/me";
const gmailUpload = "https://gmail.googleapis.com/upload/gmail/v1/users/me";
const sheets = "https://sheets.googleapis.com/v4/spreadsheets/s1";
const drive = "https://www.googleapis.com/drive/v3/files";
const outlook = "https://graph.microsoft.com/v1.0/me";
const calendar = "https://www.googleapis.com/calendar/v3";
const supabase = "https://demo.supabase.co/rest/v1";
const whatsapp = "https://graph.facebook.com/v23.0/demo/messages";
const jira = "https://demo.atlassian.net/rest/api/3";
const hubspot = "https://api.hubapi.com/crm/v3/objects";
const stripe = "https://api.stripe.com/v1";
const brave = "https://api.search.brave.com/res/v1";
const issue = { owner: "o", repo: "r", number: 7 };
const mail = { to: "ada@example.com\r\nBcc: all@example.com", subject: "Grüße", text: "Hi\nAda" };
const rfc822 = `To: ada@example.com Bcc: all@example.com\r\nSubject: =?UTF-8?B?R3LDvMOfZQ==?=\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=UTF-8\r\n\r\nHi\nAda`;
const paragraph = (content: string) => ({
  object: "block",
  type: "paragraph",
  paragraph: { rich_text: [{ type: "text", text: { content } }] },
});
const adf = (text: string) => ({
  type: "doc",
  version: 1,
  content: [{ type: "paragraph", content: [{ type: "text", text }] }],
});
/** A query that has this in it: the rest of it says what the answer holds. */
const linearQuery = (start: string): unknown => expect.stringContaining(start);

const rows: Readonly<Record<string, Row>> = {
  "slack/send-message": [
    { channel: "C1", text: 'Say "hi"', thread_ts: "1.2" },
    `POST ${slack}/chat.postMessage`,
    { channel: "C1", text: 'Say "hi"', thread_ts: "1.2" },
  ],
  "slack/update-message": [
    { channel: "C1", ts: "1.2", text: "x" },
    `POST ${slack}/chat.update`,
    { channel: "C1", ts: "1.2", text: "x" },
  ],
  "slack/add-reaction": [
    { channel: "C1", timestamp: "1.2", name: "eyes" },
    `POST ${slack}/reactions.add`,
    { channel: "C1", timestamp: "1.2", name: "eyes" },
  ],
  "slack/list-channels": [{}, `GET ${slack}/conversations.list?exclude_archived=true&types=public_channel&limit=100`],
  "slack/read-channel": [{ channel: "C1", limit: 5 }, `GET ${slack}/conversations.history?channel=C1&limit=5`],
  "slack/list-users": [{}, `GET ${slack}/users.list?limit=100`],
  "discord/send-message": [{ channel_id: "1", content: "x" }, `POST ${discord}/channels/1/messages`, { content: "x" }],
  "discord/reply": [
    { channel_id: "1", message_id: "2", content: "x" },
    `POST ${discord}/channels/1/messages`,
    { content: "x", message_reference: { message_id: "2" } },
  ],
  "discord/read-channel": [{ channel_id: "1" }, `GET ${discord}/channels/1/messages?limit=50`],
  "discord/list-channels": [{ guild_id: "1" }, `GET ${discord}/guilds/1/channels`],
  "discord/add-reaction": [
    { channel_id: "1", message_id: "2", emoji: "👍" },
    `PUT ${discord}/channels/1/messages/2/reactions/%F0%9F%91%8D/@me`,
  ],
  "telegram/send-message": [
    { chat_id: "7", text: "x", reply_to_message_id: 3 },
    `POST ${telegram}/sendMessage`,
    { chat_id: "7", text: "x", reply_parameters: { message_id: 3 } },
  ],
  "telegram/send-photo": [
    { chat_id: "7", photo: "https://a.example/b.png" },
    `POST ${telegram}/sendPhoto`,
    { chat_id: "7", photo: "https://a.example/b.png" },
  ],
  "telegram/edit-message": [
    { chat_id: "7", message_id: 3, text: "x" },
    `POST ${telegram}/editMessageText`,
    { chat_id: "7", message_id: 3, text: "x" },
  ],
  "telegram/delete-message": [
    { chat_id: "7", message_id: 3 },
    `POST ${telegram}/deleteMessage`,
    { chat_id: "7", message_id: 3 },
  ],
  "telegram/get-chat": [{ chat_id: "@news" }, `GET ${telegram}/getChat?chat_id=%40news`],
  "whatsapp/send-message": [
    { to: "49123", text: "x" },
    `POST ${whatsapp}`,
    {
      messaging_product: "whatsapp",
      recipient_type: "individual",
      to: "49123",
      type: "text",
      text: { preview_url: false, body: "x" },
    },
  ],
  "whatsapp/send-template": [
    { to: "49123", template: "hello" },
    `POST ${whatsapp}`,
    {
      messaging_product: "whatsapp",
      to: "49123",
      type: "template",
      template: { name: "hello", language: { code: "en_US" } },
    },
  ],
  "whatsapp/send-image": [
    { to: "49123", link: "https://a.example/b.png", caption: "c" },
    `POST ${whatsapp}`,
    {
      messaging_product: "whatsapp",
      recipient_type: "individual",
      to: "49123",
      type: "image",
      image: { link: "https://a.example/b.png", caption: "c" },
    },
  ],
  "whatsapp/mark-read": [
    { message_id: "wamid.1" },
    `POST ${whatsapp}`,
    { messaging_product: "whatsapp", status: "read", message_id: "wamid.1" },
  ],
  "gmail/search-messages": [{ query: "is:unread" }, `GET ${gmail}/messages?q=is%3Aunread&maxResults=20`],
  "gmail/get-message": [{ message_id: "m1" }, `GET ${gmail}/messages/m1?format=full`],
  "gmail/send-message": [mail, `POST ${gmailUpload}/messages/send?uploadType=media`, rfc822],
  "gmail/create-draft": [mail, `POST ${gmailUpload}/drafts?uploadType=media`, rfc822],
  "gmail/change-labels": [
    { message_id: "m1", remove: ["UNREAD"] },
    `POST ${gmail}/messages/m1/modify`,
    { removeLabelIds: ["UNREAD"] },
  ],
  "gmail/list-labels": [{}, `GET ${gmail}/labels`],
  "google-calendar/list-events": [
    { calendar_id: "primary", time_min: "2026-01-31T00:00:00Z" },
    `GET ${calendar}/calendars/primary/events?singleEvents=true&orderBy=startTime&timeMin=2026-01-31T00%3A00%3A00Z&maxResults=50`,
  ],
  "google-calendar/create-event": [
    { calendar_id: "primary", title: "T", start: "S", end: "E", attendees: [{ email: "a@example.com" }] },
    `POST ${calendar}/calendars/primary/events`,
    { summary: "T", start: { dateTime: "S" }, end: { dateTime: "E" }, attendees: [{ email: "a@example.com" }] },
  ],
  "google-calendar/update-event": [
    { calendar_id: "primary", event_id: "e1", title: "T" },
    `PATCH ${calendar}/calendars/primary/events/e1`,
    { summary: "T" },
  ],
  "google-calendar/delete-event": [
    { calendar_id: "primary", event_id: "e1" },
    `DELETE ${calendar}/calendars/primary/events/e1`,
  ],
  "google-calendar/find-free-time": [
    { time_min: "A", time_max: "B", calendars: [{ id: "primary" }] },
    `POST ${calendar}/freeBusy`,
    { timeMin: "A", timeMax: "B", items: [{ id: "primary" }] },
  ],
  "google-drive/search-files": [
    { query: "name contains 'b'" },
    `GET ${drive}?fields=nextPageToken%2Cfiles(id%2Cname%2CmimeType%2CmodifiedTime%2CwebViewLink%2Cparents)&q=name+contains+'b'&pageSize=50`,
  ],
  "google-drive/get-file": [
    { file_id: "f1" },
    `GET ${drive}/f1?fields=id%2Cname%2CmimeType%2Csize%2CmodifiedTime%2CwebViewLink%2Cowners%2Cparents`,
  ],
  "google-drive/export-document": [{ file_id: "f1" }, `GET ${drive}/f1/export?mimeType=text%2Fplain`],
  "google-drive/download-file": [{ file_id: "f1" }, `GET ${drive}/f1?alt=media`],
  "google-drive/create-folder": [
    { name: "N" },
    `POST ${drive}`,
    { name: "N", mimeType: "application/vnd.google-apps.folder" },
  ],
  "google-drive/share-file": [
    { file_id: "f1", email: "a@example.com" },
    `POST ${drive}/f1/permissions`,
    { type: "user", role: "reader", emailAddress: "a@example.com" },
  ],
  "google-sheets/read-range": [{ spreadsheet_id: "s1", range: "A!A1:B2" }, `GET ${sheets}/values/A%21A1%3AB2`],
  "google-sheets/append-rows": [
    { spreadsheet_id: "s1", range: "A", values: [["x", 1, null, ""]] },
    `POST ${sheets}/values/A:append?insertDataOption=INSERT_ROWS&valueInputOption=USER_ENTERED`,
    { values: [["x", 1, null, ""]] },
  ],
  "google-sheets/update-range": [
    { spreadsheet_id: "s1", range: "A", values: [[1]] },
    `PUT ${sheets}/values/A?valueInputOption=USER_ENTERED`,
    { values: [[1]] },
  ],
  "google-sheets/clear-range": [{ spreadsheet_id: "s1", range: "A" }, `POST ${sheets}/values/A:clear`],
  "google-sheets/get-spreadsheet": [
    { spreadsheet_id: "s1" },
    `GET ${sheets}?fields=properties.title%2Csheets.properties`,
  ],
  "outlook/search-messages": [
    { search: '"invoice"' },
    `GET ${outlook}/messages?$select=id%2Csubject%2Cfrom%2CreceivedDateTime%2CbodyPreview%2CisRead&$search=%22invoice%22&$top=20`,
  ],
  "outlook/get-message": [{ message_id: "m1" }, `GET ${outlook}/messages/m1`],
  "outlook/send-mail": [
    { to: "a@example.com", subject: "S", text: "T" },
    `POST ${outlook}/sendMail`,
    {
      message: {
        subject: "S",
        body: { contentType: "Text", content: "T" },
        toRecipients: [{ emailAddress: { address: "a@example.com" } }],
      },
    },
  ],
  "outlook/list-events": [
    { start: "A", end: "B" },
    `GET ${outlook}/calendarView?startDateTime=A&endDateTime=B&$top=20`,
  ],
  "outlook/create-event": [
    { title: "T", start: "S", end: "E", description: "D" },
    `POST ${outlook}/events`,
    {
      subject: "T",
      body: { contentType: "Text", content: "D" },
      start: { dateTime: "S", timeZone: "UTC" },
      end: { dateTime: "E", timeZone: "UTC" },
    },
  ],
  "sendgrid/send-mail": [
    { to: "a@example.com", from: "b@example.com", subject: "S", text: "T" },
    "POST https://api.sendgrid.com/v3/mail/send",
    {
      personalizations: [{ to: [{ email: "a@example.com" }] }],
      from: { email: "b@example.com" },
      subject: "S",
      content: [{ type: "text/plain", value: "T" }],
    },
  ],
  "sendgrid/send-html": [
    { to: "a@example.com", from: "b@example.com", subject: "S", html: "<p>T" },
    "POST https://api.sendgrid.com/v3/mail/send",
    {
      personalizations: [{ to: [{ email: "a@example.com" }] }],
      from: { email: "b@example.com" },
      subject: "S",
      content: [{ type: "text/html", value: "<p>T" }],
    },
  ],
  "sendgrid/send-template": [
    { to: "a@example.com", from: "b@example.com", template_id: "d-1", data: { n: null } },
    "POST https://api.sendgrid.com/v3/mail/send",
    {
      personalizations: [{ to: [{ email: "a@example.com" }], dynamic_template_data: { n: null } }],
      from: { email: "b@example.com" },
      template_id: "d-1",
    },
  ],
  "sendgrid/list-bounces": [{}, "GET https://api.sendgrid.com/v3/suppression/bounces?limit=100"],
  "notion/search": [{ query: "x" }, `POST ${notion}/search`, { query: "x", page_size: 50 }],
  "notion/query-data-source": [
    { data_source_id: "d1", filter: { property: "A", checkbox: { equals: true } } },
    `POST ${notion}/data_sources/d1/query`,
    { filter: { property: "A", checkbox: { equals: true } }, page_size: 50 },
  ],
  "notion/get-page": [{ page_id: "p1" }, `GET ${notion}/pages/p1`],
  "notion/read-blocks": [{ block_id: "p1" }, `GET ${notion}/blocks/p1/children?page_size=50`],
  "notion/create-page": [
    { parent_page_id: "p1", title: "T", text: "X" },
    `POST ${notion}/pages`,
    {
      parent: { page_id: "p1" },
      properties: { title: { title: [{ text: { content: "T" } }] } },
      children: [paragraph("X")],
    },
  ],
  "notion/add-database-page": [
    { data_source_id: "d1", properties: { Name: { title: [] } } },
    `POST ${notion}/pages`,
    { parent: { type: "data_source_id", data_source_id: "d1" }, properties: { Name: { title: [] } } },
  ],
  "notion/append-text": [
    { block_id: "p1", text: "X" },
    `PATCH ${notion}/blocks/p1/children`,
    { children: [paragraph("X")] },
  ],
  "airtable/list-records": [
    { base_id: "b", table: "My table", formula: "{A}=1" },
    `GET ${airtable}/b/My%20table?filterByFormula=%7BA%7D%3D1&pageSize=100`,
  ],
  "airtable/get-record": [{ base_id: "b", table: "t", record_id: "rec1" }, `GET ${airtable}/b/t/rec1`],
  "airtable/create-record": [
    { base_id: "b", table: "t", fields: { A: 1 } },
    `POST ${airtable}/b/t`,
    { fields: { A: 1 } },
  ],
  "airtable/update-record": [
    { base_id: "b", table: "t", record_id: "rec1", fields: { A: null } },
    `PATCH ${airtable}/b/t/rec1`,
    { fields: { A: null } },
  ],
  "airtable/delete-record": [{ base_id: "b", table: "t", record_id: "rec1" }, `DELETE ${airtable}/b/t/rec1`],
  "airtable/list-tables": [{ base_id: "b" }, `GET ${airtable}/meta/bases/b/tables`],
  "supabase/list-rows": [{ table: "t", filter: "(id.eq.7)" }, `GET ${supabase}/t?select=*&and=(id.eq.7)&limit=100`],
  "supabase/insert-rows": [{ table: "t", rows: [{ a: null }] }, `POST ${supabase}/t`, [{ a: null }]],
  "supabase/update-rows": [
    { table: "t", conditions: "id.eq.7", values: { a: null } },
    `PATCH ${supabase}/t?and=(id.eq.7)`,
    { a: null },
  ],
  "supabase/delete-rows": [{ table: "t", conditions: "" }, `DELETE ${supabase}/t?and=()`],
  "supabase/call-function": [{ function: "f", arguments: { a: 1 } }, `POST ${supabase}/rpc/f`, { a: 1 }],
  "github/list-issues": [
    { owner: "o", repo: "r", labels: "bug" },
    `GET ${github}/repos/o/r/issues?state=open&labels=bug&per_page=30`,
  ],
  "github/get-issue": [issue, `GET ${github}/repos/o/r/issues/7`],
  "github/create-issue": [
    { owner: "o", repo: "r", title: "T", labels: ["bug"] },
    `POST ${github}/repos/o/r/issues`,
    { title: "T", labels: ["bug"] },
  ],
  "github/comment": [{ ...issue, body: "x" }, `POST ${github}/repos/o/r/issues/7/comments`, { body: "x" }],
  "github/list-pull-requests": [{ owner: "o", repo: "r" }, `GET ${github}/repos/o/r/pulls?state=open&per_page=30`],
  "github/read-file": [
    { owner: "o", repo: "r", path: "src/a b.ts" },
    `GET ${github}/repos/o/r/contents/src%2Fa%20b.ts`,
  ],
  "github/search-code": [{ query: "x repo:o/r" }, `GET ${github}/search/code?q=x+repo%3Ao%2Fr&per_page=30`],
  "jira/search-issues": [
    { jql: "project = P" },
    `GET ${jira}/search/jql?jql=project+%3D+P&fields=summary%2Cstatus%2Cassignee%2Cpriority%2Ccreated&maxResults=50`,
  ],
  "jira/get-issue": [{ issue_key: "P-1" }, `GET ${jira}/issue/P-1`],
  "jira/create-issue": [
    { project: "P", summary: "S", description: "D" },
    `POST ${jira}/issue`,
    { fields: { project: { key: "P" }, issuetype: { name: "Task" }, summary: "S", description: adf("D") } },
  ],
  "jira/comment": [{ issue_key: "P-1", text: "x" }, `POST ${jira}/issue/P-1/comment`, { body: adf("x") }],
  "jira/list-transitions": [{ issue_key: "P-1" }, `GET ${jira}/issue/P-1/transitions`],
  "jira/transition-issue": [
    { issue_key: "P-1", transition_id: "31" },
    `POST ${jira}/issue/P-1/transitions`,
    { transition: { id: "31" } },
  ],
  "linear/list-issues": [
    { filter: { team: { key: { eq: "E" } } } },
    "POST https://api.linear.app/graphql",
    { query: linearQuery("query Issues("), variables: { filter: { team: { key: { eq: "E" } } }, first: 50 } },
  ],
  "linear/search-issues": [
    { term: "x" },
    "POST https://api.linear.app/graphql",
    { query: linearQuery("query Search("), variables: { term: "x", first: 20 } },
  ],
  "linear/get-issue": [
    { id: "E-1" },
    "POST https://api.linear.app/graphql",
    { query: linearQuery("query Issue("), variables: { id: "E-1" } },
  ],
  "linear/create-issue": [
    { team_id: "t", title: "T" },
    "POST https://api.linear.app/graphql",
    { query: linearQuery("mutation Create("), variables: { input: { teamId: "t", title: "T" } } },
  ],
  "linear/comment": [
    { issue_id: "i", body: "x" },
    "POST https://api.linear.app/graphql",
    { query: linearQuery("mutation Comment("), variables: { input: { issueId: "i", body: "x" } } },
  ],
  "linear/list-teams": [
    {},
    "POST https://api.linear.app/graphql",
    { query: linearQuery("query Teams"), variables: {} },
  ],
  "hubspot/search": [
    { object: "contacts", query: "ada" },
    `POST ${hubspot}/contacts/search`,
    { query: "ada", limit: 20 },
  ],
  "hubspot/get": [{ object: "contacts", record_id: "1" }, `GET ${hubspot}/contacts/1`],
  "hubspot/list": [{ object: "deals" }, `GET ${hubspot}/deals?limit=50`],
  "hubspot/create": [
    { object: "contacts", properties: { email: "a@example.com" } },
    `POST ${hubspot}/contacts`,
    { properties: { email: "a@example.com" } },
  ],
  "hubspot/update": [
    { object: "contacts", record_id: "1", properties: { phone: "" } },
    `PATCH ${hubspot}/contacts/1`,
    { properties: { phone: "" } },
  ],
  "hubspot/add-note": [
    { contact_id: "1", text: "x", time: "t" },
    `POST ${hubspot}/notes`,
    {
      properties: { hs_note_body: "x", hs_timestamp: "t" },
      associations: [{ to: { id: "1" }, types: [{ associationCategory: "HUBSPOT_DEFINED", associationTypeId: 202 }] }],
    },
  ],
  "stripe/search-customers": [
    { query: 'email:"a@example.com"' },
    `GET ${stripe}/customers/search?query=email%3A%22a%40example.com%22&limit=20`,
  ],
  "stripe/get-customer": [{ customer_id: "cus_1" }, `GET ${stripe}/customers/cus_1`],
  "stripe/list-payments": [{ customer: "cus_1" }, `GET ${stripe}/payment_intents?customer=cus_1&limit=20`],
  "stripe/list-invoices": [{ status: "open" }, `GET ${stripe}/invoices?status=open&limit=20`],
  "stripe/list-subscriptions": [{}, `GET ${stripe}/subscriptions?limit=20`],
  "stripe/get-balance": [{}, `GET ${stripe}/balance`],
  "brave-search/search-web": [{ query: "x y" }, `GET ${brave}/web/search?q=x+y&count=10`],
  "brave-search/search-news": [{ query: "x", freshness: "pd" }, `GET ${brave}/news/search?q=x&count=10&freshness=pd`],
  "brave-search/search-images": [{ query: "x" }, `GET ${brave}/images/search?q=x&count=10`],
  "tavily/search": [
    { query: "x" },
    "POST https://api.tavily.com/search",
    { query: "x", max_results: 5, topic: "general" },
  ],
  "tavily/extract": [
    { urls: ["https://a.example/"] },
    "POST https://api.tavily.com/extract",
    { urls: ["https://a.example/"], format: "markdown" },
  ],
  "tavily/map": [
    { url: "https://a.example/" },
    "POST https://api.tavily.com/map",
    { url: "https://a.example/", limit: 50 },
  ],
  "serpapi/search-google": [
    { query: "x" },
    "GET https://serpapi.com/search?engine=google&q=x&num=10&api_key=test-key-1234567890",
  ],
  "serpapi/search-news": [
    { query: "x" },
    "GET https://serpapi.com/search?engine=google_news&q=x&api_key=test-key-1234567890",
  ],
  "serpapi/search-maps": [
    { query: "x" },
    "GET https://serpapi.com/search?engine=google_maps&type=search&q=x&api_key=test-key-1234567890",
  ],
  "jina-reader/read-page": [{ url: "https://a.example/" }, "POST https://r.jina.ai/", { url: "https://a.example/" }],
  "jina-reader/search": [{ query: "x" }, "POST https://s.jina.ai/", { q: "x", num: 5 }],
  "jina-reader/read-selection": [
    { url: "https://a.example/", selector: "main" },
    "POST https://r.jina.ai/",
    { url: "https://a.example/" },
  ],
};

/** By `service/operation`. */
export const documentedRequests: Readonly<Record<string, Documented>> = Object.fromEntries(
  Object.entries(rows).map(([name, [given, line, body]]) => [name, { given, line, body }]),
);
