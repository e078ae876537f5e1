import type { Json } from "../../../engine/json.ts";
import type { NodeWork } from "../node-work.ts";
import type { Service } from "../services.ts";
import { addresses } from "./mail-text.ts";
import { encodedAttachments } from "./attached-files.ts";
import { type AppMapper, given, isGiven, isRequest, present } from "./request.ts";

/** Several addresses as a list. */
function several(value: Json | undefined): Json | undefined {
  if (typeof value !== "string" || value.includes("{{")) return value;
  const all = value
    .split(/[,;]/)
    .map((one) => one.trim())
    .filter(Boolean);
  return all.length > 1 ? all : all[0];
}

const option = (work: NodeWork, name: string) => addresses(work, "options", name) ?? addresses(work, name);

/** n8n sends by SMTP; here a service with an API does (resend.com/docs/api-reference/emails/send-email). */
const send: AppMapper = (work) => {
  const paths = [["options", "attachments"], ["attachments"]].filter((path) => isGiven(work, ...path));
  const files = paths.length === 0 ? undefined : encodedAttachments(work, paths, "resend");
  const format = work.word("emailFormat", work.node.version >= 2 ? "html" : "");
  const html = given(work, "html") ?? given(work, "emailHtml");
  const text = given(work, "text") ?? given(work, "message");
  return {
    method: "POST",
    path: "/emails",
    body: present({
      from: given(work, "fromEmail"),
      to: several(addresses(work, "toEmail")),
      cc: several(option(work, "ccEmail")),
      bcc: several(option(work, "bccEmail")),
      reply_to: option(work, "replyTo") ?? option(work, "replyToEmail"),
      subject: given(work, "subject"),
      text: format === "html" && html !== undefined ? undefined : text,
      html: format === "text" ? undefined : html,
      attachments: files?.attachments,
    }),
    ...(files === undefined ? {} : { before: files.before }),
    note: "SMTP is not possible; this is Resend’s API, and other mail services are much alike.",
  };
};

/** n8n's mail by SMTP, by way of a mail service. */
export const emailSend: Service = {
  base: "https://api.resend.com",
  needs: "a key of a mail service with an API (HTTP bearer)",
  usual: { resource: "email", operation: "send" },
  calls: {
    ".send": send,
    ".sendAndWait": (work) => {
      const made = send(work);
      return isRequest(made) ? { ...made, note: "It does not wait for an answer." } : made;
    },
  },
};
