import { isJsonObject, type Json, type JsonObject, parseJson } from "../../../engine/json.ts";
import type { Step } from "../made.ts";
import type { NodeWork } from "../node-work.ts";
import { requestStep, type Service } from "../services.ts";
import {
  type AppMapper,
  type AppRequest,
  cel,
  given,
  pathSegments,
  present,
  segment,
  templated,
  unsaid,
} from "./request.ts";

const version = "v23.0";
const numberOf = (work: NodeWork) => `/${segment(work, "phoneNumberId")}/messages`;

/** Digits alone, as Meta wants a number. */
function recipient(work: NodeWork): string {
  const value = work.at("recipientPhoneNumber");
  if (!work.isExpression(value)) return work.textOf(value).replace(/[\s()+-]/g, "");
  const code = cel(work, value);
  return code.startsWith("ai(") ? `{{${code}}}` : `{{replacePattern(text(${code}), "[\\\\s()+-]", "", "g")}}`;
}

const message = (work: NodeWork, type: string, content: Json) => ({
  method: "POST" as const,
  path: numberOf(work),
  body: { messaging_product: "whatsapp", recipient_type: "individual", to: recipient(work), type, [type]: content },
});

/** A file of the run, which WhatsApp takes first (developers.facebook.com/docs/whatsapp/cloud-api/reference/media). */
function mediaUpload(work: NodeWork): { before: Step[]; id: string } {
  work.keepInput();
  const upload = work.step("upload");
  const sent: AppRequest = {
    method: "POST",
    path: `/${segment(work, "phoneNumberId")}/media`,
    parts: { messaging_product: "whatsapp", file: work.file("mediaPropertyName") },
  };
  return { before: [requestStep(upload, whatsApp, sent)], id: `{{${upload.path}.id}}` };
}

/** A message in Meta's form (developers.facebook.com/docs/whatsapp/cloud-api/reference/messages). */
const send: AppMapper = (work) => {
  const type = work.word("messageType", "text");
  switch (type) {
    case "text":
      return message(
        work,
        type,
        present({ body: given(work, "textBody"), preview_url: given(work, "additionalFields", "previewUrl") }),
      );
    case "location":
      return message(
        work,
        type,
        present({
          longitude: given(work, "longitude"),
          latitude: given(work, "latitude"),
          name: given(work, "nameAddress", "name") ?? given(work, "additionalFields", "nameAddress", "name"),
          address: given(work, "nameAddress", "address") ?? given(work, "additionalFields", "nameAddress", "address"),
        }),
      );
    case "image":
    case "video":
    case "audio":
    case "document": {
      const from = work.word("mediaPath", "useMediaLink");
      const ofRun = from === "useMedian8n";
      if (ofRun && !work.inFlow)
        return unsaid("It sends a file, and an agent’s tool gets none: make it a step of the flow.");
      const uploaded = ofRun ? mediaUpload(work) : undefined;
      const request = message(
        work,
        type,
        present({
          link: from === "useMediaLink" ? given(work, "mediaLink") : undefined,
          id: uploaded?.id ?? (from === "useMediaId" ? given(work, "mediaId") : undefined),
          caption: given(work, "additionalFields", "mediaCaption"),
          filename: given(work, "mediaFilename") ?? given(work, "additionalFields", "mediaFilename"),
        }),
      );
      return uploaded
        ? { ...request, before: uploaded.before, note: "It uploads the file first, and then sends it." }
        : request;
    }
    default:
      return unsaid(
        `It sends ${type === "contacts" ? "a contact" : `“${type}”`}, for which there is no request here yet.`,
      );
  }
};

function parameters(work: NodeWork, group: Json | undefined): Json[] {
  const rows = isJsonObject(group) && Array.isArray(group.parameter) ? group.parameter.filter(isJsonObject) : [];
  return rows.map((row): JsonObject => {
    const type = String(row.type ?? "text");
    const image = isJsonObject(row.image) ? row.image : {};
    if (type === "image") return { type, image: { link: work.textOf(row.imageLink ?? image.link) } };
    if (type === "date_time") return { type, date_time: { fallback_value: work.textOf(row.date_time) } };
    if (type === "currency")
      return {
        type,
        currency: present({
          code: templated(work, row.code),
          amount_1000: templated(work, row.amount_1000),
          fallback_value: templated(work, row.fallback_value),
        }),
      };
    if (type === "payload") return { type, payload: work.textOf(row.payload) };
    return { type, text: work.textOf(row.text) };
  });
}

/** A template; n8n has its name and language as `hello|en_US`. */
const sendTemplate: AppMapper = (work) => {
  const value = work.at("template");
  const [name = "", language = "en_US"] = work.isExpression(value) ? [] : String(value ?? "").split("|");
  const components = work.list("components", "component").map((one): JsonObject => ({
    type: String(one.type ?? "body"),
    ...present({
      sub_type: one.type === "button" ? (templated(work, one.sub_type) ?? "quick_reply") : undefined,
      index: one.type === "button" ? (templated(work, one.index) ?? 0) : undefined,
    }),
    parameters: [
      ...parameters(work, one.bodyParameters),
      ...parameters(work, one.headerParameters),
      ...parameters(work, one.buttonParameters),
    ],
  }));
  const code = work.isExpression(value) ? cel(work, value) : undefined;
  return message(work, "template", {
    name: code === undefined ? name : `{{split(text(${code}), "|")[0]}}`,
    language: { code: code === undefined ? language : `{{get(split(text(${code}), "|"), 1)}}` },
    ...(components.length === 0 ? {} : { components }),
  });
};

/** WhatsApp's cloud API. */
export const whatsApp: Service = {
  base: `https://graph.facebook.com/${version}`,
  connector: "whatsapp",
  needs: "a WhatsApp access token",
  usual: {
    resource: "message",
    operation: "sendTemplate",
    operations: { media: "mediaUpload", message: "sendTemplate" },
  },
  calls: {
    "message.send": send,
    "message.sendTemplate": sendTemplate,
    "message.sendAndWait": (work) => ({
      ...message(work, "text", present({ body: given(work, "message") })),
      note: "It does not wait for an answer.",
    }),
    "media.mediaUrlGet": (work) => ({ method: "GET", path: `/${segment(work, "mediaGetId")}` }),
    "media.mediaDelete": (work) => ({ method: "DELETE", path: `/${segment(work, "mediaDeleteId")}` }),
    "media.mediaUpload": (work) => ({
      method: "POST",
      path: `/${segment(work, "phoneNumberId")}/media`,
      parts: { messaging_product: "whatsapp", file: work.file("mediaPropertyName") },
    }),
  },
};

/** A request to Meta's graph: node, edge, fields and parameters (developers.facebook.com/docs/graph-api). */
const graph: AppMapper = (work) => {
  if (work.flag("sendBinaryData"))
    return unsaid("It sends a file, which the import does not map. An HTTP request can send it.");
  const method = work.word("httpRequestMethod", "GET");
  const edge = given(work, "edge") === undefined ? "" : `/${pathSegments(work, "edge")}`;
  const of = work.word("graphApiVersion");
  const names = work
    .list("options", "fields", "field")
    .map(({ name }) => work.textOf(name))
    .filter(Boolean);
  const rows = work.list("options", "queryParameters", "parameter");
  const written = work.at("options", "queryParametersJson");
  const json = typeof written === "string" ? parseJson(written.replace(/^=/, "")) : written;
  if (written !== undefined && written !== "" && !isJsonObject(json))
    return unsaid("Its parameters are worked out as a whole.");
  const host = work.word("hostUrl", "graph.facebook.com");
  return {
    method: method === "POST" || method === "DELETE" ? method : "GET",
    path: `https://${host}/${of === "" ? "" : `${of}/`}${pathSegments(work, "node")}${edge}`,
    query: {
      ...(isJsonObject(json) ? fromJson(work, json) : {}),
      ...Object.fromEntries(rows.map(({ name, value }) => [work.textOf(name), work.textOf(value)])),
      ...(names.length === 0 ? {} : { fields: names.join(",") }),
    },
  };
};

const fromJson = (work: NodeWork, json: JsonObject): JsonObject => {
  const made = work.template(
    Object.fromEntries(
      Object.entries(json).map(([name, one]) => [
        name,
        typeof one === "string" && one.includes("{{") ? `=${one}` : one,
      ]),
    ),
  );
  return isJsonObject(made) ? made : {};
};

export const facebookGraphApi: Service = {
  base: "https://graph.facebook.com",
  needs: "an access token of your Meta app (HTTP bearer)",
  calls: { ".": graph },
};

/** A post of LinkedIn (learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api). */
/** A picture: LinkedIn gives an address for it, and takes its bytes there (learn.microsoft.com/linkedin/marketing/community-management/shares/images-api). */
function linkedInPicture(work: NodeWork, owner: string): { before: Step[]; id: string } {
  const address = work.step("address");
  const bytes = work.step("upload");
  const asked: AppRequest = {
    method: "POST",
    path: "/images",
    query: { action: "initializeUpload" },
    body: { initializeUploadRequest: { owner } },
  };
  const sent: AppRequest = {
    method: "PUT",
    path: `{{${address.path}.value.uploadUrl}}`,
    body: work.file("binaryPropertyName"),
  };
  return {
    before: [requestStep(address, linkedIn, asked), requestStep(bytes, linkedIn, sent)],
    id: `{{${address.path}.value.image}}`,
  };
}

const linkedInPost: AppMapper = (work) => {
  const kind = work.word("shareMediaCategory", "NONE");
  if (kind === "IMAGE" && !work.inFlow)
    return unsaid("It sends a file, and an agent’s tool gets none: make it a step of the flow.");
  if (kind === "IMAGE") work.keepInput();
  const as = work.word("postAs", "person");
  const id = work.textOf(work.at(as === "organization" ? "organization" : "person"));
  const text = work.at("text");
  const special = "[\\\\\\\\(*)\\\\[\\\\]{}<>@|~_]";
  const commentary = work.isExpression(text)
    ? `{{replacePattern(text(${cel(work, text)}), "${special}", "\\\\$&", "g")}}`
    : work.textOf(text).replace(/[\\(*)[\]{}<>@|~_]/g, "\\$&");
  const author = id.startsWith("urn:") ? id : `urn:li:${as === "organization" ? "organization" : "person"}:${id}`;
  const picture = kind === "IMAGE" ? linkedInPicture(work, author) : undefined;
  return {
    method: "POST",
    path: "/posts",
    ...(picture === undefined
      ? {}
      : { before: picture.before, note: "It uploads the picture first, in two requests." }),
    body: {
      author,
      commentary,
      visibility: work.word(["additionalFields", "visibility"], "PUBLIC"),
      distribution: { feedDistribution: "MAIN_FEED", targetEntities: [], thirdPartyDistributionChannels: [] },
      lifecycleState: "PUBLISHED",
      isReshareDisabledByAuthor: false,
      ...(kind === "ARTICLE"
        ? {
            content: {
              article: present({
                source: given(work, "additionalFields", "originalUrl") ?? given(work, "originalUrl"),
                title: given(work, "additionalFields", "title"),
                description: given(work, "additionalFields", "description"),
              }),
            },
          }
        : {}),
      ...(picture === undefined
        ? {}
        : { content: { media: present({ id: picture.id, title: given(work, "additionalFields", "title") }) } }),
    },
  };
};

/** LinkedIn's own posts (learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api). */
export const linkedIn: Service = {
  base: "https://api.linkedin.com/rest",
  needs: "a LinkedIn access token (HTTP bearer)",
  headers: { "LinkedIn-Version": "202607", "X-Restli-Protocol-Version": "2.0.0" },
  usual: { resource: "post", operation: "create" },
  calls: { "post.create": linkedInPost },
};
