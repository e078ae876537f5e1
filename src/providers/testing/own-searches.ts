/** What vendors' own searches look like in an answer; they want them back as they are. */

/** OpenAI's, after "Web search". */
export const searchCall = {
  id: "ws_1",
  type: "web_search_call",
  status: "completed",
  action: { type: "search", query: "sky", sources: [{ type: "url", url: "https://example.com/sky" }] },
};

/** OpenAI's call that brings a picture, after "Image generation". */
export const drawnPicture = {
  id: "ig_1",
  type: "image_generation_call",
  status: "completed",
  output_format: "webp",
  result: "UklGRg==",
};

/** Gemini's, after "Tool combination". */
export const searchParts = [
  {
    toolCall: { id: "search-1", toolType: "GOOGLE_SEARCH_WEB", args: { queries: ["sky"] } },
    thoughtSignature: "c2VhcmNo",
  },
  { toolResponse: { id: "search-1", toolType: "GOOGLE_SEARCH_WEB", response: { search_suggestions: "<div></div>" } } },
];

/** Gemini's as steps, after "Tool combination". */
export const searchSteps = [
  {
    id: "mkutnkgn",
    type: "google_search_call",
    arguments: { queries: ["sky"] },
    signature: "c2VhcmNo",
  },
  {
    call_id: "mkutnkgn",
    type: "google_search_result",
    is_error: false,
    result: [{ search_suggestions: "<div></div>" }],
    signature: "cmVzdWx0",
  },
  { id: "u1", type: "url_context_call", arguments: { urls: ["https://example.org/blue"] }, signature: "dXJs" },
  {
    call_id: "u1",
    type: "url_context_result",
    result: [
      { url: "https://example.org/blue", status: "success" },
      { url: "https://example.org/gone", status: "error" },
    ],
    signature: "cGFnZQ==",
  },
];
