import type { Json, JsonObject } from "../../../engine/json.ts";
import type { Step } from "../made.ts";
import type { NodeWork, StepName } from "../node-work.ts";
import type { Mail } from "./mail-text.ts";
import { present } from "./request.ts";

/**
 * The files that a node's properties name, as a template: the first of the input for one name, all of them for several or for
 * names that an expression gives.
 */
export function attachedFiles(work: NodeWork, paths: readonly (readonly string[])[]): string {
  const [only] = paths;
  const value = only && work.node.parameters.find([...only]).value;
  if (paths.length === 1 && only && !/[,{]/.test(typeof value === "string" ? value : "")) return work.file(...only);
  for (const path of paths) work.lack(path, "All files of the input are sent.");
  return work.allInput();
}

/** Finds the files of `attached`, each once, and encodes bytes. */
const tools = `const found = new Map();
const look = (value) => {
  if (typeof value !== "object" || value === null) return;
  if (typeof value.$file === "string") found.set(value.$file, value);
  else Object.values(value).forEach(look);
};
look(attached);
const base64 = (bytes) => {
  let text = "";
  for (let at = 0; at < bytes.length; at += 12288) text += btoa(String.fromCharCode(...bytes.subarray(at, at + 12288)));
  return text;
};`;

/** Files are read whole, and stand beside their encoded form. */
const limits = { memoryMb: 128, timeoutMs: 30_000 };

const codeStep = ({ title }: StepName, code: string, inputs: JsonObject): Step => ({
  title,
  type: "code",
  config: { code, inputs, ...limits },
});

/** How a mail service writes an attachment in JSON: an object of code in which `file` and `content`, its base64, stand. */
export type AttachmentForm = "microsoft" | "resend" | "sendgrid";

const forms: Readonly<Record<AttachmentForm, string>> = {
  microsoft: `{ "@odata.type": "#microsoft.graph.fileAttachment", name: file.name, contentType: file.mediaType, contentBytes: content }`,
  resend: "{ filename: file.name, content }",
  sendgrid: "{ filename: file.name, type: file.mediaType, content }",
};

/**
 * A step that encodes files for the body of a request, and what stands for them there. Called before anything of the request is
 * read, since the step takes the place of what comes in.
 */
export function encodedAttachments(
  work: NodeWork,
  paths: readonly (readonly string[])[],
  form: AttachmentForm,
): { before: readonly Step[]; attachments: Json } {
  work.keepInput();
  const step = work.step("attachments");
  const attached = attachedFiles(work, paths);
  const code = `${tools}
return [...found.values()].map((file) => {
  const content = base64(files.read(file));
  return ${forms[form]};
});`;
  return { before: [codeStep(step, code, { attached })], attachments: `{{${step.path}}}` };
}

/** The line that divides a request of Gmail with what it says about the mail from the mail. */
export const mailBorder = "switchyard_mail";

/**
 * A step that writes a mail with files (RFC 5322, 2045 to 2047, 2231): it gives the file to send. With `about`, the request has two parts, of
 * which the first is that JSON (developers.google.com/workspace/gmail/api/guides/uploads).
 */
export function writtenMail(
  step: StepName,
  { headers, subject, body, html }: Mail,
  attached: string,
  about?: Json,
): Step {
  const code = `${tools}
if (found.size === 0) throw new Error("There is no file to attach.");
const encoded = (text) => base64(new TextEncoder().encode(text));
const folded = (text) => (text.match(/.{1,76}/g) ?? []).join("\\r\\n");
const line = (text) => String(text).replace(/[\\r\\n]+/g, " ");
const words = (text) =>
  /^[\\x20-\\x7e]*$/.test(text) ? text : text.match(/[^]{1,10}/gu).map((part) => "=?UTF-8?B?" + encoded(part) + "?=").join("\\r\\n ");
const escaped = (text) => encodeURIComponent(text).replace(/['()*!]/g, (one) => "%" + one.charCodeAt(0).toString(16).toUpperCase());
const named = (name) => (/^[\\w .-]*$/.test(name) ? 'filename="' + name + '"' : "filename*=UTF-8''" + escaped(name));
const border = "switchyard_part";
const mail = [
  ...Object.entries(headers).filter(([, value]) => line(value ?? "") !== "").map(([name, value]) => name + ": " + line(value)),
  "Subject: " + words(line(subject)),
  "MIME-Version: 1.0",
  'Content-Type: multipart/mixed; boundary="' + border + '"',
  "",
  "--" + border,
  "Content-Type: text/${html ? "html" : "plain"}; charset=UTF-8",
  "Content-Transfer-Encoding: base64",
  "",
  folded(encoded(String(text ?? ""))),
  ...[...found.values()].flatMap((file) => [
    "--" + border,
    "Content-Type: " + file.mediaType,
    "Content-Transfer-Encoding: base64",
    "Content-Disposition: attachment; " + named(file.name),
    "",
    folded(base64(files.read(file))),
  ]),
  "--" + border + "--",
  "",
].join("\\r\\n");
${
  about === undefined
    ? 'return files.make("mail.eml", mail, "message/rfc822");'
    : `const parts = [
  "--${mailBorder}",
  "Content-Type: application/json; charset=UTF-8",
  "",
  JSON.stringify(about),
  "--${mailBorder}",
  "Content-Type: message/rfc822",
  "",
  mail,
  "--${mailBorder}--",
  "",
];
return files.make("mail.eml", parts.join("\\r\\n"), "message/rfc822");`
}`;
  const inputs = present({ attached, headers: present(headers), subject, text: body, about });
  return codeStep(step, code, inputs);
}
