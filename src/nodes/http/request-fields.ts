import { z } from "zod";
import { type ConfigOf, field } from "../../engine/config/field.ts";
import { jsonValue } from "../../engine/config/json-value.ts";
import { httpMethods } from "./http-methods.ts";

const texts = z.record(z.string(), z.string());

/** What the body is: JSON or text as it stands, or the fields of a web form. */
const bodyTypes = ["auto", "form"] as const;

/** Where the words of the shared fields differ, and whether the model may fill in parts of them. */
interface FieldWords {
  methodHelp: string;
  bodyHelp: string;
  credentialHelp: string;
  ai?: true;
}

/** The fields that say what a request carries, below its URL. */
export function requestFields({ methodHelp, bodyHelp, credentialHelp, ai }: FieldWords) {
  return {
    method: field(z.enum(httpMethods).default("GET"), { label: "Method", help: methodHelp }),
    query: field(texts.default({}), {
      label: "Query",
      help: "Parameters that are added to the URL.",
      template: "text",
      ai,
    }),
    headers: field(texts.default({}), {
      label: "Headers",
      help: "Headers to send. Keys and passwords belong in a credential.",
      template: "header",
      ai,
    }),
    bodyType: field(z.enum(bodyTypes).default("auto"), {
      label: "Body type",
      help: "Auto: JSON where the body looks like it, else text. Form: fields, sent as a web form sends them.",
    }),
    body: field(jsonValue().default(""), {
      label: "Body",
      help: bodyHelp,
      control: "textarea",
      template: "json",
      ai,
      visibleWhen: { field: "bodyType", in: ["auto"] },
    }),
    form: field(texts.default({}), {
      label: "Form fields",
      help: "Names and values to send; each value is encoded, so that it stays one field.",
      template: "text",
      ai,
      visibleWhen: { field: "bodyType", in: ["form"] },
    }),
    credential: field(z.string().max(200).default(""), {
      label: "Credential",
      help: credentialHelp,
      control: "credential",
      credentialTypes: ["http-basic", "http-header", "http-bearer", "http-api-key"],
    }),
  };
}

/** Whether and how far redirects are followed. */
export function redirectFields() {
  return {
    followRedirects: field(z.boolean().default(true), {
      label: "Follow redirects",
      help: "Off: a redirect is returned as it is.",
      section: "Limits",
    }),
    maxRedirects: field(z.number().int().min(0).max(5).default(5), {
      label: "Redirect limit",
      help: "The most redirects to follow.",
      section: "Limits",
      visibleWhen: { field: "followRedirects", in: [true] },
    }),
  };
}

/** What these fields and a URL give once parsed. */
export type RequestSettings = { url: string } & ConfigOf<
  ReturnType<typeof requestFields> & ReturnType<typeof redirectFields>
>;
