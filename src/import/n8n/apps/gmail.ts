import type { Json, JsonObject } from "../../../engine/json.ts";
import type { Made } from "../made.ts";
import type { NodeWork } from "../node-work.ts";
import { requestConfig, requestStep, type Service } from "../services.ts";
import { attachedFiles, mailBorder, writtenMail } from "./attached-files.ts";
import { addresses, mailText, rawMail, type Mail } from "./mail-text.ts";
import { type AppMapper, type AppRequest, cel, given, isGiven, listOf, present, segment, unsaid } from "./request.ts";

const upload = "https://gmail.googleapis.com/upload/gmail/v1/users/me";

/** Where the names of the attached files stand; a row without one has n8n's usual name. */
const filePaths = (work: NodeWork) =>
  ["options", "additionalFields"].flatMap((group) => {
    const path = [group, "attachmentsUi", "attachmentsBinary"];
    return work.list(...path).map((_, at) => [...path, String(at), "property"]);
  });

/** n8n's own names of these settings, in its first version and later. */
const option = (work: NodeWork, name: string) =>
  addresses(work, "options", name) ?? addresses(work, "additionalFields", name);

function mailOf(work: NodeWork, to: Json | undefined, usual: "html" | "text"): Mail {
  const old = work.node.version < 2;
  const html = old
    ? work.flag("includeHtml")
    : (work.word("emailType") || work.word(["options", "contentType"], usual)) === "html";
  work.drop(["options", "senderName"], "The account’s own name is shown.");
  if (old && html) work.drop("message", "The mail is the HTML text.");
  work.drop(["options", "contentType"], "The kind of mail says it.");
  return {
    headers: {
      To: to,
      Cc: option(work, "ccList"),
      Bcc: option(work, "bccList"),
      "Reply-To": option(work, "replyTo"),
    },
    subject: work.textOf(work.at("subject")),
    html,
    body: work.textOf(work.at(old && html ? "htmlMessage" : "message")),
  };
}

const noted = (note: string): Pick<AppRequest, "note"> => (note === "" ? {} : { note });

/** A mail; `thread` is the JSON that says where it belongs. With files, a step before writes it. */
function sentMail(work: NodeWork, path: string, mail: Mail, thread?: { about: Json; alone: AppRequest }): AppRequest {
  const paths = filePaths(work);
  if (paths.length === 0)
    return (
      thread?.alone ?? {
        method: "POST",
        path: `${upload}${path}`,
        query: { uploadType: "media" },
        headers: { "Content-Type": "message/rfc822" },
        body: mailText(mail),
      }
    );
  const step = work.step("mail");
  return {
    method: "POST",
    path: `${upload}${path}`,
    query: { uploadType: thread ? "multipart" : "media" },
    headers: { "Content-Type": thread ? `multipart/related; boundary=${mailBorder}` : "message/rfc822" },
    before: [writtenMail(step, mail, attachedFiles(work, paths), thread?.about)],
    body: `{{${step.path}}}`,
  };
}

const textByDefault = (work: NodeWork) => (work.node.version < 2.1 ? "text" : "html");

const send: AppMapper = (work) => ({
  ...sentMail(
    work,
    "/messages/send",
    mailOf(work, addresses(work, "sendTo") ?? addresses(work, "toList"), textByDefault(work)),
  ),
  ...noted(isGiven(work, "options", "senderName") ? "The sender’s name is the account’s." : ""),
});

const createDraft: AppMapper = (work) => {
  const mail = mailOf(work, option(work, "sendTo") ?? option(work, "toList"), "text");
  const thread = given(work, "options", "threadId");
  if (thread === undefined) return sentMail(work, "/drafts", mail);
  return sentMail(work, "/drafts", mail, {
    about: { message: { threadId: thread } },
    alone: {
      method: "POST",
      path: "/users/me/drafts",
      body: { message: { threadId: thread, raw: rawMail(mail) } },
    },
  });
};

/** The headers of a message, in lower case, in an expression. */
const header = (message: string, name: string) =>
  `(${message}.payload.headers.filter(one, lower(one.name) == "${name}").map(one, one.value) + [""])[0]`;

/**
 * An answer needs the address, the subject and the thread of the message, so that it is read first. A tool is one request, in
 * which the model says them.
 */
const reply =
  (to: "messages" | "threads"): AppMapper =>
  (work): AppRequest | Made => {
    const name = to === "messages" || work.at("threadId") === undefined ? "messageId" : "threadId";
    const onlySender = work.at("options", "replyToSenderOnly") === true;
    if (!work.inFlow) {
      if (filePaths(work).length > 0)
        return unsaid("It sends a file, and an agent’s tool gets none: make it a step of the flow.");
      work.drop(name, "The model gives the thread instead.");
      const thread = `{{ai("thread_id", "ID of the thread to answer in", "string")}}`;
      const mail = mailOf(work, `{{ai("to", "Address of the recipient", "string")}}`, textByDefault(work));
      const subject = `{{ai("subject", "Subject of the message that is answered", "string")}}`;
      return {
        method: "POST",
        path: "/users/me/messages/send",
        body: { threadId: thread, raw: rawMail({ ...mail, subject }) },
        note: "The model gives the recipient, the subject and the thread, which n8n looks up.",
      };
    }
    work.keepInput();
    const read = work.step("message");
    const path = to === "messages" || name === "messageId" ? "messages" : "threads";
    const message = path === "threads" ? `last(${read.path}.messages)` : read.path;
    const subject = header(message, "subject");
    const mail = mailOf(work, undefined, textByDefault(work));
    const everyone = `{{concat(${header(message, "reply-to")} == "" ? ${header(message, "from")} : ${header(message, "reply-to")})}}`;
    const answer: Mail = {
      ...mail,
      headers: {
        To: everyone,
        Cc: mail.headers.Cc,
        Bcc: mail.headers.Bcc,
        "In-Reply-To": `{{${header(message, "message-id")}}}`,
        References: `{{trim(concat(${header(message, "references")}, " ", ${header(message, "message-id")}))}}`,
      },
      subject: `{{beginsWith(lower(${subject}), "re:") ? ${subject} : concat("Re: ", ${subject})}}`,
    };
    const threadId = `{{${message}.threadId}}`;
    const sending = sentMail(work, "/messages/send", answer, {
      about: { threadId },
      alone: { method: "POST", path: "/users/me/messages/send", body: { threadId, raw: rawMail(answer) } },
    });
    const reading: AppRequest = {
      method: "GET",
      path: `/users/me/${path}/${segment(work, name)}`,
      query: { format: "metadata" },
    };
    return {
      type: "http-request",
      before: [requestStep(read, gmail, reading), ...(sending.before ?? [])],
      config: {
        result: "body",
        onError: work.node.onError === "continue" ? "continue" : "fail",
        ...requestConfig(gmail, sending),
      },
      outcome: "approximated",
      note: `It reads the message first, for its subject and thread${onlySender ? "" : "; it answers the sender, not everybody"}.`,
      needs: gmail.needs,
    };
  };

/** A day or moment in a search: seconds since 1970. */
function moment(work: NodeWork, value: Json | undefined): string | undefined {
  if (value === undefined || value === "" || value === null) return undefined;
  if (work.isExpression(value)) return `{{text(floor(millis(date(${cel(work, value)})) / 1000.0))}}`;
  const time = Date.parse(String(value));
  return Number.isNaN(time) ? work.textOf(value) : String(Math.floor(time / 1_000));
}

/** n8n's filters as a search of Gmail and parameters (developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages/list). */
function filtersOf(work: NodeWork): JsonObject {
  const at = (name: string) => work.at("filters", name) ?? work.at("additionalFields", name);
  const text = (name: string) => {
    const value = at(name);
    return value === undefined || value === "" || value === null ? undefined : work.textOf(value);
  };
  const status = at("readStatus");
  const words = [
    text("q"),
    ...[moment(work, at("receivedAfter"))].map((one) => one && `after:${one}`),
    ...[moment(work, at("receivedBefore"))].map((one) => one && `before:${one}`),
    ...[text("sender")].map((one) => one && `from:(${one})`),
    status === "unread" || status === "read" ? `is:${status}` : undefined,
  ].filter((one) => one !== undefined && one !== "");
  return present({
    q: words.length === 0 ? undefined : words.join(" "),
    labelIds: listOf(work, at("labelIds")),
    includeSpamTrash: at("includeSpamTrash") === true ? "true" : undefined,
  });
}

/** A list as n8n gives it. Gmail leaves out the list where nothing is found. */
const list =
  (items: "messages" | "threads" | "drafts"): AppMapper =>
  (work): AppRequest | Made => {
    const request: AppRequest = {
      method: "GET",
      path: `/users/me/${items}`,
      query: { ...filtersOf(work), maxResults: work.flag("returnAll") ? 500 : (given(work, "limit") ?? 50) },
    };
    const note = `It gives the IDs${work.flag("returnAll") ? " of at most 500" : ""}; read each with another request.`;
    if (!work.inFlow) return { ...request, note };
    const found = work.step("found");
    return {
      type: "code",
      before: [requestStep(found, gmail, request)],
      config: { code: `return json.${items} ?? [];`, onError: work.node.onError === "continue" ? "continue" : "fail" },
      outcome: "approximated",
      note,
      needs: gmail.needs,
    };
  };

type Items = "messages" | "threads" | "drafts" | "labels";
const names: Readonly<Record<Items, string>> = {
  messages: "messageId",
  threads: "threadId",
  drafts: "messageId",
  labels: "labelId",
};
const pathOf = (work: NodeWork, items: Items) => `/users/me/${items}/${segment(work, names[items])}`;

const get =
  (items: Items): AppMapper =>
  (work) => {
    const format = given(work, "additionalFields", "format") ?? given(work, "options", "format");
    return {
      method: "GET",
      path: pathOf(work, items),
      query: present({
        format: items === "labels" ? undefined : format === undefined || format === "resolved" ? "full" : format,
      }),
    };
  };

const remove =
  (items: Items): AppMapper =>
  (work) => ({ method: "DELETE", path: pathOf(work, items) });

const act =
  (items: Items, action: "trash" | "untrash"): AppMapper =>
  (work) => ({ method: "POST", path: `${pathOf(work, items)}/${action}` });

const labels =
  (items: "messages" | "threads", member: "addLabelIds" | "removeLabelIds", fixed?: string): AppMapper =>
  (work) => {
    const ids = fixed === undefined ? (listOf(work, work.at("labelIds")) ?? []) : [fixed];
    return { method: "POST", path: `${pathOf(work, items)}/modify`, body: { [member]: ids } };
  };

/** The first version of n8n's node has messages and threads in its labels. */
const oldLabels =
  (member: "addLabelIds" | "removeLabelIds"): AppMapper =>
  (work) => ({
    method: "POST",
    path: `/users/me/${work.word("operateOn", "threads")}/${segment(work, "resourceId")}/modify`,
    body: { [member]: listOf(work, work.at("labelIds")) ?? [] },
  });

/** Gmail's API (developers.google.com/workspace/gmail/api/reference/rest). */
export const gmail: Service = {
  base: "https://gmail.googleapis.com/gmail/v1",
  connector: "gmail",
  needs: "a Google sign-in",
  usual: {
    resource: "message",
    operation: "send",
    operations: { message: "send", draft: "create", label: "getAll", thread: "getAll" },
  },
  calls: {
    "message.send": send,
    "message.reply": reply("messages"),
    "message.sendAndWait": (work) => ({
      ...sentMail(work, "/messages/send", mailOf(work, addresses(work, "sendTo"), "text")),
      note: "It does not wait for an answer.",
    }),
    "message.get": get("messages"),
    "message.getAll": list("messages"),
    "message.delete": remove("messages"),
    "message.trash": act("messages", "trash"),
    "message.untrash": act("messages", "untrash"),
    "message.markAsRead": labels("messages", "removeLabelIds", "UNREAD"),
    "message.markAsUnread": labels("messages", "addLabelIds", "UNREAD"),
    "message.addLabels": labels("messages", "addLabelIds"),
    "message.removeLabels": labels("messages", "removeLabelIds"),
    "draft.create": createDraft,
    "draft.get": get("drafts"),
    "draft.getAll": list("drafts"),
    "draft.delete": remove("drafts"),
    "thread.get": get("threads"),
    "thread.getAll": list("threads"),
    "thread.delete": remove("threads"),
    "thread.trash": act("threads", "trash"),
    "thread.untrash": act("threads", "untrash"),
    "thread.reply": reply("threads"),
    "thread.addLabels": labels("threads", "addLabelIds"),
    "thread.removeLabels": labels("threads", "removeLabelIds"),
    "label.create": (work) => ({
      method: "POST",
      path: "/users/me/labels",
      body: present({
        name: given(work, "name"),
        labelListVisibility: given(work, "labelListVisibility") ?? given(work, "options", "labelListVisibility"),
        messageListVisibility: given(work, "messageListVisibility") ?? given(work, "options", "messageListVisibility"),
      }),
    }),
    "label.get": get("labels"),
    "label.getAll": () => ({
      method: "GET",
      path: "/users/me/labels",
      paging: { parameter: "pageToken", next: "nextPageToken", items: "labels", all: false },
    }),
    "label.delete": remove("labels"),
    "label.addLabels": oldLabels("addLabelIds"),
    "label.removeLabels": oldLabels("removeLabelIds"),
  },
};
