import type { Json, JsonObject } from "../../../engine/json.ts";
import type { Made } from "../made.ts";
import type { NodeWork } from "../node-work.ts";
import { requestConfig, requestStep, type Service } from "../services.ts";
import {
  type AppMapper,
  type AppRequest,
  given,
  isGiven,
  jsonOf,
  present,
  segment,
  templated,
  unsaid,
} from "./request.ts";

const channelOf = (work: NodeWork) => {
  work.drop("guildId", "The channel says which server it is.");
  return `/channels/${segment(work, "channelId")}`;
};
const messageOf = (work: NodeWork) => `${channelOf(work)}/messages/${segment(work, "messageId")}`;
const guildOf = (work: NodeWork) => `/guilds/${segment(work, "guildId")}`;

/** Embeds in Discord's form (discord.com/developers/docs/resources/message#embed-object). */
function embedsOf(work: NodeWork): Json[] {
  return work.list("embeds", "values").flatMap((row): Json[] => {
    if (row.inputMethod === "json") {
      const made = jsonOf(work, row.json);
      return made === undefined ? [] : [made];
    }
    const text = (name: string) => templated(work, row[name]);
    const image = (name: string) => {
      const url = text(name);
      return url === undefined ? undefined : { url };
    };
    const author = text("author");
    const color = row.color;
    const embed = present({
      title: text("title"),
      description: text("description"),
      url: text("url"),
      timestamp: text("timestamp"),
      color:
        typeof color === "string" && /^#[0-9a-f]{6}$/i.test(color)
          ? Number.parseInt(color.slice(1), 16)
          : templated(work, color),
      author: author === undefined ? undefined : { name: author },
      image: image("image"),
      thumbnail: image("thumbnail"),
      video: image("video"),
    });
    return Object.keys(embed).length === 0 ? [] : [embed];
  });
}

/** Bits of a message: 4 without previews of links, 4096 without a notification. */
const flagBits: Readonly<Record<string, number>> = { SUPPRESS_EMBEDS: 4, SUPPRESS_NOTIFICATIONS: 4_096 };

function contentOf(work: NodeWork): JsonObject {
  const flags = work.at("options", "flags");
  const bits = Array.isArray(flags) ? flags.reduce<number>((sum, flag) => sum + (flagBits[String(flag)] ?? 0), 0) : 0;
  const embeds = embedsOf(work);
  const answered = given(work, "options", "message_reference");
  return present({
    content: given(work, "content") ?? given(work, "text"),
    embeds: embeds.length === 0 ? undefined : embeds,
    tts: given(work, "options", "tts"),
    flags: bits === 0 ? undefined : bits,
    message_reference: answered === undefined ? undefined : { message_id: answered, fail_if_not_exists: false },
    username: given(work, "options", "username"),
    avatar_url: given(work, "options", "avatar_url") ?? given(work, "options", "avatarUrl"),
  });
}

/** The message, in a form where a file goes with it (discord.com/developers/docs/reference#uploading-files). */
function carriedBy(work: NodeWork): Pick<AppRequest, "body" | "parts"> {
  const files = work.list("files", "values").filter(({ inputFieldName }) => Boolean(inputFieldName));
  if (files.length === 0) return { body: contentOf(work) };
  return { parts: { payload_json: contentOf(work), "files[0]": work.file("files", "values", "0", "inputFieldName") } };
}

const byWebhook = (work: NodeWork, url?: string): AppRequest => ({
  method: "POST",
  path: url ?? "https://discord.com/api/webhooks/<your-webhook-id>/{token}",
  query: work.flag(["options", "wait"]) ? { wait: "true" } : {},
  ...carriedBy(work),
  needs:
    url === undefined
      ? "the webhook’s token (API key in the address, named token), and write its ID into the address"
      : "",
});

/** A message to a channel, to a person, or through a webhook. */
const send: AppMapper = (work): AppRequest | Made => {
  if (work.list("files", "values").length > 1) return unsaid("It sends several files, which are one here.");
  if (isGiven(work, "webhookUri")) return byWebhook(work, work.textOf(work.at("webhookUri")));
  if (work.word("authentication") === "webhook") return byWebhook(work);
  if (work.word("sendTo", "channel") !== "user")
    return { method: "POST", path: `${channelOf(work)}/messages`, ...carriedBy(work) };
  work.drop("guildId", "A person is reached without a server.");
  const open: AppRequest = {
    method: "POST",
    path: "/users/@me/channels",
    body: present({ recipient_id: given(work, "userId") }),
  };
  if (!work.inFlow)
    return unsaid(
      "A message to a person takes two requests, and an agent’s tool is one: opening the chat, and sending.",
    );
  work.keepInput();
  const chat = work.step("chat");
  return {
    type: "http-request",
    before: [requestStep(chat, discord, open)],
    config: {
      result: "body",
      onError: work.node.onError === "continue" ? "continue" : "fail",
      ...requestConfig(discord, { method: "POST", path: "/channels/{{json.id}}/messages", ...carriedBy(work) }),
    },
    outcome: "approximated",
    note: "It opens the chat with the person first.",
    needs: discord.needs,
  };
};

const amount = (work: NodeWork) => present({ limit: work.flag("returnAll") ? 100 : (given(work, "limit") ?? 100) });

/** One role; Discord takes one in a request. */
const role =
  (method: "PUT" | "DELETE"): AppMapper =>
  (work) => {
    const roles = work.at("role");
    if (Array.isArray(roles) && roles.length > 1)
      return unsaid("Discord takes one role in a request, and it has several.");
    const one = Array.isArray(roles) ? work.textOf(roles[0]) : work.textOf(roles);
    return { method, path: `${guildOf(work)}/members/${segment(work, "userId")}/roles/${encodedRole(one)}` };
  };

const encodedRole = (one: string) => (one.includes("{{") ? one : encodeURIComponent(one));

const channelKinds: Readonly<Record<string, number>> = { "0": 0, "2": 2, "4": 4 };

const channelFields = (work: NodeWork): JsonObject =>
  present({
    name: given(work, "name"),
    type: work.at("type") === undefined ? undefined : (channelKinds[work.word("type")] ?? 0),
    ...Object.fromEntries(
      ["topic", "nsfw", "position", "bitrate", "user_limit", "rate_limit_per_user"].map((name) => [
        name,
        given(work, "options", name),
      ]),
    ),
    parent_id: given(work, "options", "categoryId") ?? given(work, "options", "parent_id"),
  });

/** Discord's API (discord.com/developers/docs/reference). */
export const discord: Service = {
  base: "https://discord.com/api/v10",
  connector: "discord",
  needs: "the bot’s token",
  usual: {
    resource: "channel",
    operation: "create",
    operations: { message: "send", channel: "create", member: "getAll" },
  },
  calls: {
    "message.send": send,
    "message.sendLegacy": send,
    "message.sendAndWait": (work) => {
      const made = send(work);
      return "method" in made
        ? { ...made, body: present({ content: given(work, "message") }), note: "It does not wait for an answer." }
        : made;
    },
    "message.getAll": (work) => ({ method: "GET", path: `${channelOf(work)}/messages`, query: amount(work) }),
    "message.get": (work) => ({ method: "GET", path: messageOf(work) }),
    "message.deleteMessage": (work) => ({ method: "DELETE", path: messageOf(work) }),
    "message.react": (work) => ({ method: "PUT", path: `${messageOf(work)}/reactions/${segment(work, "emoji")}/@me` }),
    "channel.get": (work) => ({ method: "GET", path: channelOf(work) }),
    "channel.getAll": (work) => ({ method: "GET", path: `${guildOf(work)}/channels` }),
    "channel.create": (work): AppRequest | Made =>
      // Older files send a message without saying so.
      isGiven(work, "content") ||
      isGiven(work, "webhookUri") ||
      work.word("authentication") === "webhook" ||
      !isGiven(work, "guildId")
        ? send(work)
        : { method: "POST", path: `${guildOf(work)}/channels`, body: channelFields(work) },
    "channel.update": (work) => ({ method: "PATCH", path: channelOf(work), body: channelFields(work) }),
    "channel.deleteChannel": (work) => ({ method: "DELETE", path: channelOf(work) }),
    "member.getAll": (work) => ({ method: "GET", path: `${guildOf(work)}/members`, query: amount(work) }),
    "member.roleAdd": role("PUT"),
    "member.roleRemove": role("DELETE"),
  },
};
