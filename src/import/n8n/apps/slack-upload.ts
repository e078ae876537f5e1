import type { Json } from "../../../engine/json.ts";
import type { Made, Step } from "../made.ts";
import type { NodeWork } from "../node-work.ts";
import { requestStep, type Service } from "../services.ts";
import { type AppRequest, given, isGiven, joinedList, present, unsaid } from "./request.ts";

/** What is uploaded: the file that comes in, or the text of an old version's node as one. CEL, and the steps that make it. */
function uploaded(work: NodeWork, name: Json | undefined): { file: string; before: Step[] } {
  const isText = work.node.version <= 2.1 && !work.flag("binaryData");
  if (!isText) {
    work.drop("fileContent", "It sends a file.");
    return { file: work.file("binaryPropertyName").slice(2, -2), before: [] };
  }
  work.drop("binaryPropertyName", "It sends a text.");
  const { title, path } = work.step("file");
  const inputs = { name: name ?? "text.txt", text: given(work, "fileContent") ?? "" };
  const config = { code: "return files.make(name, String(text));", inputs };
  return { file: path, before: [{ title, type: "code", config }] };
}

/** A file in three requests: Slack gives an address, takes the bytes there, and shows the file (docs.slack.dev/messaging/working-with-files). */
export function slackUpload(work: NodeWork, slack: Service): AppRequest | Made {
  if (!work.inFlow) return unsaid("It uploads a file, and an agent’s tool gets none: make it a step of the flow.");
  work.keepInput();
  const name = given(work, "options", "fileName");
  const { file, before } = uploaded(work, name);
  const address = work.step("address");
  const bytes = work.step("upload");
  const asked = requestStep(address, slack, {
    method: "GET",
    path: "/files.getUploadURLExternal",
    query: { filename: name ?? `{{${file}.name}}`, length: `{{${file}.size}}` },
  });
  const sent: Step = {
    title: bytes.title,
    type: "http-request",
    config: { method: "POST", url: `{{${address.path}.upload_url}}`, body: `{{${file}}}`, result: "body" },
  };
  return {
    method: "POST",
    path: "/files.completeUploadExternal",
    body: present({
      files: [
        { id: `{{${address.path}.file_id}}`, title: given(work, "options", "title") ?? name ?? `{{${file}.name}}` },
      ],
      channel_id: given(work, "options", "channelId"),
      channels: isGiven(work, "options", "channelId") ? undefined : joinedList(work, work.at("options", "channelIds")),
      initial_comment: given(work, "options", "initialComment"),
      thread_ts: given(work, "options", "threadTs"),
    }),
    before: [...before, asked, sent],
    note: "It asks Slack for an address, sends the file there, and then shows it. The answer has the files in “files”.",
  };
}
