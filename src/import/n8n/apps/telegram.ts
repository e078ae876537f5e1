import { isJsonObject, type Json, type JsonObject } from "../../../engine/json.ts";
import type { Made } from "../made.ts";
import type { NodeWork } from "../node-work.ts";
import { requestStep, type Service } from "../services.ts";
import { type AppMapper, type AppRequest, given, jsonOf, present } from "./request.ts";

const rowsOf = (work: NodeWork, name: string): Json[][] =>
  work.list(name, "rows").map(({ row }) =>
    (isJsonObject(row) && Array.isArray(row.buttons) ? row.buttons.filter(isJsonObject) : []).map((button) => {
      const more = isJsonObject(button.additionalFields) ? button.additionalFields : {};
      const { webAppUrl, web_app: app, ...plain } = more;
      const url = webAppUrl ?? (isJsonObject(app) ? app.url : undefined);
      return {
        text: work.textOf(button.text),
        ...Object.fromEntries(
          Object.entries(plain)
            .filter(([, value]) => value !== "" && value !== null)
            .map(([key, value]) => [key, work.template(value)]),
        ),
        ...(url === undefined ? {} : { web_app: { url: work.textOf(url) } }),
      };
    }),
  );

/** Buttons below a message (core.telegram.org/bots/api#inlinekeyboardmarkup). */
function markup(work: NodeWork): Json | undefined {
  const kind = work.word("replyMarkup", "none");
  const options = (name: string): JsonObject => {
    const given = work.at(name);
    const made = isJsonObject(given) ? work.template(given) : {};
    return isJsonObject(made) ? made : {};
  };
  switch (kind) {
    case "inlineKeyboard":
      return { inline_keyboard: rowsOf(work, "inlineKeyboard") };
    case "replyKeyboard":
      return { keyboard: rowsOf(work, "replyKeyboard"), ...options("replyKeyboardOptions") };
    case "forceReply":
      return { force_reply: true, ...options("forceReply") };
    case "replyKeyboardRemove":
      return { remove_keyboard: true, ...options("replyKeyboardRemove") };
    default:
      return undefined;
  }
}

/** The fields that n8n calls as Telegram does. */
function more(work: NodeWork): JsonObject {
  const fields = work.at("additionalFields");
  if (!isJsonObject(fields)) return {};
  const { appendAttribution: _footer, fileName: _name, media: _media, ...rest } = fields;
  const made = work.template(Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== "")));
  return isJsonObject(made) ? made : {};
}

const chat = (work: NodeWork) => ({ chat_id: given(work, "chatId") });

const post = (method: string, body: JsonObject, note?: string): ReturnType<AppMapper> => ({
  method: "POST",
  path: `/${method}`,
  body,
  ...(note === undefined ? {} : { note }),
});

/** n8n's node formats texts unless it is told not to. */
const formatted = (fields: JsonObject, written?: Json): JsonObject =>
  "parse_mode" in fields ? fields : { parse_mode: written ?? "Markdown", ...fields };

const sendText =
  (name: "text" | "message", note?: string): AppMapper =>
  (work) =>
    post(
      "sendMessage",
      present({
        ...chat(work),
        text: given(work, name),
        reply_markup: markup(work),
        ...formatted(more(work), given(work, "parseMode")),
      }),
      note,
    );

/** A file that Telegram fetches from an address, or has already. */
const sendFile =
  (method: string, member: string): AppMapper =>
  (work) => {
    if (work.flag("binaryData"))
      return {
        method: "POST",
        path: `/${method}`,
        parts: present({
          ...chat(work),
          [member]: work.file("binaryPropertyName"),
          reply_markup: markup(work),
          ...more(work),
        }),
      };
    return post(
      method,
      present({ ...chat(work), [member]: given(work, "file"), reply_markup: markup(work), ...more(work) }),
    );
  };

const ofChat =
  (method: string, fields: Readonly<Record<string, string>> = {}): AppMapper =>
  (work) =>
    post(
      method,
      present({
        ...chat(work),
        ...Object.fromEntries(Object.entries(fields).map(([name, from]) => [name, given(work, from)])),
        ...more(work),
      }),
    );

const mediaGroup: AppMapper = (work) =>
  post(
    "sendMediaGroup",
    present({
      ...chat(work),
      media: work.list("media", "media").map((one) => {
        const fields = isJsonObject(one.additionalFields) ? work.template(one.additionalFields) : {};
        return { type: one.type ?? "photo", media: work.textOf(one.media), ...(isJsonObject(fields) ? fields : {}) };
      }),
      ...more(work),
    }),
  );

const editText: AppMapper = (work) =>
  post(
    "editMessageText",
    present({
      ...(work.word("messageType", "message") === "inlineMessage"
        ? { inline_message_id: given(work, "inlineMessageId") }
        : { ...chat(work), message_id: given(work, "messageId") }),
      text: given(work, "text"),
      reply_markup: markup(work),
      ...formatted(more(work)),
    }),
  );

/** Where a file is, and then the file itself, from an address of its own (core.telegram.org/bots/api#getfile). */
const getFile: AppMapper = (work): AppRequest | Made => {
  work.drop(["additionalFields", "mimeType"], "The file says itself what it is.");
  const place: AppRequest = {
    method: "GET",
    path: "/getFile",
    query: present({ file_id: given(work, "fileId") }),
  };
  if (work.at("download") === false) return place;
  if (!work.inFlow) return { ...place, note: "It gives the file’s path; the file itself is not downloaded." };
  const [asked, got] = [work.step("path"), work.step("download")];
  const path = `${asked.path}.result.file_path`;
  const file: AppRequest = {
    method: "GET",
    path: `https://api.telegram.org/file/bot{token}/{{split(${path}, "/")[0]}}/{{split(${path}, "/")[1]}}`,
  };
  return {
    type: "set-fields",
    before: [requestStep(asked, telegram, place), requestStep(got, telegram, file)],
    config: { fields: { result: `{{${asked.path}.result}}`, file: `{{${got.path}}}` }, keepInput: false },
    outcome: "approximated",
    note: "It asks for the file’s path and downloads it.",
    needs: telegram.needs,
  };
};

/** Telegram's bots (core.telegram.org/bots/api). */
export const telegram: Service = {
  base: "https://api.telegram.org/bot{token}",
  connector: "telegram",
  needs: "the bot’s token",
  usual: {
    resource: "message",
    operation: "sendMessage",
    operations: { message: "sendMessage", chat: "get", callback: "answerQuery", file: "get" },
  },
  calls: {
    "message.sendMessage": sendText("text"),
    "message.send": sendText("text"),
    "message.sendAndWait": sendText(
      "message",
      "It does not wait for an answer; let a person approve or ask in the chat.",
    ),
    "message.sendPhoto": sendFile("sendPhoto", "photo"),
    "message.sendDocument": sendFile("sendDocument", "document"),
    "message.sendAudio": sendFile("sendAudio", "audio"),
    "message.sendVideo": sendFile("sendVideo", "video"),
    "message.sendAnimation": sendFile("sendAnimation", "animation"),
    "message.sendSticker": sendFile("sendSticker", "sticker"),
    "message.sendVoice": sendFile("sendVoice", "voice"),
    "message.sendMediaGroup": mediaGroup,
    "message.sendLocation": ofChat("sendLocation", { latitude: "latitude", longitude: "longitude" }),
    "message.sendChatAction": (work) =>
      post("sendChatAction", present({ ...chat(work), action: given(work, "action") ?? "typing", ...more(work) })),
    "message.editMessageText": editText,
    "message.deleteMessage": ofChat("deleteMessage", { message_id: "messageId" }),
    "message.pinChatMessage": ofChat("pinChatMessage", { message_id: "messageId" }),
    "message.unpinChatMessage": ofChat("unpinChatMessage", { message_id: "messageId" }),
    "file.get": getFile,
    "chat.get": ofChat("getChat"),
    "chat.administrators": ofChat("getChatAdministrators"),
    "chat.member": ofChat("getChatMember", { user_id: "userId" }),
    "chat.leave": ofChat("leaveChat"),
    "chat.setDescription": ofChat("setChatDescription", { description: "description" }),
    "chat.setTitle": ofChat("setChatTitle", { title: "title" }),
    "callback.answerQuery": (work) =>
      post("answerCallbackQuery", present({ callback_query_id: given(work, "queryId"), ...more(work) })),
    "callback.answerInlineQuery": (work) =>
      post(
        "answerInlineQuery",
        present({ inline_query_id: given(work, "queryId"), results: jsonOf(work, work.at("results")), ...more(work) }),
      ),
  },
};
