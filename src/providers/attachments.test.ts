import { describe, expect, it } from "vitest";
import type { Message } from "../engine/model/message.ts";
import * as anthropic from "./anthropic/recordings/messages.ts";
import { geminiProvider } from "./gemini.ts";
import * as gemini from "./gemini/recordings/generate-content.ts";
import * as interactions from "./gemini/recordings/interactions.ts";
import * as chat from "./openai/recordings/chat.ts";
import * as responses from "./openai/recordings/responses.ts";
import { anthropicOver } from "./testing/anthropic-over.ts";
import { chatOver, openaiOver } from "./testing/openai-over.ts";
import { collect, modelRequest, replayHost, summary, type Recording } from "./testing/replay.ts";

/*
 * Files and pictures as each vendor's guide has them: Anthropic "PDF support" and "Tool use", Google "Document processing",
 * "Audio understanding" and "Multimodal function responses", OpenAI "File inputs", "Audio" and "Function calling".
 */

const pdf = "data:application/pdf;base64,JVBERi0xLjc=";
const recording = "data:audio/wav;base64,UklGRg==";
const png = "data:image/png;base64,AAAA";

const withFiles: Message[] = [
  {
    role: "user",
    parts: [
      { type: "text", text: "Sum up." },
      { type: "file", url: pdf, name: "report.pdf" },
      { type: "file", url: recording },
    ],
  },
];

const withToolPicture: Message[] = [
  { role: "user", parts: [{ type: "text", text: "Look" }] },
  {
    role: "assistant",
    parts: [
      { type: "tool-call", callId: "a", toolName: "camera", arguments: "{}" },
      { type: "tool-call", callId: "b", toolName: "clock", arguments: "{}" },
    ],
  },
  { role: "tool", callId: "a", toolName: "camera", ok: true, text: "[image]", images: [png] },
  { role: "tool", callId: "b", toolName: "clock", ok: true, text: "noon" },
];

function geminiOver(answer: Recording, model = "gemini-3-pro-preview", api = "generate-content") {
  const { host, sent } = replayHost(answer, "single-bytes");
  const config = { ...geminiProvider.config.parse({ api }), model };
  return { model: geminiProvider.create(config, { host, credential: "credential-1", nodeId: "model" }), sent };
}

async function sentBy({ model, sent }: ReturnType<typeof anthropicOver>, messages: Message[]) {
  await collect(model, modelRequest({ messages }));
  return sent[0]?.body;
}

describe("files that a person attached", () => {
  it("reach Claude as documents; recordings are named", async () => {
    expect(await sentBy(anthropicOver(anthropic.text), withFiles)).toMatchObject({
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Sum up." },
            {
              type: "document",
              source: { type: "base64", media_type: "application/pdf", data: "JVBERi0xLjc=" },
              title: "report.pdf",
            },
            { type: "text", text: "[A file was attached here. You cannot read it.]" },
          ],
        },
      ],
    });
  });

  it("reach Gemini as data of their type", async () => {
    expect(await sentBy(geminiOver(gemini.text), withFiles)).toMatchObject({
      contents: [
        {
          parts: [
            { text: "Sum up." },
            { inlineData: { mimeType: "application/pdf", data: "JVBERi0xLjc=" } },
            { inlineData: { mimeType: "audio/wav", data: "UklGRg==" } },
          ],
        },
      ],
    });
  });

  it("reach Gemini over Interactions as content of their kind", async () => {
    const over = geminiOver(interactions.text, "gemini-3-pro-preview", "interactions");
    expect(await sentBy(over, withFiles)).toMatchObject({
      input: [
        {
          type: "user_input",
          content: [
            { type: "text", text: "Sum up." },
            { type: "document", mime_type: "application/pdf", data: "JVBERi0xLjc=" },
            { type: "audio", mime_type: "audio/wav", data: "UklGRg==" },
          ],
        },
      ],
    });
  });

  it("reach OpenAI over Responses and over Chat Completions", async () => {
    expect(await sentBy(openaiOver(responses.reasoningAndCalls, { model: "gpt-5-mini" }), withFiles)).toMatchObject({
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "Sum up." },
            { type: "input_file", filename: "report.pdf", file_data: pdf },
            { type: "input_text", text: "[A file was attached here. You cannot read it.]" },
          ],
        },
      ],
    });
    expect(await sentBy(chatOver(chat.text), withFiles)).toMatchObject({
      messages: [
        {
          content: [
            { type: "text", text: "Sum up." },
            { type: "file", file: { filename: "report.pdf", file_data: pdf } },
            { type: "text", text: "[A file was attached here. You cannot read it.]" },
          ],
        },
      ],
    });
  });

  it("reach OpenAI's audio models as sound", async () => {
    const over = openaiOver(chat.text, { model: "gpt-audio-mini" });
    expect(over.model.capabilities.files).toEqual(["audio"]);
    expect(await sentBy(over, withFiles)).toMatchObject({
      messages: [
        {
          content: [
            { type: "text", text: "Sum up." },
            { type: "text", text: "[report.pdf was attached here. You cannot read it.]" },
            { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } },
          ],
        },
      ],
    });
  });
});

describe("pictures that a tool returned", () => {
  it("stand in the tool's result for Claude, Gemini 3 and OpenAI over Responses", async () => {
    expect(await sentBy(anthropicOver(anthropic.text), withToolPicture)).toMatchObject({
      messages: [
        {},
        {},
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "a",
              content: [
                { type: "text", text: "[image]" },
                { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
              ],
            },
            { type: "tool_result", tool_use_id: "b", content: "noon" },
          ],
        },
      ],
    });
    expect(await sentBy(geminiOver(gemini.text), withToolPicture)).toMatchObject({
      contents: [
        {},
        {},
        {
          parts: [
            {
              functionResponse: {
                name: "camera",
                response: { output: "[image]" },
                parts: [{ inlineData: { mimeType: "image/png", data: "AAAA" } }],
              },
            },
            { functionResponse: { name: "clock", response: { output: "noon" } } },
          ],
        },
      ],
    });
    expect(
      await sentBy(openaiOver(responses.reasoningAndCalls, { model: "gpt-5-mini" }), withToolPicture),
    ).toMatchObject({
      input: [
        {},
        {},
        {},
        {
          type: "function_call_output",
          call_id: "a",
          output: [
            { type: "input_text", text: "[image]" },
            { type: "input_image", image_url: png },
          ],
        },
        { type: "function_call_output", call_id: "b", output: "noon" },
      ],
    });
  });

  it("follow the results of the turn over Chat Completions, whose tools answer in text", async () => {
    expect(await sentBy(chatOver(chat.text), withToolPicture)).toMatchObject({
      messages: [
        {},
        {},
        { role: "tool", tool_call_id: "a", content: "[image]" },
        { role: "tool", tool_call_id: "b", content: "noon" },
        {
          role: "user",
          content: [
            { type: "text", text: "The pictures that the tools returned:" },
            { type: "image_url", image_url: { url: png } },
          ],
        },
      ],
    });
  });

  it("stand in the result over Interactions", async () => {
    const over = geminiOver(interactions.text, "gemini-3-pro-preview", "interactions");
    expect(JSON.stringify(await sentBy(over, withToolPicture))).toContain(
      JSON.stringify([
        { type: "text", text: "[image]" },
        { type: "image", mime_type: "image/png", data: "AAAA" },
      ]),
    );
  });

  it("are left out for a Gemini before 3, which refuses them", async () => {
    const body = await sentBy(geminiOver(gemini.text, "gemini-2.5-flash"), withToolPicture);
    expect(JSON.stringify(body)).not.toContain("inlineData");
  });
});

describe("pictures that a model makes", () => {
  const lamp = "data:image/png;base64,UElDVFVSRQ==";

  it("are part of its answer, without the drafts that it thought of", async () => {
    const over = geminiOver(gemini.picture, "gemini-3-pro-image-preview");
    const { last } = summary(await collect(over.model));
    expect(last).toMatchObject({
      type: "finish",
      finishReason: "stop",
      message: {
        parts: [
          { type: "text", text: "A lamp:" },
          { type: "image", url: lamp, vendor: { thoughtSignature: "c2lnbg==" } },
        ],
      },
    });
    const { last: routed } = summary(await collect(chatOver(chat.picture).model));
    expect(routed).toMatchObject({
      message: {
        parts: [
          { type: "text", text: "A lamp:" },
          { type: "image", url: lamp },
        ],
      },
    });
  });

  it("go back to Gemini with their signature, and to others not at all", async () => {
    const messages: Message[] = [
      { role: "user", parts: [{ type: "text", text: "Draw a lamp." }] },
      {
        role: "assistant",
        parts: [
          { type: "text", text: "A lamp:" },
          { type: "image", url: lamp, vendor: { thoughtSignature: "c2lnbg==" } },
        ],
      },
      { role: "user", parts: [{ type: "text", text: "Make it red." }] },
    ];
    expect(await sentBy(geminiOver(gemini.text, "gemini-3-pro-image-preview"), messages)).toMatchObject({
      contents: [
        {},
        {
          role: "model",
          parts: [
            { text: "A lamp:" },
            { inlineData: { mimeType: "image/png", data: "UElDVFVSRQ==" }, thoughtSignature: "c2lnbg==" },
          ],
        },
        {},
      ],
    });
    for (const over of [
      anthropicOver(anthropic.text),
      chatOver(chat.text),
      openaiOver(responses.reasoningAndCalls, {}),
    ])
      expect(JSON.stringify(await sentBy(over, messages))).not.toContain("UElDVFVSRQ");
  });
});
