/** What vendors' own searches look like in an answer; they want them back as they are. */

/** OpenAI's, after "Web search". */
export const searchCall = {
  id: "ws_1",
  type: "web_search_call",
  status: "completed",
  action: { type: "search", query: "sky", sources: [{ type: "url", url: "https://example.com/sky" }] },
};

/** Gemini's, after "Tool combination". */
export const searchParts = [
  {
    toolCall: { id: "search-1", toolType: "GOOGLE_SEARCH_WEB", args: { queries: ["sky"] } },
    thoughtSignature: "c2VhcmNo",
  },
  { toolResponse: { id: "search-1", toolType: "GOOGLE_SEARCH_WEB", response: { search_suggestions: "<div></div>" } } },
];
