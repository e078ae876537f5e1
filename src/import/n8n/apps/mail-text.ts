import type { Json } from "../../../engine/json.ts";
import type { NodeWork } from "../node-work.ts";
import { expressionOf, templated } from "./request.ts";

/** What a mail says, each as a template. */
export interface Mail {
  headers: Readonly<Record<string, Json | undefined>>;
  subject: string;
  html: boolean;
  body: string;
}

const onOneLine = (template: string) =>
  template.includes("{{")
    ? `{{replacePattern(text(${expressionOf(template)}), "[\\\\r\\\\n]+", " ", "g")}}`
    : template.replace(/[\r\n]+/g, " ");

/** A subject that is not ASCII alone is encoded, as RFC 2047 has it. */
const subjectOf = (template: string) =>
  !template.includes("{{") && /^[\x20-\x7e]*$/.test(template)
    ? template
    : `=?UTF-8?B?{{encodeBase64(${expressionOf(template)})}}?=`;

/** A mail as RFC 5322 has it; headers without a value are left out. */
export function mailText({ headers, subject, html, body }: Mail): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`${name}: ${onOneLine(String(value))}`],
  );
  return [
    ...lines,
    `Subject: ${subjectOf(subject)}`,
    "MIME-Version: 1.0",
    `Content-Type: text/${html ? "html" : "plain"}; charset=UTF-8`,
    "",
    body,
  ].join("\r\n");
}

/** A mail as Gmail has it in JSON: base64 for addresses (RFC 4648, section 5). */
export function rawMail(mail: Mail): string {
  return `{{replaceAll(replaceAll(encodeBase64(${expressionOf(mailText(mail))}), "+", "-"), "/", "_")}}`;
}

/** Addresses, which n8n has as text with commas or as a list. */
export function addresses(work: NodeWork, ...path: string[]): Json | undefined {
  const value = work.at(...path);
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((one) => work.textOf(one)).join(", ");
  return templated(work, value);
}
