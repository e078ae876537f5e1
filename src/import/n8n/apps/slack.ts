import { isJsonObject, type Json, type JsonObject } from "../../../engine/json.ts";
import type { NodeWork } from "../node-work.ts";
import type { Service } from "../services.ts";
import {
  type AppMapper,
  expressionOf,
  given,
  isGiven,
  joinedList,
  jsonOf,
  type Paging,
  present,
  unsaid,
} from "./request.ts";
import { slackUpload } from "./slack-upload.ts";

/** Where a message goes: a channel, or a person, whom Slack takes in its place. */
function target(work: NodeWork): Json | undefined {
  const chosen = work.word("select", isGiven(work, "user") && !isGiven(work, "channelId") ? "user" : "channel");
  return chosen === "user"
    ? given(work, "user")
    : (given(work, "channelId") ?? given(work, "channel") ?? given(work, "channelName"));
}

/** Blocks: n8n has them as text, with or without what is around them. */
function blocksOf(work: NodeWork): Json | undefined {
  const made = jsonOf(work, work.at("blocksUi"));
  if (typeof made === "string" && made.startsWith("{{")) {
    const code = expressionOf(made);
    return `{{isList(${code}) ? dyn(${code}) : dyn(get(${code}, "blocks"))}}`;
  }
  if (Array.isArray(made)) return made;
  return isJsonObject(made) && Array.isArray(made.blocks) ? made.blocks : undefined;
}

function attachmentsOf(work: NodeWork): Json | undefined {
  const list = [...work.list("attachments", "attachments"), ...work.list("attachments")];
  if (list.length === 0) return undefined;
  return list.map((one) => {
    const fields = isJsonObject(one.fields) && Array.isArray(one.fields.item) ? one.fields.item : one.fields;
    const made = work.template({ ...one, ...(fields === undefined ? {} : { fields }) });
    return made;
  });
}

const option = (work: NodeWork, ...path: string[]) =>
  given(work, "otherOptions", ...path) ?? given(work, "options", ...path);

/** The content of a message and how it is shown (docs.slack.dev/reference/methods/chat.postMessage). */
function contentOf(work: NodeWork, text: "text" | "message" = "text"): JsonObject {
  for (const group of ["otherOptions", "options"])
    work.drop([group, "includeLinkToWorkflow"], "A line about n8n at the end of the message.");
  work.drop(["otherOptions", "botProfile", "imageValues", "profilePhotoType"], "The picture says it.");
  const type = work.word("messageType", isGiven(work, "blocksUi") ? "block" : "text");
  const icon = option(work, "botProfile", "imageValues", "icon_emoji");
  const broadcast = option(work, "thread_ts", "replyValues", "reply_broadcast");
  const names = ["mrkdwn", "unfurl_links", "unfurl_media", "link_names", "icon_emoji", "icon_url", "parse"];
  return present({
    text: given(work, text),
    blocks: type === "block" ? blocksOf(work) : undefined,
    attachments: attachmentsOf(work),
    thread_ts:
      option(work, "thread_ts", "replyValues", "thread_ts") ??
      (isJsonObject(work.at("otherOptions", "thread_ts")) ? undefined : option(work, "thread_ts")),
    reply_broadcast: broadcast,
    ...Object.fromEntries(names.map((name) => [name, option(work, name)])),
    as_user: option(work, "as_user") ?? given(work, "as_user"),
    ...present({ username: option(work, "username") ?? option(work, "sendAsUser") }),
    ...(icon === undefined ? {} : { icon_emoji: icon }),
    ...present({ icon_url: option(work, "botProfile", "imageValues", "icon_url") }),
  });
}

const send =
  (text: "text" | "message" = "text", note?: string): AppMapper =>
  (work) => {
    const hidden = option(work, "ephemeral", "ephemeralValues", "user") ?? option(work, "ephemeral", "user");
    return {
      method: "POST",
      path: hidden === undefined ? "/chat.postMessage" : "/chat.postEphemeral",
      body: present({ channel: target(work), user: hidden, ...contentOf(work, text) }),
      ...(note === undefined ? {} : { note }),
    };
  };

/** A call whose fields have names of their own. */
const call =
  (name: string, fields: Readonly<Record<string, string>>, more: JsonObject = {}): AppMapper =>
  (work) => ({
    method: "POST",
    path: `/${name}`,
    body: {
      ...present(Object.fromEntries(Object.entries(fields).map(([key, from]) => [key, first(work, from)]))),
      ...more,
    },
  });

/** The first of several parameters that is given, such as `channelId|channel`. */
function first(work: NodeWork, from: string): Json | undefined {
  const path = from.split("|").find((one) => isGiven(work, ...one.split(".")));
  return path === undefined ? undefined : given(work, ...path.split("."));
}

/** A list of Slack, which it gives in parts. */
const list =
  (name: string, items: string, fields: Readonly<Record<string, string>>): AppMapper =>
  (work) => {
    const all = work.flag("returnAll");
    const paging: Paging = { parameter: "cursor", next: "response_metadata.next_cursor", items, all };
    return {
      method: "GET",
      path: `/${name}`,
      query: {
        ...present(Object.fromEntries(Object.entries(fields).map(([key, from]) => [key, first(work, from)]))),
        limit: all ? 200 : (given(work, "limit") ?? 100),
      },
      paging,
    };
  };

const channel = { channel: "channelId|channel" };

const invite: AppMapper = (work) => ({
  method: "POST",
  path: "/conversations.invite",
  body: present({ channel: given(work, "channelId"), users: joinedList(work, work.at("userIds")) }),
});

const search: AppMapper = (work) => {
  const all = work.flag("returnAll");
  const by = work.word("sort", "desc");
  return {
    method: "GET",
    path: "/search.messages",
    query: present({
      query: given(work, "query"),
      count: all ? 100 : (given(work, "limit") ?? 25),
      sort: by === "relevance" ? "score" : "timestamp",
      sort_dir: by === "asc" ? "asc" : "desc",
    }),
    note: "The messages come in “messages.matches”; the first page is read.",
  };
};

const profile: AppMapper = (work) => {
  const fields = work.at("additionalFields") ?? work.at("options");
  const { customFieldUi: custom, status, ...plain } = isJsonObject(fields) ? fields : {};
  if (custom !== undefined) return unsaid("It sets fields that a workspace has made for itself.");
  const set = isJsonObject(status) && isJsonObject(status.set_status) ? status.set_status : {};
  const made = work.template({ ...plain, ...set });
  return { method: "POST", path: "/users.profile.set", body: { profile: made } };
};

/** Slack's Web API (docs.slack.dev/reference/methods). */
export const slack: Service = {
  base: "https://slack.com/api",
  connector: "slack",
  needs: "a Slack token",
  errorAt: "error",
  usual: {
    resource: "message",
    operation: "post",
    operations: {
      message: "post",
      channel: "create",
      file: "upload",
      reaction: "add",
      star: "add",
      user: "info",
      userGroup: "create",
      userProfile: "get",
    },
  },
  calls: {
    "message.post": send(),
    "message.postMessage": send(),
    "message.send": send(),
    ".postToChannel": send(),
    "message.postEphemeral": send(),
    "message.sendAndWait": send("message", "It does not wait for an answer; let a person approve instead."),
    "message.update": (work) => ({
      method: "POST",
      path: "/chat.update",
      body: present({ channel: target(work), ts: given(work, "ts"), ...contentOf(work) }),
    }),
    "message.delete": call("chat.delete", { ...channel, ts: "timestamp|ts" }),
    "message.getPermalink": (work) => ({
      method: "GET",
      path: "/chat.getPermalink",
      query: present({ channel: target(work), message_ts: first(work, "timestamp|message_ts") }),
    }),
    "message.search": search,
    "search.": search,
    "channel.create": (work) => ({
      method: "POST",
      path: "/conversations.create",
      body: present({
        name: first(work, "channelId|channel"),
        is_private: work.word("channelVisibility") === "private" ? true : undefined,
      }),
    }),
    "channel.get": (work) => ({
      method: "GET",
      path: "/conversations.info",
      query: present({ channel: first(work, "channelId|channel") }),
    }),
    "channel.getAll": list("conversations.list", "channels", {
      exclude_archived: "filters.excludeArchived",
      types: "filters.types",
    }),
    "channel.history": list("conversations.history", "messages", {
      ...channel,
      oldest: "filters.oldest",
      latest: "filters.latest",
      inclusive: "filters.inclusive",
    }),
    "channel.replies": list("conversations.replies", "messages", { ...channel, ts: "ts" }),
    "channel.member": list("conversations.members", "members", channel),
    "channel.invite": invite,
    "channel.kick": call("conversations.kick", { ...channel, user: "userId" }),
    "channel.join": call("conversations.join", channel),
    "channel.leave": call("conversations.leave", channel),
    "channel.archive": call("conversations.archive", channel),
    "channel.unarchive": call("conversations.unarchive", channel),
    "channel.close": call("conversations.close", channel),
    "channel.open": call("conversations.open", {
      channel: "options.channelId",
      users: "options.users",
      return_im: "options.returnIm",
    }),
    "channel.rename": call("conversations.rename", { ...channel, name: "name" }),
    "channel.setPurpose": call("conversations.setPurpose", { ...channel, purpose: "purpose" }),
    "channel.setTopic": call("conversations.setTopic", { ...channel, topic: "topic" }),
    "user.info": (work) => ({ method: "GET", path: "/users.info", query: present({ user: given(work, "user") }) }),
    "user.getPresence": (work) => ({
      method: "GET",
      path: "/users.getPresence",
      query: present({ user: given(work, "user") }),
    }),
    "user.getProfile": (work) => ({
      method: "GET",
      path: "/users.profile.get",
      query: present({ user: given(work, "user") }),
    }),
    "user.getAll": list("users.list", "members", {}),
    "user.updateProfile": profile,
    "userProfile.get": (work) => ({
      method: "GET",
      path: "/users.profile.get",
      query: present({ user: first(work, "additionalFields.user|user") }),
    }),
    "userProfile.update": profile,
    "reaction.add": call("reactions.add", { ...channel, timestamp: "timestamp", name: "name" }),
    "reaction.remove": call("reactions.remove", { ...channel, timestamp: "timestamp", name: "name" }),
    "reaction.get": (work) => ({
      method: "GET",
      path: "/reactions.get",
      query: present({ channel: first(work, "channelId|channel"), timestamp: given(work, "timestamp") }),
    }),
    "file.get": (work) => ({ method: "GET", path: "/files.info", query: present({ file: given(work, "fileId") }) }),
    "file.getAll": (work) => ({
      method: "GET",
      path: "/files.list",
      query: present({
        channel: given(work, "filters", "channelId"),
        user: given(work, "filters", "userId"),
        count: given(work, "limit") ?? 100,
      }),
    }),
    "file.upload": (work) => slackUpload(work, slack),
  },
};
