/**
 * What a chat page in a frame and the page around it say to each other by `postMessage`. The frame has an opaque origin; it
 * listens to its own parent on a listed site alone, and what it says itself holds nothing that somebody said.
 */
export const frameMessages = {
  /** Frame to parent: it asks who the visitor is. */
  ready: "switchyard-chat-ready",
  /** Frame to parent: it takes messages from now on. */
  listening: "switchyard-chat-listening",
  /** Parent to frame: `identity` is a signed token. */
  identity: "switchyard-chat-identity",
  /** Parent to frame: `text` is sent as the visitor's message, once the chat takes one. */
  send: "switchyard-chat-send",
  /** Frame to parent: an answer ended, with its `status`. */
  answer: "switchyard-chat-answer",
  /** Frame to parent: Escape was pressed. */
  close: "switchyard-chat-close",
} as const;
