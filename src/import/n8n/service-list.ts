import type { Service } from "./services.ts";

const google = "a Google access token (HTTP bearer)";
const bearer = (name: string) => `a token of ${name} (HTTP bearer)`;

/** Services by n8n's name of their node. */
export const services: Readonly<Record<string, Service>> = {
  telegram: {
    base: "https://api.telegram.org/bot<token>",
    needs: "the bot's token, in place of <token> in the address",
    usual: { resource: "message", operation: "sendMessage" },
    calls: {
      "message.sendMessage": {
        method: "POST",
        url: "/sendMessage",
        body: {
          chat_id: "chatId",
          text: "text",
          parse_mode: "additionalFields.parse_mode",
          reply_to_message_id: "additionalFields.reply_to_message_id",
        },
      },
      "message.sendPhoto": {
        method: "POST",
        url: "/sendPhoto",
        body: { chat_id: "chatId", photo: "file", caption: "additionalFields.caption" },
      },
      "message.sendDocument": {
        method: "POST",
        url: "/sendDocument",
        body: { chat_id: "chatId", document: "file", caption: "additionalFields.caption" },
      },
      "message.sendAudio": { method: "POST", url: "/sendAudio", body: { chat_id: "chatId", audio: "file" } },
      "message.sendVideo": { method: "POST", url: "/sendVideo", body: { chat_id: "chatId", video: "file" } },
      "message.sendChatAction": {
        method: "POST",
        url: "/sendChatAction",
        body: { chat_id: "chatId", action: "action" },
      },
      "message.editMessageText": {
        method: "POST",
        url: "/editMessageText",
        body: { chat_id: "chatId", message_id: "messageId", text: "text" },
      },
      "message.deleteMessage": {
        method: "POST",
        url: "/deleteMessage",
        body: { chat_id: "chatId", message_id: "messageId" },
      },
      "message.sendAndWait": {
        method: "POST",
        url: "/sendMessage",
        body: { chat_id: "chatId", text: "message" },
        note: "It does not wait for an answer; use a tool with approval for that.",
      },
      "file.get": { method: "GET", url: "/getFile", query: { file_id: "fileId" } },
      "chat.get": { method: "GET", url: "/getChat", query: { chat_id: "chatId" } },
      "callback.answerQuery": {
        method: "POST",
        url: "/answerCallbackQuery",
        body: { callback_query_id: "queryId", text: "additionalFields.text" },
      },
    },
  },
  slack: {
    base: "https://slack.com/api",
    needs: bearer("Slack"),
    usual: { resource: "message", operation: "post" },
    calls: {
      "message.post": {
        method: "POST",
        url: "/chat.postMessage",
        body: {
          channel: "channelId|channel|user",
          text: "text",
          thread_ts: "otherOptions.thread_ts.replyValues.thread_ts",
        },
      },
      "message.update": { method: "POST", url: "/chat.update", body: { channel: "channelId", ts: "ts", text: "text" } },
      "message.delete": { method: "POST", url: "/chat.delete", body: { channel: "channelId", ts: "timestamp" } },
      "message.search": { method: "GET", url: "/search.messages", query: { query: "query" } },
      "message.sendAndWait": {
        method: "POST",
        url: "/chat.postMessage",
        body: { channel: "channelId|user", text: "message" },
        note: "It does not wait for an answer; use a tool with approval for that.",
      },
      "channel.history": {
        method: "GET",
        url: "/conversations.history",
        query: { channel: "channelId", limit: "limit" },
      },
      "channel.getAll": { method: "GET", url: "/conversations.list", query: { limit: "limit" } },
      "channel.replies": { method: "GET", url: "/conversations.replies", query: { channel: "channelId", ts: "ts" } },
      "channel.create": { method: "POST", url: "/conversations.create", body: { name: "channelId" } },
      "user.info": { method: "GET", url: "/users.info", query: { user: "user" } },
      "user.getAll": { method: "GET", url: "/users.list" },
      "reaction.add": {
        method: "POST",
        url: "/reactions.add",
        body: { channel: "channelId", timestamp: "timestamp", name: "name" },
      },
    },
  },
  discord: {
    base: "https://discord.com/api/v10",
    needs: "the bot's token (HTTP header Authorization: Bot …)",
    usual: { resource: "message", operation: "send" },
    calls: {
      "message.send": { method: "POST", url: "/channels/{channelId}/messages", body: { content: "content" } },
      "message.getAll": { method: "GET", url: "/channels/{channelId}/messages", query: { limit: "limit" } },
      "message.get": { method: "GET", url: "/channels/{channelId}/messages/{messageId}" },
      "message.deleteMessage": { method: "DELETE", url: "/channels/{channelId}/messages/{messageId}" },
      "message.sendLegacy": { method: "POST", url: "{webhookUri}", body: { content: "content" } },
      "channel.get": { method: "GET", url: "/channels/{channelId}" },
      "channel.getAll": { method: "GET", url: "/guilds/{guildId}/channels" },
    },
  },
  gmail: {
    base: "https://gmail.googleapis.com/gmail/v1/users/me",
    needs: google,
    usual: { resource: "message", operation: "send" },
    calls: {
      "message.send": {
        method: "POST",
        url: "/messages/send",
        body: { raw: "message" },
        note: 'Gmail wants the whole mail in base64url as "raw": put it together with encodeBase64.',
      },
      "message.reply": {
        method: "POST",
        url: "/messages/send",
        body: { raw: "message", threadId: "messageId" },
        note: 'Gmail wants the whole mail in base64url as "raw": put it together with encodeBase64.',
      },
      "message.sendAndWait": {
        method: "POST",
        url: "/messages/send",
        body: { raw: "message" },
        note: "It does not wait for an answer; use a tool with approval for that.",
      },
      "message.get": { method: "GET", url: "/messages/{messageId}" },
      "message.getAll": { method: "GET", url: "/messages", query: { q: "filters.q", maxResults: "limit" } },
      "message.delete": { method: "DELETE", url: "/messages/{messageId}" },
      "message.markAsRead": {
        method: "POST",
        url: "/messages/{messageId}/modify",
        body: { removeLabelIds: "=UNREAD" },
      },
      "message.addLabels": { method: "POST", url: "/messages/{messageId}/modify", body: { addLabelIds: "labelIds" } },
      "message.removeLabels": {
        method: "POST",
        url: "/messages/{messageId}/modify",
        body: { removeLabelIds: "labelIds" },
      },
      "draft.create": {
        method: "POST",
        url: "/drafts",
        body: { message: "message" },
        note: "Gmail wants the whole mail in base64url as message.raw.",
      },
      "thread.get": { method: "GET", url: "/threads/{threadId}" },
      "thread.getAll": { method: "GET", url: "/threads", query: { q: "filters.q", maxResults: "limit" } },
      "thread.reply": { method: "POST", url: "/messages/send", body: { raw: "message", threadId: "threadId" } },
      "label.getAll": { method: "GET", url: "/labels" },
    },
  },
  googleSheets: {
    base: "https://sheets.googleapis.com/v4/spreadsheets",
    needs: google,
    usual: { resource: "sheet", operation: "read" },
    calls: {
      "sheet.read": {
        method: "GET",
        url: "/{documentId|sheetId}/values/{sheetName|range}",
        note: 'The rows come as lists in "values", the first with the names.',
      },
      "sheet.append": {
        method: "POST",
        url: "/{documentId|sheetId}/values/{sheetName|range}:append?valueInputOption=USER_ENTERED",
        body: { values: "columns.value" },
        note: 'Google wants "values" as a list of rows.',
      },
      "sheet.appendOrUpdate": {
        method: "POST",
        url: "/{documentId|sheetId}/values/{sheetName|range}:append?valueInputOption=USER_ENTERED",
        body: { values: "columns.value" },
        note: 'Always appends; Google wants "values" as a list of rows.',
      },
      "sheet.update": {
        method: "PUT",
        url: "/{documentId|sheetId}/values/{sheetName|range}?valueInputOption=USER_ENTERED",
        body: { values: "columns.value" },
        note: 'Google wants the range of the row, and "values" as a list of rows.',
      },
      "sheet.clear": { method: "POST", url: "/{documentId|sheetId}/values/{sheetName|range}:clear" },
      ".lookup": { method: "GET", url: "/{documentId|sheetId}/values/{sheetName|range}" },
      "spreadsheet.create": { method: "POST", url: "", body: { "properties.title": "title" } },
    },
  },
  googleDrive: {
    base: "https://www.googleapis.com/drive/v3",
    needs: google,
    usual: { resource: "file", operation: "upload" },
    calls: {
      "file.download": { method: "GET", url: "/files/{fileId}?alt=media" },
      "fileFolder.search": { method: "GET", url: "/files", query: { q: "queryString", pageSize: "limit" } },
      "file.list": { method: "GET", url: "/files", query: { q: "queryString", pageSize: "limit" } },
      "file.deleteFile": { method: "DELETE", url: "/files/{fileId}" },
      "file.copy": { method: "POST", url: "/files/{fileId}/copy", body: { name: "name" } },
      "file.createFromText": { method: "POST", url: "/files", body: { name: "name" } },
      "file.upload": {
        method: "POST",
        url: "https://www.googleapis.com/upload/drive/v3/files?uploadType=media",
        note: "Sends text; files are not possible.",
      },
      "folder.create": {
        method: "POST",
        url: "/files",
        body: { name: "name", mimeType: "=application/vnd.google-apps.folder" },
      },
    },
  },
  googleDocs: {
    base: "https://docs.googleapis.com/v1/documents",
    needs: google,
    usual: { resource: "document", operation: "create" },
    calls: {
      "document.create": { method: "POST", url: "", body: { title: "title" } },
      "document.get": { method: "GET", url: "/{documentURL}" },
      "document.update": {
        method: "POST",
        url: "/{documentURL}:batchUpdate",
        body: { requests: "actionsUi.actionFields" },
        note: "Google's actions have other names than n8n's.",
      },
    },
  },
  googleCalendar: {
    base: "https://www.googleapis.com/calendar/v3",
    needs: google,
    usual: { resource: "event", operation: "create" },
    calls: {
      "event.create": {
        method: "POST",
        url: "/calendars/{calendar}/events",
        body: {
          summary: "additionalFields.summary",
          description: "additionalFields.description",
          location: "additionalFields.location",
          start: "start",
          end: "end",
        },
        note: "Google wants start and end as objects with dateTime.",
      },
      "event.getAll": {
        method: "GET",
        url: "/calendars/{calendar}/events",
        query: {
          timeMin: "timeMin|options.timeMin",
          timeMax: "timeMax|options.timeMax",
          maxResults: "limit",
          singleEvents: "=true",
          orderBy: "=startTime",
        },
      },
      "event.get": { method: "GET", url: "/calendars/{calendar}/events/{eventId}" },
      "event.delete": { method: "DELETE", url: "/calendars/{calendar}/events/{eventId}" },
      "event.update": {
        method: "PATCH",
        url: "/calendars/{calendar}/events/{eventId}",
        body: { summary: "updateFields.summary", description: "updateFields.description" },
      },
      "calendar.availability": { method: "POST", url: "/freeBusy", body: { timeMin: "timeMin", timeMax: "timeMax" } },
    },
  },
  googleTasks: {
    base: "https://tasks.googleapis.com/tasks/v1",
    needs: google,
    calls: {
      "task.create": { method: "POST", url: "/lists/{task}/tasks", body: { title: "title" } },
      "task.getAll": { method: "GET", url: "/lists/{task}/tasks" },
    },
  },
  notion: {
    base: "https://api.notion.com/v1",
    needs: bearer("Notion"),
    headers: { "Notion-Version": "2022-06-28" },
    usual: { resource: "page", operation: "create" },
    calls: {
      "databasePage.create": {
        method: "POST",
        url: "/pages",
        body: { parent: "databaseId", properties: "propertiesUi.propertyValues" },
        note: "Notion wants parent as { database_id } and its own form of properties.",
      },
      "databasePage.getAll": { method: "POST", url: "/databases/{databaseId}/query", body: {} },
      "databasePage.get": { method: "GET", url: "/pages/{pageId}" },
      "databasePage.update": {
        method: "PATCH",
        url: "/pages/{pageId}",
        body: { properties: "propertiesUi.propertyValues" },
        note: "Notion has its own form of properties.",
      },
      "page.create": {
        method: "POST",
        url: "/pages",
        body: { parent: "pageId", properties: "title" },
        note: "Notion wants parent as { page_id } and its own form of properties.",
      },
      "page.search": { method: "POST", url: "/search", body: { query: "text" } },
      "page.get": { method: "GET", url: "/pages/{pageId}" },
      "page.archive": { method: "PATCH", url: "/pages/{pageId}", body: { archived: "=true" } },
      "block.getAll": { method: "GET", url: "/blocks/{blockId}/children" },
      "block.append": { method: "PATCH", url: "/blocks/{blockId}/children", body: { children: "blockUi.blockValues" } },
      "database.get": { method: "GET", url: "/databases/{databaseId}" },
      "database.getAll": { method: "POST", url: "/search", body: {} },
      "database.search": { method: "POST", url: "/search", body: { query: "text" } },
      "user.getAll": { method: "GET", url: "/users" },
    },
  },
  airtable: {
    base: "https://api.airtable.com/v0",
    needs: bearer("Airtable"),
    usual: { resource: "record", operation: "get" },
    calls: {
      "record.create": { method: "POST", url: "/{base|application}/{table}", body: { fields: "columns.value|fields" } },
      ".append": { method: "POST", url: "/{base|application}/{table}", body: { fields: "columns.value|fields" } },
      "record.get": { method: "GET", url: "/{base|application}/{table}/{id}" },
      "record.search": {
        method: "GET",
        url: "/{base|application}/{table}",
        query: { filterByFormula: "filterByFormula", maxRecords: "limit" },
      },
      ".list": { method: "GET", url: "/{base|application}/{table}", query: { maxRecords: "limit" } },
      "record.update": {
        method: "PATCH",
        url: "/{base|application}/{table}/{columns.value.id|id}",
        body: { fields: "columns.value" },
      },
      "record.upsert": {
        method: "PATCH",
        url: "/{base|application}/{table}",
        body: { records: "columns.value" },
        note: "Airtable wants performUpsert and a list of records.",
      },
      "record.deleteRecord": { method: "DELETE", url: "/{base|application}/{table}/{id}" },
      "base.getMany": { method: "GET", url: "/meta/bases" },
      "base.getSchema": { method: "GET", url: "/meta/bases/{base}/tables" },
    },
  },
  github: {
    base: "https://api.github.com",
    needs: bearer("GitHub"),
    usual: { resource: "issue", operation: "create" },
    calls: {
      "issue.create": {
        method: "POST",
        url: "/repos/{owner}/{repository}/issues",
        body: { title: "title", body: "body" },
      },
      "issue.get": { method: "GET", url: "/repos/{owner}/{repository}/issues/{issueNumber}" },
      "issue.edit": {
        method: "PATCH",
        url: "/repos/{owner}/{repository}/issues/{issueNumber}",
        body: { title: "editFields.title", body: "editFields.body", state: "editFields.state" },
      },
      "issue.createComment": {
        method: "POST",
        url: "/repos/{owner}/{repository}/issues/{issueNumber}/comments",
        body: { body: "body" },
      },
      "repository.getIssues": { method: "GET", url: "/repos/{owner}/{repository}/issues" },
      "repository.get": { method: "GET", url: "/repos/{owner}/{repository}" },
      "repository.getPullRequests": { method: "GET", url: "/repos/{owner}/{repository}/pulls" },
      "file.get": { method: "GET", url: "/repos/{owner}/{repository}/contents/{filePath}" },
      "file.list": { method: "GET", url: "/repos/{owner}/{repository}/contents/{filePath}" },
      "file.create": {
        method: "PUT",
        url: "/repos/{owner}/{repository}/contents/{filePath}",
        body: { message: "commitMessage", content: "fileContent" },
        note: "GitHub wants the content in base64: use encodeBase64.",
      },
      "file.edit": {
        method: "PUT",
        url: "/repos/{owner}/{repository}/contents/{filePath}",
        body: { message: "commitMessage", content: "fileContent" },
        note: "GitHub wants the content in base64, and the file's sha.",
      },
      "release.create": {
        method: "POST",
        url: "/repos/{owner}/{repository}/releases",
        body: { tag_name: "releaseTag" },
      },
      "user.getRepositories": { method: "GET", url: "/users/{owner}/repos" },
    },
  },
  supabase: {
    base: "https://<project>.supabase.co/rest/v1",
    needs: "the project's address, and its service key (HTTP header apikey)",
    usual: { resource: "row", operation: "create" },
    calls: {
      "row.create": {
        method: "POST",
        url: "/{tableId}",
        body: { data: "fieldsUi.fieldValues" },
        note: "The body is the row itself: values by column.",
      },
      "row.getAll": {
        method: "GET",
        url: "/{tableId}",
        query: { limit: "limit" },
        note: "Conditions are parameters such as id=eq.1.",
      },
      "row.get": { method: "GET", url: "/{tableId}", note: "Conditions are parameters such as id=eq.1." },
      "row.update": {
        method: "PATCH",
        url: "/{tableId}",
        body: { data: "fieldsUi.fieldValues" },
        note: "The body is the row itself; conditions are parameters such as id=eq.1.",
      },
      "row.delete": { method: "DELETE", url: "/{tableId}", note: "Conditions are parameters such as id=eq.1." },
    },
  },
  whatsApp: {
    base: "https://graph.facebook.com/v20.0",
    needs: bearer("WhatsApp Business"),
    usual: { resource: "message", operation: "send" },
    calls: {
      "message.send": {
        method: "POST",
        url: "/{phoneNumberId}/messages",
        body: { messaging_product: "=whatsapp", to: "recipientPhoneNumber", type: "=text", text: "textBody" },
        note: "WhatsApp wants text as { body }.",
      },
      "message.sendTemplate": {
        method: "POST",
        url: "/{phoneNumberId}/messages",
        body: { messaging_product: "=whatsapp", to: "recipientPhoneNumber", type: "=template", template: "template" },
      },
      "media.mediaUrlGet": { method: "GET", url: "/{mediaGetId}" },
    },
  },
  sendGrid: {
    base: "https://api.sendgrid.com/v3",
    needs: bearer("SendGrid"),
    usual: { resource: "mail", operation: "send" },
    calls: {
      "mail.send": {
        method: "POST",
        url: "/mail/send",
        body: { from: "fromEmail", personalizations: "toEmail", subject: "subject", content: "contentValue" },
        note: "SendGrid wants from as { email }, personalizations and content as lists.",
      },
    },
  },
  mailgun: {
    base: "https://api.mailgun.net/v3",
    needs: "a Mailgun key (HTTP user name api)",
    calls: {
      ".": {
        method: "POST",
        url: "/<domain>/messages",
        body: { from: "fromEmail", to: "toEmail", subject: "subject", text: "text" },
      },
    },
  },
  emailSend: {
    base: "https://api.resend.com",
    needs: "a key of a mail service with an API (HTTP bearer)",
    calls: {
      ".": {
        method: "POST",
        url: "/emails",
        body: { from: "fromEmail", to: "toEmail", subject: "subject", text: "text|message", html: "html|emailHtml" },
        note: "SMTP is not possible; this is Resend's API, and other mail services are much alike.",
      },
      ".send": {
        method: "POST",
        url: "/emails",
        body: { from: "fromEmail", to: "toEmail", subject: "subject", text: "text", html: "html" },
        note: "SMTP is not possible; this is Resend's API, and other mail services are much alike.",
      },
      ".sendAndWait": {
        method: "POST",
        url: "/emails",
        body: { from: "fromEmail", to: "toEmail", subject: "subject", text: "message" },
        note: "It does not wait for an answer.",
      },
    },
  },
  jira: {
    base: "https://<site>.atlassian.net/rest/api/3",
    needs: "the site's address and an API token (HTTP user name and password)",
    usual: { resource: "issue", operation: "create" },
    calls: {
      "issue.create": {
        method: "POST",
        url: "/issue",
        body: {
          project: "project",
          issuetype: "issueType",
          summary: "summary",
          description: "additionalFields.description",
        },
        note: 'Jira wants these inside "fields", with ids as objects.',
      },
      "issue.get": { method: "GET", url: "/issue/{issueKey}" },
      "issue.getAll": { method: "GET", url: "/search", query: { jql: "options.jql", maxResults: "limit" } },
      "issue.update": { method: "PUT", url: "/issue/{issueKey}", body: { fields: "updateFields" } },
      "issueComment.add": { method: "POST", url: "/issue/{issueKey}/comment", body: { body: "comment" } },
    },
  },
  hubspot: {
    base: "https://api.hubapi.com/crm/v3/objects",
    needs: bearer("HubSpot"),
    usual: { resource: "contact", operation: "upsert" },
    calls: {
      "contact.upsert": { method: "POST", url: "/contacts", body: { properties: "additionalFields" } },
      "contact.get": { method: "GET", url: "/contacts/{contactId}" },
      "contact.getAll": { method: "GET", url: "/contacts", query: { limit: "limit" } },
      "contact.search": {
        method: "POST",
        url: "/contacts/search",
        body: { filterGroups: "filterGroupsUi.filterGroupsValues" },
      },
      "deal.create": { method: "POST", url: "/deals", body: { properties: "additionalFields" } },
      "deal.get": { method: "GET", url: "/deals/{dealId}" },
      "company.create": { method: "POST", url: "/companies", body: { properties: "additionalFields" } },
      "ticket.create": { method: "POST", url: "/tickets", body: { properties: "additionalFields" } },
    },
  },
  linear: { base: "https://api.linear.app/graphql", needs: "a Linear key (HTTP header Authorization)", calls: {} },
  trello: {
    base: "https://api.trello.com/1",
    needs: "a Trello key and token (parameters key and token)",
    calls: {
      "card.create": { method: "POST", url: "/cards", query: { idList: "listId", name: "name", desc: "description" } },
      "card.get": { method: "GET", url: "/cards/{id}" },
      "card.update": { method: "PUT", url: "/cards/{id}" },
      "list.getCards": { method: "GET", url: "/lists/{id}/cards" },
    },
  },
  asana: {
    base: "https://app.asana.com/api/1.0",
    needs: bearer("Asana"),
    calls: {
      "task.create": { method: "POST", url: "/tasks", body: { data: "otherProperties" } },
      "task.get": { method: "GET", url: "/tasks/{id}" },
    },
  },
  clickUp: {
    base: "https://api.clickup.com/api/v2",
    needs: "a ClickUp token (HTTP header Authorization)",
    usual: { resource: "task", operation: "create" },
    calls: {
      "task.create": {
        method: "POST",
        url: "/list/{list}/task",
        body: { name: "name", description: "additionalFields.content" },
      },
      "task.get": { method: "GET", url: "/task/{id}" },
      "task.getAll": { method: "GET", url: "/list/{list}/task" },
      "task.update": { method: "PUT", url: "/task/{id}" },
    },
  },
  todoist: {
    base: "https://api.todoist.com/rest/v2",
    needs: bearer("Todoist"),
    usual: { resource: "task", operation: "create" },
    calls: {
      "task.create": {
        method: "POST",
        url: "/tasks",
        body: { content: "content", description: "options.description", project_id: "project" },
      },
      "task.getAll": { method: "GET", url: "/tasks" },
      "task.close": { method: "POST", url: "/tasks/{taskId}/close" },
      "task.delete": { method: "DELETE", url: "/tasks/{taskId}" },
    },
  },
  stripe: {
    base: "https://api.stripe.com/v1",
    needs: bearer("Stripe"),
    calls: {
      "balance.get": { method: "GET", url: "/balance" },
      "customer.get": { method: "GET", url: "/customers/{customerId}" },
      "customer.getAll": { method: "GET", url: "/customers", query: { limit: "limit" } },
      "charge.get": { method: "GET", url: "/charges/{chargeId}" },
      "charge.getAll": { method: "GET", url: "/charges" },
    },
  },
  shopify: {
    base: "https://<shop>.myshopify.com/admin/api/2024-10",
    needs: "the shop's address and a token (HTTP header X-Shopify-Access-Token)",
    calls: {
      "order.get": { method: "GET", url: "/orders/{orderId}.json" },
      "order.getAll": { method: "GET", url: "/orders.json" },
      "product.getAll": { method: "GET", url: "/products.json" },
      "product.get": { method: "GET", url: "/products/{productId}.json" },
    },
  },
  wooCommerce: {
    base: "https://<shop>/wp-json/wc/v3",
    needs: "the shop's address, and key and secret (HTTP user name and password)",
    calls: {
      "order.get": { method: "GET", url: "/orders/{orderId}" },
      "order.getAll": { method: "GET", url: "/orders" },
      "product.getAll": { method: "GET", url: "/products", query: { search: "options.search" } },
      "product.get": { method: "GET", url: "/products/{productId}" },
    },
  },
  wordpress: {
    base: "https://<site>/wp-json/wp/v2",
    needs: "the site's address, and an application password (HTTP user name and password)",
    usual: { resource: "post", operation: "create" },
    calls: {
      "post.create": {
        method: "POST",
        url: "/posts",
        body: { title: "title", content: "additionalFields.content", status: "additionalFields.status" },
      },
      "post.get": { method: "GET", url: "/posts/{postId}" },
      "post.getAll": { method: "GET", url: "/posts" },
      "post.update": {
        method: "POST",
        url: "/posts/{postId}",
        body: { title: "updateFields.title", content: "updateFields.content" },
      },
    },
  },
  youTube: {
    base: "https://www.googleapis.com/youtube/v3",
    needs: google,
    calls: {
      "video.getAll": {
        method: "GET",
        url: "/search?part=snippet&type=video",
        query: { q: "filters.q", maxResults: "limit", channelId: "filters.channelId" },
      },
      "video.get": { method: "GET", url: "/videos?part=snippet,statistics,contentDetails", query: { id: "videoId" } },
      "channel.get": { method: "GET", url: "/channels?part=snippet,statistics", query: { id: "channelId" } },
    },
  },
  twitter: {
    base: "https://api.twitter.com/2",
    needs: bearer("X"),
    usual: { resource: "tweet", operation: "create" },
    calls: {
      "tweet.create": { method: "POST", url: "/tweets", body: { text: "text" } },
      "tweet.search": {
        method: "GET",
        url: "/tweets/search/recent",
        query: { query: "searchText", max_results: "limit" },
      },
      "tweet.delete": { method: "DELETE", url: "/tweets/{tweetDeleteId}" },
    },
  },
  linkedIn: {
    base: "https://api.linkedin.com/v2",
    needs: bearer("LinkedIn"),
    calls: {
      "post.create": {
        method: "POST",
        url: "/ugcPosts",
        body: { text: "text" },
        note: "LinkedIn has its own form of posts.",
      },
      ".create": {
        method: "POST",
        url: "/ugcPosts",
        body: { text: "text" },
        note: "LinkedIn has its own form of posts.",
      },
      ".": { method: "POST", url: "/ugcPosts", body: { text: "text" }, note: "LinkedIn has its own form of posts." },
    },
  },
  facebookGraphApi: {
    base: "https://graph.facebook.com/v20.0",
    needs: bearer("Facebook"),
    calls: { ".": { method: "POST", url: "/{node}/{edge}" } },
  },
  microsoftOutlook: {
    base: "https://graph.microsoft.com/v1.0/me",
    needs: bearer("Microsoft"),
    usual: { resource: "message", operation: "send" },
    calls: {
      "message.send": {
        method: "POST",
        url: "/sendMail",
        body: { subject: "subject", body: "bodyContent", toRecipients: "toRecipients" },
        note: 'Microsoft wants these inside "message", with its own form of addresses.',
      },
      "message.get": { method: "GET", url: "/messages/{messageId}" },
      "message.getAll": { method: "GET", url: "/messages", query: { $top: "limit" } },
      "message.reply": { method: "POST", url: "/messages/{messageId}/reply", body: { comment: "message" } },
      "event.create": {
        method: "POST",
        url: "/events",
        body: { subject: "subject", start: "startDateTime", end: "endDateTime" },
      },
      "event.getAll": { method: "GET", url: "/events" },
      "draft.create": { method: "POST", url: "/messages", body: { subject: "subject", body: "bodyContent" } },
    },
  },
  microsoftTeams: {
    base: "https://graph.microsoft.com/v1.0",
    needs: bearer("Microsoft"),
    usual: { resource: "channelMessage", operation: "create" },
    calls: {
      "channelMessage.create": {
        method: "POST",
        url: "/teams/{teamId}/channels/{channelId}/messages",
        body: { body: "message" },
        note: "Microsoft wants body as { content }.",
      },
      "chatMessage.create": {
        method: "POST",
        url: "/chats/{chatId}/messages",
        body: { body: "message" },
        note: "Microsoft wants body as { content }.",
      },
    },
  },
  microsoftExcel: {
    base: "https://graph.microsoft.com/v1.0/me/drive/items",
    needs: bearer("Microsoft"),
    calls: { "worksheet.readRows": { method: "GET", url: "/{workbook}/workbook/worksheets/{worksheet}/usedRange" } },
  },
  microsoftOneDrive: {
    base: "https://graph.microsoft.com/v1.0/me/drive",
    needs: bearer("Microsoft"),
    calls: {
      "file.download": { method: "GET", url: "/items/{fileId}/content" },
      "file.search": { method: "GET", url: "/root/search(q='{query}')" },
    },
  },
  openWeatherMap: {
    base: "https://api.openweathermap.org/data/2.5",
    needs: "an OpenWeather key (API key, sent in the query as appid)",
    usual: { operation: "currentWeather" },
    calls: {
      ".currentWeather": {
        method: "GET",
        url: "/weather",
        query: { q: "cityName", lat: "latitude", lon: "longitude", id: "cityId", units: "format" },
      },
      ".5DayForecast": {
        method: "GET",
        url: "/forecast",
        query: { q: "cityName", lat: "latitude", lon: "longitude", units: "format" },
      },
    },
  },
  hackerNews: {
    base: "https://hn.algolia.com/api/v1",
    needs: "",
    usual: { resource: "article", operation: "get" },
    calls: {
      "all.getAll": {
        method: "GET",
        url: "/search",
        query: { query: "additionalFields.keyword", hitsPerPage: "limit" },
      },
      "article.get": { method: "GET", url: "/items/{articleId}" },
      "user.get": { method: "GET", url: "/users/{username}" },
    },
  },
  reddit: {
    base: "https://oauth.reddit.com",
    needs: bearer("Reddit"),
    calls: {
      "post.search": { method: "GET", url: "/r/{subreddit}/search", query: { q: "keyword", limit: "limit" } },
      "post.getAll": { method: "GET", url: "/r/{subreddit}/new", query: { limit: "limit" } },
      "post.create": { method: "POST", url: "/api/submit" },
    },
  },
  rssFeedRead: {
    base: "",
    needs: "",
    calls: { ".": { method: "GET", url: "{url}", note: "The feed comes as text (XML)." } },
  },
  tavily: {
    base: "https://api.tavily.com",
    needs: bearer("Tavily"),
    usual: { resource: "search", operation: "query" },
    calls: {
      "search.query": { method: "POST", url: "/search", body: { query: "query" } },
      "search.": { method: "POST", url: "/search", body: { query: "query" } },
      "extract.": { method: "POST", url: "/extract", body: { urls: "urls|url" } },
    },
  },
  braveSearch: {
    base: "https://api.search.brave.com/res/v1",
    needs: "a Brave key (HTTP header X-Subscription-Token)",
    usual: { resource: "web", operation: "query" },
    calls: {
      ".query": { method: "GET", url: "/web/search", query: { q: "query" } },
      ".": { method: "GET", url: "/web/search", query: { q: "query" } },
    },
  },
  jinaAi: {
    base: "https://r.jina.ai",
    needs: bearer("Jina"),
    usual: { resource: "reader", operation: "read" },
    calls: {
      "reader.read": { method: "GET", url: "https://r.jina.ai/{url}" },
      "reader.search": { method: "GET", url: "https://s.jina.ai/", query: { q: "searchQuery" } },
    },
  },
  serpApi: {
    base: "https://serpapi.com",
    needs: "a SerpApi key (API key, sent in the query as api_key)",
    calls: { ".": { method: "GET", url: "/search.json", query: { q: "q" } } },
  },
  perplexity: {
    base: "https://api.perplexity.ai",
    needs: bearer("Perplexity"),
    calls: {
      ".": { method: "POST", url: "/chat/completions", body: { model: "model", messages: "messages.message" } },
      "chat.complete": {
        method: "POST",
        url: "/chat/completions",
        body: { model: "model", messages: "messages.message" },
      },
    },
  },
  firecrawl: {
    base: "https://api.firecrawl.dev/v1",
    needs: bearer("Firecrawl"),
    calls: {
      ".scrape": { method: "POST", url: "/scrape", body: { url: "url" } },
      ".crawl": { method: "POST", url: "/crawl", body: { url: "url" } },
      ".search": { method: "POST", url: "/search", body: { query: "query" } },
    },
  },
  apify: {
    base: "https://api.apify.com/v2",
    needs: bearer("Apify"),
    calls: { "Actors.Run actor": { method: "POST", url: "/acts/{actorId}/runs" } },
  },
  zendesk: {
    base: "https://<name>.zendesk.com/api/v2",
    needs: "the address and an API token (HTTP user name and password)",
    usual: { resource: "ticket", operation: "create" },
    calls: {
      "ticket.create": {
        method: "POST",
        url: "/tickets",
        body: { ticket: "description" },
        note: "Zendesk wants ticket as { comment }.",
      },
      "ticket.get": { method: "GET", url: "/tickets/{id}" },
      "ticket.getAll": { method: "GET", url: "/tickets" },
      "ticket.update": { method: "PUT", url: "/tickets/{id}" },
    },
  },
  freshdesk: {
    base: "https://<name>.freshdesk.com/api/v2",
    needs: "the address and a key (HTTP user name)",
    calls: {
      "ticket.create": { method: "POST", url: "/tickets" },
      "ticket.get": { method: "GET", url: "/tickets/{ticketId}" },
    },
  },
  pipedrive: {
    base: "https://api.pipedrive.com/v1",
    needs: "a Pipedrive token (API key, sent in the query as api_token)",
    calls: {
      "deal.create": { method: "POST", url: "/deals", body: { title: "title" } },
      "person.create": { method: "POST", url: "/persons", body: { name: "name" } },
      "person.search": { method: "GET", url: "/persons/search", query: { term: "term" } },
    },
  },
  salesforce: {
    base: "https://<site>.my.salesforce.com/services/data/v60.0",
    needs: bearer("Salesforce"),
    calls: {
      "search.query": { method: "GET", url: "/query", query: { q: "query" } },
      "lead.create": { method: "POST", url: "/sobjects/Lead", body: { LastName: "lastname", Company: "company" } },
    },
  },
  mondayCom: { base: "https://api.monday.com/v2", needs: "a monday.com token (HTTP header Authorization)", calls: {} },
  baserow: {
    base: "https://api.baserow.io/api/database/rows/table",
    needs: "a Baserow token (HTTP header Authorization: Token …)",
    usual: { operation: "getAll" },
    calls: {
      ".getAll": { method: "GET", url: "/{tableId}/?user_field_names=true" },
      ".create": { method: "POST", url: "/{tableId}/?user_field_names=true" },
      ".get": { method: "GET", url: "/{tableId}/{rowId}/?user_field_names=true" },
      ".update": { method: "PATCH", url: "/{tableId}/{rowId}/?user_field_names=true" },
      ".delete": { method: "DELETE", url: "/{tableId}/{rowId}/" },
    },
  },
  nocoDb: {
    base: "https://app.nocodb.com/api/v2/tables",
    needs: "a NocoDB token (HTTP header xc-token)",
    usual: { resource: "row", operation: "get" },
    calls: {
      "row.getAll": { method: "GET", url: "/{table}/records" },
      "row.create": { method: "POST", url: "/{table}/records" },
      "row.get": { method: "GET", url: "/{table}/records/{id}" },
    },
  },
  graphql: {
    base: "",
    needs: "",
    calls: { ".": { method: "POST", url: "{endpoint}", body: { query: "query", variables: "variables" } } },
  },
  googleAnalytics: { base: "https://analyticsdata.googleapis.com/v1beta", needs: google, calls: {} },
  googleBigQuery: {
    base: "https://bigquery.googleapis.com/bigquery/v2",
    needs: google,
    usual: { operation: "executeQuery" },
    calls: {
      ".executeQuery": {
        method: "POST",
        url: "/projects/{projectId}/queries",
        body: { query: "sqlQuery", useLegacySql: "=false" },
      },
    },
  },
  googleSlides: {
    base: "https://slides.googleapis.com/v1/presentations",
    needs: google,
    calls: { "presentation.get": { method: "GET", url: "/{presentationId}" } },
  },
  googleContacts: {
    base: "https://people.googleapis.com/v1",
    needs: google,
    calls: { "contact.getAll": { method: "GET", url: "/people/me/connections" } },
  },
  googleTranslate: {
    base: "https://translation.googleapis.com/language/translate/v2",
    needs: google,
    calls: {
      "language.translate": { method: "POST", url: "", body: { q: "text", target: "translateTo" } },
      ".translate": { method: "POST", url: "", body: { q: "text", target: "translateTo" } },
      ".": { method: "POST", url: "", body: { q: "text", target: "translateTo" } },
    },
  },
  deepL: {
    base: "https://api-free.deepl.com/v2",
    needs: "a DeepL key (HTTP header Authorization: DeepL-Auth-Key …)",
    usual: { resource: "language", operation: "translate" },
    calls: {
      "language.translate": { method: "POST", url: "/translate", body: { text: "text", target_lang: "translateTo" } },
    },
  },
  elasticsearch: {
    base: "https://<host>:9200",
    needs: "the server's address and a credential",
    calls: {
      "document.getAll": { method: "POST", url: "/{indexId}/_search" },
      "document.create": { method: "POST", url: "/{indexId}/_doc" },
    },
  },
  qdrant: { base: "https://<host>:6333", needs: "the server's address and a key (HTTP header api-key)", calls: {} },
  mailchimp: {
    base: "https://<dc>.api.mailchimp.com/3.0",
    needs: "the address and a key (HTTP user name and password)",
    calls: {
      "member.create": {
        method: "POST",
        url: "/lists/{list}/members",
        body: { email_address: "email", status: "status" },
      },
    },
  },
  twilio: {
    base: "https://api.twilio.com/2010-04-01/Accounts/<account>",
    needs: "account and token (HTTP user name and password)",
    usual: { resource: "sms", operation: "send" },
    calls: {
      "sms.send": {
        method: "POST",
        url: "/Messages.json",
        body: { From: "from", To: "to", Body: "message" },
        note: "Twilio wants a form: choose it as the body type.",
      },
    },
  },
  vapi: { base: "https://api.vapi.ai", needs: bearer("Vapi"), calls: {} },
  elevenLabs: { base: "https://api.elevenlabs.io/v1", needs: "an ElevenLabs key (HTTP header xi-api-key)", calls: {} },
  n8n: {
    base: "https://<host>/api/v1",
    needs: "the server's address and a key (HTTP header X-N8N-API-KEY)",
    calls: {
      "workflow.getAll": { method: "GET", url: "/workflows" },
      "workflow.get": { method: "GET", url: "/workflows/{workflowId}" },
      "execution.getAll": { method: "GET", url: "/executions" },
    },
  },
  strava: {
    base: "https://www.strava.com/api/v3",
    needs: bearer("Strava"),
    calls: { "activity.getAll": { method: "GET", url: "/athlete/activities" } },
  },
  spotify: { base: "https://api.spotify.com/v1", needs: bearer("Spotify"), calls: {} },
  gitlab: {
    base: "https://gitlab.com/api/v4",
    needs: "a GitLab token (HTTP header PRIVATE-TOKEN)",
    calls: {
      "issue.create": {
        method: "POST",
        url: "/projects/{owner}%2F{repository}/issues",
        body: { title: "title", description: "body" },
      },
    },
  },
  coda: { base: "https://coda.io/apis/v1", needs: bearer("Coda"), calls: {} },
  typeform: { base: "https://api.typeform.com", needs: bearer("Typeform"), calls: {} },
  calendly: { base: "https://api.calendly.com", needs: bearer("Calendly"), calls: {} },
  zoom: {
    base: "https://api.zoom.us/v2",
    needs: bearer("Zoom"),
    calls: { "meeting.create": { method: "POST", url: "/users/me/meetings", body: { topic: "topic" } } },
  },
  mattermost: {
    base: "https://<host>/api/v4",
    needs: bearer("Mattermost"),
    calls: { "message.post": { method: "POST", url: "/posts", body: { channel_id: "channelId", message: "message" } } },
  },
  nasa: {
    base: "https://api.nasa.gov",
    needs: "a NASA key (API key, sent in the query as api_key)",
    calls: { "astronomyPictureOfTheDay.get": { method: "GET", url: "/planetary/apod" } },
  },
  coinGecko: {
    base: "https://api.coingecko.com/api/v3",
    needs: "",
    calls: {
      "coin.price": {
        method: "GET",
        url: "/simple/price",
        query: { ids: "quoteCurrencies", vs_currencies: "currencies" },
      },
    },
  },
};

/** What the vendors of models offer besides chat, by the vendor. */
export const vendorApis: Readonly<Record<"openai" | "anthropic" | "gemini" | "ollama", Service>> = {
  openai: {
    base: "https://api.openai.com/v1",
    needs: "an OpenAI key (HTTP bearer)",
    calls: {
      "image.generate": {
        method: "POST",
        url: "/images/generations",
        body: { model: "model", prompt: "prompt", size: "options.size", quality: "options.quality" },
      },
      "image.create": { method: "POST", url: "/images/generations", body: { prompt: "prompt", size: "options.size" } },
      "image.analyze": {
        method: "POST",
        url: "/responses",
        body: { model: "modelId", input: "text" },
        note: "Put the image's address into the input as OpenAI describes it.",
      },
      "image.edit": {
        method: "POST",
        url: "/images/edits",
        body: { model: "model", prompt: "prompt" },
        note: "Files are not sent.",
      },
      "audio.generate": {
        method: "POST",
        url: "/audio/speech",
        body: { model: "model", input: "input", voice: "voice" },
        note: "Sound does not come back as a file.",
      },
      "audio.transcribe": {
        method: "POST",
        url: "/audio/transcriptions",
        note: "Files are not sent: transcribe before the run.",
      },
      "audio.translate": {
        method: "POST",
        url: "/audio/translations",
        note: "Files are not sent: translate before the run.",
      },
      "text.classify": { method: "POST", url: "/moderations", body: { input: "input" } },
      "text.moderate": { method: "POST", url: "/moderations", body: { input: "input" } },
      "file.list": { method: "GET", url: "/files" },
    },
  },
  anthropic: {
    base: "https://api.anthropic.com/v1",
    needs: "an Anthropic key (HTTP header x-api-key)",
    headers: { "anthropic-version": "2023-06-01" },
    calls: {},
  },
  gemini: {
    base: "https://generativelanguage.googleapis.com/v1beta",
    needs: "a Gemini key (HTTP header x-goog-api-key)",
    calls: {
      "image.generate": {
        method: "POST",
        url: "/models/{modelId}:generateContent",
        body: { contents: "prompt" },
        note: "Gemini wants contents as a list of parts.",
      },
      "image.analyze": {
        method: "POST",
        url: "/models/{modelId}:generateContent",
        body: { contents: "text" },
        note: "Gemini wants contents as a list of parts, the image among them.",
      },
    },
  },
  ollama: { base: "http://localhost:11434/api", needs: "", calls: {} },
};
