import { searchParts } from "../../testing/own-searches.ts";
import { dataEvents } from "../../testing/sse.ts";
import type { Recording } from "../../testing/replay.ts";

/** Gemini API answers after the vendor's reference ("generateContent", "Thinking", "Function calling", "Errors"). */

function chunk(parts: object[], more: object = {}, candidate: object = {}): object {
  return {
    candidates: [{ content: { role: "model", parts }, index: 0, ...candidate }],
    modelVersion: "gemini-3-pro",
    responseId: "response-1",
    ...more,
  };
}

const usageMetadata = {
  promptTokenCount: 20,
  cachedContentTokenCount: 16,
  candidatesTokenCount: 10,
  thoughtsTokenCount: 5,
  totalTokenCount: 35,
};

function last(parts: object[], finishReason = "STOP", more: object = {}): object {
  return chunk(parts, { usageMetadata }, { finishReason, ...more });
}

export const text: Recording = {
  body: dataEvents(chunk([{ text: "Grüße, " }]), chunk([{ text: "世界 🌍" }]), last([{ text: "!" }])),
};

/** An image model's answer: a draft that it thought of, words, and the picture ("Image generation"). */
export const picture: Recording = {
  body: dataEvents(
    chunk([{ inlineData: { mimeType: "image/png", data: "RFJBRlQ=" }, thought: true }]),
    chunk([{ text: "A lamp:" }]),
    last([{ inlineData: { mimeType: "image/png", data: "UElDVFVSRQ==" }, thoughtSignature: "c2lnbg==" }]),
  ),
};

export const oneCall: Recording = {
  body: dataEvents(last([{ functionCall: { name: "calculator", args: { expression: "2 × 3" } } }])),
};

export const parallelCalls: Recording = {
  body: dataEvents(
    chunk([{ text: "Both at once." }]),
    chunk([
      { functionCall: { id: "call-a", name: "calculator", args: { expression: "1+1" } }, thoughtSignature: "c2lnbg==" },
      { functionCall: { id: "call-b", name: "clock", args: {} } },
    ]),
    last([]),
  ),
};

export const thinkingAndText: Recording = {
  body: dataEvents(
    chunk([{ text: "Let me ", thought: true }]),
    chunk([{ text: "think.", thought: true }]),
    chunk([{ text: "Done" }]),
    last([{ text: "", thoughtSignature: "dGV4dA==" }]),
  ),
};

/** After "Tool combination" and "Grounding with Google Search". */
export const grounded: Recording = {
  body: dataEvents(
    chunk(searchParts),
    last([{ text: "Blue." }], "STOP", {
      groundingMetadata: {
        webSearchQueries: ["sky"],
        groundingChunks: [{ web: { uri: "https://example.com/sky", title: "The sky" } }],
      },
      urlContextMetadata: {
        urlMetadata: [
          { retrievedUrl: "https://example.org/blue", urlRetrievalStatus: "URL_RETRIEVAL_STATUS_SUCCESS" },
          { retrievedUrl: "https://example.org/gone", urlRetrievalStatus: "URL_RETRIEVAL_STATUS_ERROR" },
        ],
      },
    }),
  ),
};

/** After "Streaming function call arguments". */
const piece = (partialArgs: object[], more: object = {}) => ({
  functionCall: { partialArgs, willContinue: true, ...more },
});

export const callInPieces: Recording = {
  body: dataEvents(
    chunk([{ functionCall: { name: "weather", willContinue: true }, thoughtSignature: "c2lnbg==" }]),
    chunk([piece([{ jsonPath: "$.place.city", stringValue: "New", willContinue: true }])]),
    chunk([piece([{ jsonPath: "$.place.city", stringValue: " Delhi" }])]),
    chunk([
      piece([
        { jsonPath: "$.place.tags[0]", stringValue: "a" },
        { jsonPath: "$.place.tags[1]", stringValue: "b" },
        { jsonPath: "$.days", numberValue: 2 },
        { jsonPath: "$.exact", boolValue: true },
        { jsonPath: "$.note", nullValue: "NULL_VALUE" },
      ]),
    ]),
    chunk([{ functionCall: {} }]),
    chunk([piece([{ jsonPath: "$['zone']", stringValue: "UTC" }], { name: "clock" })]),
    last([{ functionCall: {} }]),
  ),
};

export const filtered: Recording = { body: dataEvents(chunk([{ text: "Well" }]), last([], "SAFETY")) };

export const blocked: Recording = {
  body: dataEvents({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" }, usageMetadata: { promptTokenCount: 5 } }),
};

export const lengthStop: Recording = { body: dataEvents(last([{ text: "Cut sho" }], "MAX_TOKENS")) };

export const malformedCall: Recording = {
  body: dataEvents(last([], "MALFORMED_FUNCTION_CALL", { finishMessage: "Malformed function call: calculator(" })),
};

/** An answer that ended with one of the API's words for no plain end. */
const ended = (reason: string): Recording => ({ body: dataEvents(last([{ text: "Well" }], reason)) });
export const malformedAfterText = ended("MALFORMED_FUNCTION_CALL");
export const unexpectedCall = ended("UNEXPECTED_TOOL_CALL");
export const wrongLanguage = ended("LANGUAGE");
export const otherReason = ended("OTHER");
export const unknownReason = ended("SOMETHING_NEW");
export const recitation = ended("RECITATION");
export const blocklist = ended("BLOCKLIST");
export const prohibited = ended("PROHIBITED_CONTENT");
export const personalData = ended("SPII");

export const errorInStream: Recording = {
  body: `${dataEvents(chunk([{ text: "Half" }]))}${dataEvents({
    error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" },
  })}`,
};

export const cutOff: Recording = { body: dataEvents(chunk([{ text: "Half an ans" }])) };

export const malformed: Recording = {
  body: `${dataEvents(chunk([{ text: "Half" }]))}data: {"candidates": [{"cont\n\n`,
};

export const cutInJson: Recording = { body: `${dataEvents(chunk([{ text: "Half" }]))}data: {"candidates": [{"cont` };

function refuse(code: number, status: string, message: string, details: object[] = []): Recording {
  return { status: code, body: JSON.stringify({ error: { code, message, status, details } }) };
}

export const badKey = refuse(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", [
  { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" },
]);

export const unauthorized = refuse(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.");

const spent =
  "You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.";

function quota(quotaId: string): object[] {
  const quotaMetric = "generativelanguage.googleapis.com/generate_content_free_tier_requests";
  return [
    {
      "@type": "type.googleapis.com/google.rpc.QuotaFailure",
      violations: [{ quotaMetric, quotaId, quotaValue: "20" }],
    },
    { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "17.5s" },
  ];
}

/** Both quotas come in the same words, with the same wait. */
export const rateLimited = refuse(
  429,
  "RESOURCE_EXHAUSTED",
  spent,
  quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier"),
);
export const dayIsSpent = refuse(
  429,
  "RESOURCE_EXHAUSTED",
  spent,
  quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier"),
);
export const noFreeTier = refuse(
  429,
  "RESOURCE_EXHAUSTED",
  `${spent} \n* Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 0, model: gemini-3-pro`,
);

export const overloaded = refuse(503, "UNAVAILABLE", "The model is overloaded. Please try again later.");

export const tooLong = refuse(
  400,
  "INVALID_ARGUMENT",
  "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
);

export const unknownModel = refuse(404, "NOT_FOUND", "models/gemini-9 is not found for API version v1beta.");

export const whole: Recording = {
  body: JSON.stringify(
    last([{ text: "Hm.", thought: true }, { text: "In one piece." }, { functionCall: { name: "clock", args: {} } }]),
  ),
};

export const models: Recording = {
  body: JSON.stringify({
    models: [
      {
        name: "models/gemini-2.5-flash",
        displayName: "Gemini 2.5 Flash",
        supportedGenerationMethods: ["generateContent"],
      },
      { name: "models/embedding-001", displayName: "Embedding", supportedGenerationMethods: ["embedContent"] },
      {
        name: "models/gemini-2.0-flash",
        displayName: "Gemini 2.0 Flash",
        description: "Deprecated: use a newer model.",
        supportedGenerationMethods: ["generateContent"],
      },
    ],
  }),
};
