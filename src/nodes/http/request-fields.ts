import { z } from "zod/mini";
import { type ConfigOf, field } from "../../engine/config/field.ts";
import { jsonValue } from "../../engine/config/json-value.ts";
import type { ConfigFinding } from "../../engine/document/define-node.ts";
import type { JsonObject } from "../../engine/json.ts";
import { httpMethods } from "./http-methods.ts";

const texts = z.record(z.string(), z.string());

/** What the body is: JSON, text or a file as it stands, the fields of a web form, or a form with files. */
const bodyTypes = ["auto", "form", "multipart"] as const;

/** How a list goes out as a parameter. */
const listStyles = ["repeated", "brackets", "commas", "json"] as const;

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
    method: field(z._default(z.enum(httpMethods), "GET"), { label: "Method", help: methodHelp }),
    query: field(z._default(z.record(z.string(), jsonValue()), {}), {
      label: "Query",
      help: "Parameters that are added to the URL, after the ?. A name may have several rows.",
      control: "key-values",
      severalRows: true,
      template: "value",
      ai,
    }),
    queryLists: field(z._default(z.enum(listStyles), "json"), {
      label: "Lists in the query",
      help: "How a parameter is sent whose value is a list, such as {{json.ids}}. What a service wants is in its documentation.",
      startsAs: "repeated",
      optionTitles: {
        repeated: "Repeated: ids=1&ids=2",
        brackets: "Brackets: ids[]=1&ids[]=2",
        commas: "Commas: ids=1,2",
        json: "JSON: ids=[1,2]",
      },
    }),
    headers: field(z._default(texts, {}), {
      label: "Headers",
      help: "Headers to send. Keys and passwords belong in a credential.",
      template: "header",
      ai,
    }),
    bodyType: field(z._default(z.enum(bodyTypes), "auto"), {
      label: "Body type",
      help: "Auto: a file if the body is one, JSON if it looks like it, otherwise text. Form: fields, sent as a web form sends them. Form with files: the same for fields that are files.",
      optionTitles: { auto: "Auto", form: "Form", multipart: "Form with files" },
    }),
    body: field(z._default(jsonValue(), ""), {
      label: "Body",
      help: bodyHelp,
      control: "textarea",
      template: "json",
      ai,
      visibleWhen: { field: "bodyType", in: ["auto"] },
    }),
    form: field(z._default(texts, {}), {
      label: "Form fields",
      help: "Names and values to send; each value is encoded, so that it stays one field.",
      template: "text",
      ai,
      visibleWhen: { field: "bodyType", in: ["form"] },
    }),
    parts: field(z._default(z.record(z.string(), jsonValue()), {}), {
      label: "Fields and files",
      help: "Names and values to send. A value that is a file, such as {{json.body}} after a download, is sent as one.",
      control: "key-values",
      template: "value",
      ai,
      visibleWhen: { field: "bodyType", in: ["multipart"] },
    }),
    leaveOutEmpty: field(z._default(z.boolean(), false), {
      label: "Leave out empty values",
      help: "On: parameters, headers and fields without a value are not sent.",
    }),
    credential: field(z._default(z.string().check(z.maxLength(200)), ""), {
      label: "Credential",
      help: credentialHelp,
      control: "credential",
      credentialTypes: ["http-basic", "http-header", "http-bearer", "http-api-key", "oauth2", "oauth2-client"],
    }),
    binary: field(z._default(z.enum(["file", "text"]), "text"), {
      label: "Non-text responses",
      help: "File: pictures, documents and the like are kept, and the body is the file. Note: the body is a text such as [binary, image/png, 70 bytes], and the content is lost.",
      startsAs: "file",
      optionTitles: { file: "File", text: "Note" },
    }),
    errorPath: field(z._default(z.string().check(z.maxLength(200)), ""), {
      label: "Error path",
      help: "For services that report errors in a successful answer (status 200–299): where the error stands in it. Anything there counts as a failure.",
      placeholder: "error",
      section: "Errors",
    }),
    connector: field(z._default(z.string().check(z.maxLength(100)), ""), {
      label: "Service",
      help: "The connector that the request was made from. It says which credential is needed.",
      hidden: true,
    }),
    needsCredential: field(z._default(z.boolean(), false), {
      label: "Needs a credential",
      help: "Whether the service refuses requests without a credential.",
      hidden: true,
    }),
  };
}

/**
 * What a request lacks that was made from a connector or copied from a documentation: a credential, and what stands in angle
 * brackets in its address, such as `<your-site>`.
 */
export function requestFindings({ needsCredential, credential, url }: JsonObject): ConfigFinding[] {
  const findings: ConfigFinding[] = [];
  const [, named] = /<([\w -]{1,60})>/.exec(typeof url === "string" ? url.replace(/\{\{.*?\}\}/gs, "") : "") ?? [];
  if (named !== undefined) {
    findings.push({
      field: "url",
      ofText: true,
      severity: "error",
      message: `The URL still says <${named}>.`,
      hint: "Replace it with your own value, without the angle brackets.",
    });
  }
  if (needsCredential === true && (credential === undefined || credential === "")) {
    findings.push({
      field: "credential",
      severity: "error",
      message: "The service needs a credential.",
      hint: "Choose or add one in the node's settings.",
    });
  }
  return findings;
}

/** How an answer that comes in pages is read to its end. */
const pagings = ["none", "page", "offset", "cursor", "link"] as const;

const byParameter = { field: "paging", in: ["page", "offset", "cursor"] } as const;
const anyPaging = { field: "paging", in: ["page", "offset", "cursor", "link"] } as const;

/** The fields that say how further pages of a list are asked for. */
export function pagingFields() {
  return {
    paging: field(z._default(z.enum(pagings), "none"), {
      label: "Further pages",
      help: "For lists that come in several pages: how to ask for the next one, by its number, by items to skip, by a cursor or by its address. None: one request only.",
      section: "Pages",
      optionTitles: {
        none: "None",
        page: "Page number",
        offset: "Items to skip",
        cursor: "Cursor",
        link: "Next address",
      },
    }),
    pageParameter: field(z._default(z.string().check(z.maxLength(200)), ""), {
      label: "Parameter",
      help: "The parameter that asks for the next page: in the URL, or with POST in the JSON body.",
      placeholder: "cursor",
      section: "Pages",
      visibleWhen: byParameter,
    }),
    nextPath: field(z._default(z.string().check(z.maxLength(200)), ""), {
      label: "Path of the next page",
      help: "Where the cursor or the address is in the answer, such as meta.next or items.-1.id. When empty, the address is taken from the Link header.",
      placeholder: "meta.next_cursor",
      section: "Pages",
      visibleWhen: { field: "paging", in: ["cursor", "link"] },
    }),
    itemsPath: field(z._default(z.string().check(z.maxLength(200)), ""), {
      label: "Path of the list",
      help: "Where the list is in the answer, such as data.items. When empty, the answer itself is the list.",
      placeholder: "items",
      section: "Pages",
      visibleWhen: anyPaging,
    }),
    maxPages: field(z._default(z.int().check(z.minimum(1), z.maximum(50)), 3), {
      label: "Page limit",
      help: "The most pages to request. Their lists are joined.",
      section: "Pages",
      visibleWhen: anyPaging,
    }),
  };
}

/** What `pagingFields` gives once parsed. */
export type PagingSettings = ConfigOf<ReturnType<typeof pagingFields>>;

/** Whether and how far redirects are followed. */
export function redirectFields() {
  return {
    followRedirects: field(z._default(z.boolean(), true), {
      label: "Follow redirects",
      help: "Off: a redirect is returned as it is.",
      section: "Limits",
    }),
    maxRedirects: field(z._default(z.int().check(z.minimum(0), z.maximum(5)), 5), {
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
