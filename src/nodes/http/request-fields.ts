import { z } from "zod";
import { field } from "../../engine/config/field.ts";
import { jsonValue } from "../../engine/config/json-value.ts";
import type { Json } from "../../engine/json.ts";
import { type HttpMethod, httpMethods } from "./http-methods.ts";

const texts = z.record(z.string(), z.string());

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
    body: field(jsonValue().default(""), {
      label: "Body",
      help: bodyHelp,
      control: "textarea",
      template: "json",
      ai,
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
      help: "Off: a redirect is given back as it is.",
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
export interface RequestSettings {
  url: string;
  method: HttpMethod;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: Json;
  credential: string;
  followRedirects: boolean;
  maxRedirects: number;
}

/**
 * The headers and body that are sent: no body where the field is empty or the method has none, and a text that looks
 * like JSON says so, unless the headers say otherwise.
 */
export function carried({ method, headers, body }: RequestSettings): { headers: Record<string, string>; body?: Json } {
  if (body === "" || body === null || method === "GET" || method === "HEAD") return { headers };
  const isJson = typeof body !== "string" || /^\s*[[{]/.test(body);
  const named = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  return { headers: isJson && !named ? { ...headers, "content-type": "application/json" } : headers, body };
}
