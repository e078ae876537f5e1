import type { Address } from "postal-mime";
import type { NamedBytes } from "../../engine/file/documents.ts";
import type { JsonObject } from "../../engine/json.ts";
import type { DocumentSection } from "../../engine/knowledge/source-document.ts";
import { decodeText } from "../../engine/text/decode-text.ts";
import { DocumentError } from "../document-error.ts";
import { maxFiles, maxUnpacked } from "../limits.ts";
import { type ReadPage, readHtmlBody } from "./read-html.ts";

/** An email: who wrote what to whom, and what is attached. */
export interface ReadEmail extends ReadPage {
  /** `subject`, `from`, `to`, `cc`, `date`; those that it has. */
  about: JsonObject;
  files: NamedBytes[];
}

/** An email as it travels (RFC 5322), by postal-mime. Emails attached to it stay files. */
export async function readEml(bytes: Uint8Array): Promise<ReadEmail> {
  const { default: PostalMime } = await import("postal-mime");
  const email = await PostalMime.parse(bytes, { attachmentEncoding: "arraybuffer", rfc822Attachments: true });
  if (email.headers.length === 0) throw noEmail();
  refuseMany(email.attachments.length);
  const files = email.attachments.flatMap(({ filename, mimeType, content }, index): NamedBytes[] => {
    if (typeof content === "string") return [];
    return [{ name: filename ?? `attachment-${index + 1}`, mediaType: mimeType, bytes: new Uint8Array(content) }];
  });
  const about = {
    subject: email.subject,
    from: addresses(email.from === undefined ? [] : [email.from]),
    to: addresses(email.to ?? []),
    cc: addresses(email.cc ?? []),
    date: email.date,
  };
  return emailOf({ about, text: email.text, html: email.html, files });
}

/** An email of Outlook, by msgreader. */
export async function readMsg(bytes: Uint8Array): Promise<ReadEmail> {
  const { default: loaded } = await import("@kenjiuno/msgreader");
  // A package of CommonJS is wrapped once more where Node loads it.
  const MsgReader = "default" in loaded ? (loaded.default as typeof loaded) : loaded;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const reader = new MsgReader(view);
  const email = reader.getFileData();
  if (email.error !== undefined || email.dataType !== "msg") throw noEmail();
  const recipients = (type: string) =>
    (email.recipients ?? [])
      .filter(({ recipType = "to" }) => recipType === type)
      .map(({ name, smtpAddress, email: address }) => mailbox(name ?? "", smtpAddress ?? address ?? ""))
      .join(", ");
  refuseMany(email.attachments?.length ?? 0);
  let size = 0;
  const files = (email.attachments ?? []).flatMap((attachment, index): NamedBytes[] => {
    if (attachment.innerMsgContent) return [];
    const { fileName, content } = reader.getAttachment(attachment);
    size += content.byteLength;
    if (size > maxUnpacked) throw tooMuch(`${maxUnpacked / 1024 / 1024} MB`);
    const name = fileName || `attachment-${index + 1}`;
    return [{ name, mediaType: attachment.attachMimeTag ?? "", bytes: new Uint8Array(content) }];
  });
  const date = email.clientSubmitTime ?? email.messageDeliveryTime;
  const about = {
    subject: email.subject,
    from: mailbox(email.senderName ?? "", email.senderSmtpAddress ?? email.senderEmail ?? ""),
    to: recipients("to"),
    cc: recipients("cc"),
    date: date === undefined || Number.isNaN(Date.parse(date)) ? date : new Date(date).toISOString(),
  };
  // The reader takes any file for an email without properties.
  if (about.subject === undefined && about.from === "" && email.body === undefined && files.length === 0)
    throw noEmail();
  const html = email.bodyHtml ?? (email.html && decodeText(email.html, { contentType: "text/html" }));
  return emailOf({ about, text: email.body, html, files });
}

interface EmailParts {
  about: Record<string, string | undefined>;
  text: string | undefined;
  html: string | undefined;
  files: NamedBytes[];
}

function emailOf({ about: said, text, html, files }: EmailParts): ReadEmail {
  const about = Object.fromEntries(Object.entries(said).filter((entry): entry is [string, string] => !!entry[1]));
  const page = html === undefined ? undefined : readHtmlBody(html);
  const words = (text ?? "").replaceAll("\r\n", "\n").trim();
  const body: DocumentSection[] = words === "" ? (page?.sections ?? []) : [{ headings: [], text: words }];
  const lines = Object.entries(about).map(([name, value]) => `${name[0]?.toUpperCase()}${name.slice(1)}: ${value}`);
  if (files.length > 0) lines.push(`Attachments: ${files.map(({ name }) => name).join(", ")}`);
  const head: DocumentSection = { headings: [], text: lines.join("\n") };
  return { title: about["subject"] ?? "", sections: [head, ...body], tables: page?.tables ?? [], about, files };
}

function addresses(list: readonly Address[]): string {
  return list
    .flatMap((each) => each.group ?? [each])
    .map(({ name, address }) => mailbox(name, address ?? ""))
    .join(", ");
}

function mailbox(name: string, address: string): string {
  if (name === "" || name === address) return address;
  return address === "" ? name : `${name} <${address}>`;
}

function refuseMany(attachments: number): void {
  if (attachments > maxFiles) throw tooMuch(`${maxFiles} files`);
}

function tooMuch(most: string): DocumentError {
  return new DocumentError(
    `More than ${most} are attached to the email.`,
    "Save what is attached as files of their own.",
  );
}

function noEmail(): DocumentError {
  return new DocumentError("The file is not an email.", "Save the email again as .eml or .msg.");
}
