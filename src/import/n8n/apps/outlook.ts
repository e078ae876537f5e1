import type { Json, JsonObject } from "../../../engine/json.ts";
import type { NodeWork } from "../node-work.ts";
import type { Service } from "../services.ts";
import { encodedAttachments } from "./attached-files.ts";
import { type AppMapper, type AppRequest, given, isGiven, listOf, present, segment, unsaid } from "./request.ts";

/** Addresses as Microsoft has them. */
function recipients(work: NodeWork, value: Json | undefined): Json | undefined {
  const list = listOf(work, value);
  if (list === undefined) return undefined;
  if (Array.isArray(list)) return list.map((address) => ({ emailAddress: { address } }));
  return `{{${String(list).slice(2, -2)}.map(one, {"emailAddress": {"address": text(one)} }) }}`;
}

const filePaths = (work: NodeWork) => {
  const path = ["additionalFields", "attachments", "attachments"];
  return work.list(...path).map((_, at) => [...path, String(at), "binaryPropertyName"]);
};

/** A mail with its files (learn.microsoft.com/graph/api/resources/fileattachment); the request is made of the whole message. */
function withFiles(work: NodeWork, request: (message: JsonObject) => AppRequest): AppRequest {
  const paths = filePaths(work);
  if (paths.length === 0) return request(messageOf(work, "additionalFields"));
  const { before, attachments } = encodedAttachments(work, paths, "microsoft");
  return {
    ...request({ ...messageOf(work, "additionalFields"), attachments }),
    before,
    note: "Its files may have 3 MB together: for larger ones Microsoft wants an upload of its own.",
  };
}

/** A mail in the form of Microsoft Graph (learn.microsoft.com/graph/api/resources/message). */
function messageOf(work: NodeWork, group: "additionalFields" | "updateFields"): JsonObject {
  const at = (name: string) => work.at(group, name) ?? (group === "additionalFields" ? work.at(name) : undefined);
  const kind = at("bodyContentType") === "html" ? "html" : "Text";
  const content = given(work, group, "bodyContent") ?? given(work, "bodyContent") ?? given(work, group, "body");
  const headers = work.list(group, "internetMessageHeaders", "headers");
  const from = given(work, group, "from");
  return present({
    subject: given(work, "subject") ?? given(work, group, "subject"),
    body: content === undefined ? undefined : { contentType: kind, content },
    toRecipients: recipients(work, work.at("toRecipients") ?? work.at(group, "toRecipients")),
    ccRecipients: recipients(work, at("ccRecipients")),
    bccRecipients: recipients(work, at("bccRecipients")),
    replyTo: recipients(work, at("replyTo")),
    from: from === undefined ? undefined : { emailAddress: { address: from } },
    importance: given(work, group, "importance"),
    categories: listOf(work, at("categories")),
    isRead: given(work, group, "isRead"),
    isReadReceiptRequested: given(work, group, "isReadReceiptRequested"),
    internetMessageHeaders:
      headers.length === 0
        ? undefined
        : headers.map(({ name, value }) => ({ name: work.textOf(name), value: work.textOf(value) })),
  });
}

const messagePath = (work: NodeWork) => `/messages/${segment(work, "messageId")}`;

/** n8n's filters in OData. */
function filterOf(work: NodeWork): string | undefined {
  const filters = ["filtersUI", "values", "filters"];
  const text = (name: string) => (isGiven(work, ...filters, name) ? work.textOf(work.at(...filters, name)) : undefined);
  const has = work.at(...filters, "hasAttachments");
  const status = work.word([...filters, "readStatus"]);
  const sender = text("sender");
  const after = text("receivedAfter");
  const before = text("receivedBefore");
  const parts = [
    text("custom"),
    isGiven(work, "additionalFields", "filter") ? work.textOf(work.at("additionalFields", "filter")) : undefined,
    typeof has === "boolean" ? `hasAttachments eq ${String(has)}` : undefined,
    status === "read" ? "isRead eq true" : status === "unread" ? "isRead eq false" : undefined,
    sender === undefined ? undefined : `from/emailAddress/address eq '${sender}'`,
    after === undefined ? undefined : `receivedDateTime ge ${after}`,
    before === undefined ? undefined : `receivedDateTime le ${before}`,
  ].filter((one) => one !== undefined);
  return parts.length === 0 ? undefined : parts.join(" and ");
}

const listMessages: AppMapper = (work) => {
  const folders = listOf(work, work.at("filtersUI", "values", "filters", "foldersToInclude"));
  if (Array.isArray(folders) && folders.length > 1)
    return unsaid("Microsoft lists one folder in a request, and it has several.");
  const folder = Array.isArray(folders) ? String(folders[0] ?? "") : "";
  const fields = work.word("output") === "fields" ? listOf(work, work.at("fields")) : undefined;
  const all = work.flag("returnAll");
  return {
    method: "GET",
    path: folder === "" ? "/messages" : `/mailFolders/${encodeURIComponent(folder)}/messages`,
    query: present({
      $top: all ? 100 : (given(work, "limit") ?? 50),
      $filter: filterOf(work),
      $search: isGiven(work, "filtersUI", "values", "search")
        ? `"${work.textOf(work.at("filtersUI", "values", "search"))}"`
        : undefined,
      $select: Array.isArray(fields) ? fields.join(",") : fields,
    }),
    paging: { parameter: "", next: "@odata.nextLink", items: "value", all },
  };
};

const send: AppMapper = (work) =>
  withFiles(work, (message) => ({
    method: "POST",
    path: "/sendMail",
    body: { message, ...present({ saveToSentItems: given(work, "additionalFields", "saveToSentItems") }) },
  }));

const reply: AppMapper = (work) => {
  if (filePaths(work).length > 0)
    return unsaid(
      "It answers with attachments, which are requests of their own at Microsoft: a draft, its files, and sending it.",
    );
  const onlySender = work.at("replyToSenderOnly") === true || work.word("replyType") === "reply";
  const { body: _body, ...message } = messageOf(work, "additionalFields");
  const text = given(work, "message") ?? given(work, "comment") ?? given(work, "bodyContent");
  return {
    method: "POST",
    path: `${messagePath(work)}/${onlySender ? "reply" : "replyAll"}`,
    body: { ...present({ comment: text }), ...(Object.keys(message).length === 0 ? {} : { message }) },
  };
};

/** When an event begins or ends. */
const moment = (work: NodeWork, value: Json | undefined): JsonObject | undefined =>
  value === undefined || value === ""
    ? undefined
    : { dateTime: work.textOf(value), timeZone: work.word(["additionalFields", "timeZone"], "UTC") };

const createEvent: AppMapper = (work) => {
  const at = (name: string) => work.at("additionalFields", name);
  const body = given(work, "additionalFields", "body");
  return {
    method: "POST",
    path: `/calendars/${segment(work, "calendarId")}/events`,
    body: present({
      subject: given(work, "subject"),
      start: moment(work, work.at("startDateTime")),
      end: moment(work, work.at("endDateTime")),
      body: body === undefined ? undefined : { contentType: "Text", content: body },
      attendees: recipients(work, at("attendees")),
      importance: given(work, "additionalFields", "importance"),
      sensitivity: given(work, "additionalFields", "sensitivity"),
      showAs: given(work, "additionalFields", "showAs"),
      isAllDay: given(work, "additionalFields", "isAllDay"),
      isOnlineMeeting: given(work, "additionalFields", "isOnlineMeeting"),
      categories: listOf(work, at("categories")),
      location: isGiven(work, "additionalFields", "location")
        ? { displayName: given(work, "additionalFields", "location") ?? "" }
        : undefined,
    }),
  };
};

const get =
  (path: (work: NodeWork) => string): AppMapper =>
  (work) => ({ method: "GET", path: path(work) });

const list =
  (path: (work: NodeWork) => string): AppMapper =>
  (work) => ({
    method: "GET",
    path: path(work),
    query: { $top: work.flag("returnAll") ? 100 : (given(work, "limit") ?? 50) },
    paging: { parameter: "", next: "@odata.nextLink", items: "value", all: work.flag("returnAll") },
  });

const remove =
  (path: (work: NodeWork) => string): AppMapper =>
  (work) => ({ method: "DELETE", path: path(work) });

const draftPath = (work: NodeWork) => `/messages/${segment(work, isGiven(work, "draftId") ? "draftId" : "messageId")}`;
const eventPath = (work: NodeWork) => `/events/${segment(work, "eventId")}`;

/** Mail and calendars of Microsoft Graph (learn.microsoft.com/graph/api/resources/mail-api-overview). */
export const microsoftOutlook: Service = {
  base: "https://graph.microsoft.com/v1.0/me",
  connector: "outlook",
  needs: "a Microsoft sign-in",
  usual: {
    resource: "message",
    operation: "send",
    operations: {
      message: "send",
      draft: "create",
      event: "getAll",
      calendar: "getAll",
      folder: "getAll",
      folderMessage: "getAll",
      contact: "getAll",
      messageAttachment: "getAll",
    },
  },
  calls: {
    "message.send": send,
    "message.sendMessage": send,
    "message.sendAndWait": (work) => ({ ...base(work), note: "It does not wait for an answer." }),
    "message.reply": reply,
    "message.get": get(messagePath),
    "message.getAll": listMessages,
    "message.update": (work) => ({ method: "PATCH", path: messagePath(work), body: messageOf(work, "updateFields") }),
    "message.move": (work) => ({
      method: "POST",
      path: `${messagePath(work)}/move`,
      body: present({ destinationId: given(work, "folderId") ?? given(work, "destinationId") }),
    }),
    "message.delete": remove(messagePath),
    "draft.create": (work) => withFiles(work, (message) => ({ method: "POST", path: "/messages", body: message })),
    "draft.send": (work) =>
      isGiven(work, "to")
        ? unsaid("It sets the recipients of a draft and sends it, which are two requests.")
        : { method: "POST", path: `${draftPath(work)}/send`, body: {} },
    "draft.get": get(draftPath),
    "draft.update": (work) => ({ method: "PATCH", path: draftPath(work), body: messageOf(work, "updateFields") }),
    "draft.delete": remove(draftPath),
    "folder.getAll": list(() => "/mailFolders"),
    "folder.create": (work) => ({
      method: "POST",
      path: "/mailFolders",
      body: present({ displayName: given(work, "displayName") }),
    }),
    "folder.get": get((work) => `/mailFolders/${segment(work, "folderId")}`),
    "folder.delete": remove((work) => `/mailFolders/${segment(work, "folderId")}`),
    "folderMessage.getAll": list((work) => `/mailFolders/${segment(work, "folderId")}/messages`),
    "messageAttachment.getAll": list((work) => `${messagePath(work)}/attachments`),
    "messageAttachment.get": get((work) => `${messagePath(work)}/attachments/${segment(work, "attachmentId")}`),
    "calendar.getAll": list(() => "/calendars"),
    "event.create": createEvent,
    "event.get": get(eventPath),
    "event.getAll": list((work) =>
      isGiven(work, "calendarId") ? `/calendars/${segment(work, "calendarId")}/events` : "/events",
    ),
    "event.delete": remove(eventPath),
    "contact.getAll": list(() => "/contacts"),
    "contact.get": get((work) => `/contacts/${segment(work, "contactId")}`),
    "contact.delete": remove((work) => `/contacts/${segment(work, "contactId")}`),
  },
};

const base = (work: NodeWork) => ({
  method: "POST" as const,
  path: "/sendMail",
  body: {
    message: present({
      subject: given(work, "subject"),
      body: { contentType: "Text", content: given(work, "message") ?? "" },
      toRecipients: recipients(work, work.at("toRecipients")),
    }),
  },
});
